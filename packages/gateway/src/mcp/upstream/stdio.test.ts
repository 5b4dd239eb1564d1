import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@pawl/core';
import { afterEach, expect, test } from 'vitest';
import { patiently, textOf, upstreamSuite } from '../../../../../test/mcp/upstream-suite.js';
import { fixedPath } from './process.js';
import { type Started, type StdioOptions, startStdio } from './stdio.js';
import type { Upstream } from './upstream.js';

const script = fileURLToPath(new URL('../../../../../test/mcp/fake-server.mjs', import.meta.url));
const running: Upstream[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((upstream) => upstream.close()));
});

async function start(mode: string, more: Partial<StdioOptions> = {}): Promise<Started & { log: string[] }> {
  const log: string[] = [];
  const started = await startStdio({
    command: process.execPath,
    args: [script, mode],
    env: {},
    searchPath: fixedPath,
    log: (line) => log.push(line),
    self: { name: 'pawl', version: '0.1.0' },
    clock: systemClock,
    ...more,
  });
  if (started.ok) running.push(started.upstream);
  return { ...started, log };
}

async function up(mode: string, more: Partial<StdioOptions> = {}): Promise<Upstream> {
  const started = await start(mode, more);
  if (!started.ok) throw new Error(started.why);
  return started.upstream;
}

upstreamSuite('a server on stdio', (mode) => up(mode));

test('gives a server only its declared environment and a fixed PATH [P.upstream.declared-env]', async () => {
  process.env['PAWL_TEST_SECRET'] = 'leak';
  const upstream = await up('old', { env: { TOKEN: 'given' } });
  const seen: unknown = JSON.parse(textOf(await upstream.call('env', {}, patiently()).answer));
  delete process.env['PAWL_TEST_SECRET'];
  expect(seen).toEqual({ TOKEN: 'given', PATH: fixedPath });
  const own = await up('old', { env: { PATH: '/nowhere' } });
  expect(JSON.parse(textOf(await own.call('env', {}, patiently()).answer))).toEqual({ PATH: '/nowhere' });
});

test.skipIf(process.platform !== 'linux')('ends what a server started, too', async () => {
  const upstream = await up('old');
  const pid = Number(textOf(await upstream.call('child', {}, patiently()).answer));
  expect(alive(pid)).toBe(true);
  await upstream.close();
  await expect.poll(() => alive(pid)).toBe(false);
});

test('meets a server that ends over the newer question in the older way', async () => {
  const started = await start('exits-on-probe');
  expect(started.ok && started.discovered).toEqual({ kind: 'legacy' });
});

test('takes a server that is silent to the newer question for an older one', async () => {
  const started = await start('silent-on-probe', { bounds: { requestMs: 5000, probeMs: 200 } });
  expect(started.ok && started.discovered).toEqual({ kind: 'legacy' });
});

test('asks a server that was met before nothing again', async () => {
  const first = await start('modern');
  expect(first.ok && first.discovered.kind).toBe('modern');
  if (!first.ok) return;
  const again = await up('modern', { discovered: first.discovered });
  const seen = textOf(await again.call('seen', {}, patiently()).answer);
  expect(seen).not.toContain('server/discover');
  expect(again.tools()).toEqual(first.upstream.tools());
});

test('says why a server does not start, and keeps control characters out of the log', async () => {
  const started = await start('dies-at-start');
  expect(started).toMatchObject({ ok: false, why: 'the process ended with code 3' });
  expect(started.log[0]).toBe('cannot start:  [31mno licence');
  expect(await start('old', { command: 'no-such-command' })).toMatchObject({
    ok: false,
    why: 'no program no-such-command in PATH',
  });
});

test('serves a server that logs to its output before the handshake', async () => {
  expect((await up('chatty')).tools()).toHaveLength(20);
});

/** Whether a process runs; one that nobody has reaped yet does not. */
function alive(pid: number): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
