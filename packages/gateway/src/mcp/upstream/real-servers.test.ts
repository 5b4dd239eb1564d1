import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JsonObject, systemClock } from '@pawl/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patiently, textOf } from '../../../../../test/mcp/upstream-suite.js';
import { fixedPath } from './process.js';
import { startStdio } from './stdio.js';

const growing = fileURLToPath(new URL('../../../../../test/mcp/growing-server.mjs', import.meta.url));
let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-real-')));
  writeFileSync(join(folder, 'a.txt'), 'content of a');
});
afterAll(() => rmSync(folder, { recursive: true }));

function entryOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
  return join(dirname(manifest), 'dist/index.js');
}

const servers: [string, string, (args: JsonObject) => JsonObject, RegExp][] = [
  ['server-filesystem', 'read_text_file', () => ({ path: join(folder, 'a.txt') }), /^content of a$/u],
  ['server-memory', 'read_graph', () => ({}), /entities/u],
  ['server-everything', 'echo', () => ({ message: 'hello' }), /hello/u],
];
test.each(servers)('meets %s, lists its tools and gets its answer', async (name, tool, args, expected) => {
  const started = await startStdio({
    command: 'node',
    args: [entryOf(name), ...(name === 'server-filesystem' ? [folder] : [])],
    cwd: folder,
    env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
    searchPath: fixedPath,
    log: () => undefined,
    self: { name: 'pawl', version: '0.1.0' },
    clock: systemClock,
  });
  if (!started.ok) throw new Error(started.why);
  const { upstream } = started;
  expect(upstream.tools().map((each) => each.name)).toContain(tool);
  expect(textOf(await upstream.call(tool, args({}), patiently()).answer)).toMatch(expected);
  await upstream.close();
  expect(upstream.state).toBe('down');
});

test.each(['legacy', 'modern'] as const)(
  '[P.pins.quarantine] hears from a %s server of the official SDK that its tools changed, and lists them again',
  async (era) => {
    const started = await startStdio({
      command: process.execPath,
      args: [growing],
      env: {},
      searchPath: fixedPath,
      log: () => undefined,
      self: { name: 'pawl', version: '0.1.0' },
      clock: systemClock,
      ...(era === 'legacy' && { discovered: { kind: 'legacy' } }),
    });
    if (!started.ok) throw new Error(started.why);
    const { upstream } = started;
    expect(started.discovered.kind).toBe(era);
    let changes = 0;
    upstream.onToolsChanged(() => (changes += 1));
    await upstream.call('grow', {}, patiently()).answer;
    await expect.poll(() => changes).toBe(1);
    expect((await upstream.list()).map(({ name }) => name)).toEqual(['grow', 'more']);
    await upstream.close();
  },
);
