/** Servers of the official SDKs over HTTP, and the probe and supervision of one that comes and goes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { executorId, parseAgentName, systemClock } from '@pawl/core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ScriptedServer, scriptedServer } from '../../../../../test/mcp/scripted-server.js';
import { patiently, textOf } from '../../../../../test/mcp/upstream-suite.js';
import { startHttp } from './http.js';
import type { StartServer } from './supervisor.js';
import { Supervisor, probeServer } from './supervisor.js';

const script = fileURLToPath(new URL('../../../../../test/mcp/real-http-server.mjs', import.meta.url));
const alice = executorId(parseAgentName('reporter') ?? never(), 'alice');
const bob = executorId(parseAgentName('reporter') ?? never(), 'bob');
const closing: { close(): Promise<void> }[] = [];
let server: ChildProcess;
let base = '';
beforeAll(async () => {
  const started = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  server = started;
  const [line] = (await once(started.stdout, 'data')) as [Buffer];
  base = line.toString('utf8').trim();
});
afterAll(() => server.kill('SIGKILL'));
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()));
});

function never(): never {
  throw new Error('unreachable');
}

function starter(url: string): StartServer {
  return (_principal, discovered) =>
    startHttp({
      url,
      headers: () => ({}),
      self: { name: 'pawl', version: '0.1.0' },
      clock: systemClock,
      ...(discovered && { discovered }),
    });
}

async function supervised(url: string): Promise<Supervisor> {
  const start = starter(url);
  const restarts = { firstMs: 20, mostMs: 80, steadyMs: 60_000 };
  const supervisor = new Supervisor(await probeServer(start), {
    start,
    clock: systemClock,
    log: () => undefined,
    restarts,
  });
  closing.push(supervisor);
  return supervisor;
}

const count = async (): Promise<number> => Number(await (await fetch(`${base}/count`)).text());

test.each([
  ['modern', '/modern', undefined],
  ['legacy', '/sessions', undefined],
  ['legacy', '/modern', { kind: 'legacy' }],
] as const)(
  '[P.upstream.http] [P.pins.quarantine] a %s server at %s is met, and its tools are listed again when they change',
  async (era, path, discovered) => {
    const started = await starter(base + path)(undefined, discovered);
    if (!started.ok) throw new Error(started.why);
    closing.push(started.upstream);
    expect(started.discovered.kind).toBe(era);
    const { upstream } = started;
    const before = upstream.tools().map(({ name }) => name);
    expect(before).toContain('grow');
    let changes = 0;
    upstream.onToolsChanged(() => (changes += 1));
    const answer = await upstream.call('grow', {}, patiently()).answer;
    expect(answer).toMatchObject({ kind: 'result', members: '"content":[]' });
    // A server without session and stream tells nobody of 2025-11-25.
    if (path === '/modern' && era === 'legacy') return;
    await expect.poll(() => changes).toBeGreaterThan(0);
    expect((await upstream.list()).map(({ name }) => name)).toEqual(['grow', 'more']);
  },
);

test('[P.upstream.per-principal] each principal has a session of its own, ended with it', async () => {
  const before = await count();
  const supervisor = await supervised(`${base}/sessions`);
  expect(await count()).toBe(before);
  const [forAlice, forBob] = [supervisor.of(alice), supervisor.of(bob)];
  expect(await Promise.all([forAlice.ready(), forBob.ready()])).toEqual([true, true]);
  expect(await count()).toBe(before + 2);
  await supervisor.close();
  expect(await count()).toBe(before);
});

test('[P.upstream.http] a session that the server forgot is opened again, without a storm', async () => {
  const supervisor = await supervised(`${base}/sessions`);
  const forAlice = supervisor.of(alice);
  await forAlice.ready();
  await fetch(`${base}/forget`);
  expect(await forAlice.call('grow', {}, patiently()).answer).toMatchObject({ code: 'outcome_unknown' });
  await expect.poll(() => forAlice.state).toBe('up');
  expect(await forAlice.call('grow', {}, patiently()).answer).toMatchObject({ kind: 'result' });
  expect(supervisor.processes()).toEqual({ up: 1, starting: 0, restarts: 1 });
});

test('[P.upstream.http] a session that was used and forgotten is no trouble: the next one comes as soon, however often', async () => {
  const start = starter(`${base}/sessions`);
  const supervisor = new Supervisor(await probeServer(start), {
    start,
    clock: systemClock,
    log: () => undefined,
    restarts: { firstMs: 20, mostMs: 30_000, steadyMs: 60_000 },
  });
  closing.push(supervisor);
  const forAlice = supervisor.of(alice);
  await forAlice.ready();
  for (let round = 1; round <= 10; round += 1) {
    await expect.poll(() => forAlice.state).toBe('up');
    expect(await forAlice.call('grow', {}, patiently()).answer).toMatchObject({ kind: 'result' });
    await fetch(`${base}/forget`);
    await forAlice.call('grow', {}, patiently()).answer;
    await expect.poll(() => supervisor.processes().restarts).toBe(round);
  }
});

test('[P.upstream.http-comes] a server that is not there at first is found when it comes, and again when it comes back', async () => {
  const first = await scriptedServer();
  const { url } = first;
  await first.close();
  const supervisor = await supervised(url);
  expect(supervisor.trouble()).toContain('cannot be reached');
  expect(supervisor.listing()).toEqual([]);
  let second: ScriptedServer = await again(url);
  await expect.poll(() => supervisor.trouble()).toBeUndefined();
  expect(supervisor.listing().map(({ name }) => name)).toEqual(['go']);
  supervisor.judgeBy(new Map());
  expect(supervisor.present()).toEqual(new Set());
  expect(second.of('tools/list').length).toBe(1);

  const known = await supervised(url);
  const forAlice = known.of(alice);
  await forAlice.ready();
  expect(textOf(await forAlice.call('go', {}, patiently()).answer)).toBe('done');
  await second.close();
  await expect.poll(async () => (await forAlice.call('go', {}, patiently()).answer).kind).toBe('fault');
  await expect.poll(() => known.trouble()).toContain('cannot be reached');
  second = await again(url);
  closing.push(second);
  await expect.poll(() => forAlice.state).toBe('up');
  expect(textOf(await forAlice.call('go', {}, patiently()).answer)).toBe('done');
});

/** A server at the address of one that was ended. */
async function again(url: string): Promise<ScriptedServer> {
  return scriptedServer({ port: Number(new URL(url).port) });
}
