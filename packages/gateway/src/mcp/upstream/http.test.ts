import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@pawl/core';
import { afterEach } from 'vitest';
import { upstreamSuite } from '../../../../../test/mcp/upstream-suite.js';
import { type HttpUpstreamOptions, startHttp } from './http.js';
import type { Upstream } from './upstream.js';

const script = fileURLToPath(new URL('../../../../../test/mcp/fake-http-server.mjs', import.meta.url));
const servers: ChildProcess[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
});

/** Starts the fake server; its address. */
async function serve(...ways: readonly string[]): Promise<string> {
  const server = spawn(process.execPath, [script, ...ways], { stdio: ['ignore', 'pipe', 'ignore'] });
  servers.push(server);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return line.toString('utf8').trim();
}

async function up(url: string, more: Partial<HttpUpstreamOptions> = {}): Promise<Upstream> {
  const started = await startHttp({
    url,
    headers: () => ({}),
    self: { name: 'pawl', version: '0.1.0' },
    clock: systemClock,
    ...more,
  });
  if (!started.ok) throw new Error(started.why);
  return started.upstream;
}

upstreamSuite('a server over HTTP', async (mode) => up(await serve(mode)));
