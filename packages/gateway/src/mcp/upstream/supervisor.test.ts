import { fileURLToPath } from 'node:url';
import { executorId, parseAgentName, systemClock } from '@pawl/core';
import { afterEach, expect, test } from 'vitest';
import { patiently, textOf } from '../../../../../test/mcp/upstream-suite.js';
import { definitionDigest } from './principal.js';
import { fixedPath } from './process.js';
import { startStdio } from './stdio.js';
import { type Probe, type StartServer, Supervisor, probeServer } from './supervisor.js';

const script = fileURLToPath(new URL('../../../../../test/mcp/fake-server.mjs', import.meta.url));
const alice = executorId(parseAgentName('reporter') ?? never(), 'alice');
const bob = executorId(parseAgentName('reporter') ?? never(), 'bob');
const log: string[] = [];
const supervisors: Supervisor[] = [];
afterEach(async () => {
  log.length = 0;
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.close()));
});

function never(): never {
  throw new Error('unreachable');
}

/** Starts the fake server; the mode may depend on whose process it is and how often it was started. */
function starter(modeOf: (principal: string, count: number) => string): StartServer & { started: string[] } {
  const started: string[] = [];
  const start: StartServer = (principal, discovered) => {
    const name = principal ?? 'probe';
    started.push(name);
    return startStdio({
      command: process.execPath,
      args: [script, modeOf(name, started.filter((other) => other === name).length)],
      env: {},
      searchPath: fixedPath,
      log: (line) => log.push(line),
      self: { name: 'pawl', version: '0.1.0' },
      clock: systemClock,
      ...(discovered && { discovered }),
    });
  };
  return Object.assign(start, { started });
}

async function supervise(start: StartServer): Promise<Supervisor> {
  const probe = await probeServer(start);
  const supervisor = new Supervisor(found(probe), {
    start,
    clock: systemClock,
    log: (line) => log.push(line),
    restarts: { firstMs: 20, mostMs: 80, steadyMs: 60_000 },
  });
  supervisors.push(supervisor);
  return supervisor;
}

function found(probe: Probe): Extract<Probe, { ok: true }> {
  if (!probe.ok) throw new Error(probe.why);
  return probe;
}

test('gives each principal a process of its own, apart from the probe that was ended [P.upstream.per-principal]', async () => {
  const start = starter(() => 'old');
  const supervisor = await supervise(start);
  const [forAlice, forBob] = [supervisor.of(alice), supervisor.of(bob)];
  expect(supervisor.of(alice)).toBe(forAlice);
  expect(await Promise.all([forAlice.ready(), forBob.ready()])).toEqual([true, true]);
  expect(start.started).toEqual(['probe', 'reporter/alice', 'reporter/bob']);
  expect(textOf(await forAlice.call('echo', { a: 1 }, patiently()).answer)).toBe('{"a":1}');
});

test("leaves out a tool that a principal's process lists otherwise than the probe", async () => {
  const supervisor = await supervise(starter((principal) => (principal === 'probe' ? 'old' : 'other-tools')));
  const supervised = supervisor.of(alice);
  await supervised.ready();
  expect(supervised.tools().map(({ name }) => name)).not.toContain('echo');
  expect(supervised.tools()).toHaveLength(19);
  const { handedOver, answer } = supervised.call('echo', {}, patiently());
  expect(handedOver).toBe(false);
  expect(await answer).toMatchObject({ code: 'upstream_gone' });
  expect(log.join('\n')).toContain('absent: echo');
  expect([supervisor.standing(alice, 'echo'), supervisor.standing(bob, 'env')]).toEqual([
    'waiting',
    'in-force',
  ]);
  expect(supervisor.standing(alice, 'none')).toBe('absent');
  const listed = supervisor
    .listing()
    .map(({ name, definition }) => [name, definitionDigest(definition)] as const);
  supervisor.judgeBy(new Map(listed));
  expect(supervisor.standing(alice, 'echo')).toBe('in-force');
  expect(textOf(await supervised.call('echo', { a: 1 }, patiently()).answer)).toBe('{"a":1}');
});

test('unmounts at once when a process dies, restarts it, and mounts again [P.bad.upstream-dies]', async () => {
  const supervisor = await supervise(starter(() => 'old'));
  const supervised = supervisor.of(alice);
  const events: string[] = [];
  supervised.onUp((tools) => events.push(`up ${tools.length}`));
  supervised.onDown((why) => events.push(`down: ${why}`));
  await supervised.ready();
  const answer = await supervised.call('die', {}, patiently()).answer;
  expect(answer).toMatchObject({ code: 'outcome_unknown' });
  expect(supervised.state).toBe('down');
  expect(supervised.tools()).toEqual([]);
  await expect.poll(() => events).toEqual(['up 20', 'down: the process ended with code 7', 'up 20']);
  expect(textOf(await supervised.call('echo', {}, patiently()).answer)).toBe('{}');
});

test('keeps trying with growing pauses while a process does not start', async () => {
  const start = starter((principal, count) => (principal === 'probe' || count > 3 ? 'old' : 'dies-at-start'));
  const supervised = (await supervise(start)).of(alice);
  expect(await supervised.ready()).toBe(false);
  expect(supervised.state).toBe('down');
  await expect.poll(() => supervised.state, { timeout: 5000 }).toBe('up');
  expect(log.filter((line) => line.includes('code 3'))).toHaveLength(3);
});

test('reports a server that cannot be probed', async () => {
  expect(await probeServer(starter(() => 'dies-at-start'))).toMatchObject({ ok: false });
});
