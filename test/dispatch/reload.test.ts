/** Calls and real reloads: what a verdict does to capabilities, to calls that wait, and to calls that were handed over. */
import {
  type CallOutcome,
  type ExecutorRelation,
  type ReloadRequest,
  type Reloaded,
  fault,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';

const tools = {
  s: { t: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false } },
};
const document = (values: string, more = ''): string => `pawl: 1
servers:
  s: { command: s }
agents:
  a: { allow: [ { tools: [s/t], where: { args.x: [${values}] } } ] }
  b: { allow: [ { tools: [s/t], where: { args.x: [red] } } ] }
${more}`;
const wide = document('red, blue');
const narrow = document('red');

function reload(
  world: World,
  policy: string,
  relation: ExecutorRelation,
  more: Partial<ReloadRequest> = {},
): Promise<Reloaded> {
  world.prover.says({ a: relation, b: 'equal' });
  return world.reloader.reload({
    trigger: 'operator',
    propose: () => Promise.resolve(world.proposal(policy)),
    ...more,
  });
}

/** Starts a call, waits until its intent is written but not durable, does `meanwhile`, and lets the call go on. */
async function during(world: World, x: string, meanwhile: () => Promise<unknown>): Promise<CallOutcome> {
  world.audit.hold();
  const called = world.call('a', 's__t', { x });
  await new Promise((resolve) => setImmediate(resolve));
  expect(world.audit.of('intent')).toHaveLength(1);
  await meanwhile();
  world.audit.release();
  return called;
}

/** A world whose tool answers when the test says, or when its signal is aborted. */
function slowWorld(policy = wide): { world: World; answer: (text: string) => void; signals: AbortSignal[] } {
  const waiting: ((text: string) => void)[] = [];
  const signals: AbortSignal[] = [];
  const world = new World({
    policy,
    tools,
    answer: (_tool, _call, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => {
        waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(fault('outcome_unknown', 'cancelled')));
      });
    },
  });
  return { world, signals, answer: (text) => waiting.shift()?.(text) };
}

describe.each(['recheck', 'bind'] as const)('in posture %s', (posture) => {
  const policy = (values: string): string => document(values, `reload: { posture: ${posture} }\n`);

  test('[S000.monotone-reload] a capability lives over attenuations and dies with the epoch; a reload back revives nothing', async () => {
    const world = new World({ policy: policy('red, blue'), tools });
    const session = world.open('a').id;
    expect((await world.callIn(session, 's__t', { x: 'blue' })).kind).toBe('result');
    await reload(world, policy('red'), 'attenuation');
    expect(refusalOf(await world.callIn(session, 's__t', { x: 'blue' }))).toMatchObject({
      code: 'not_permitted',
    });
    expect((await world.callIn(session, 's__t', { x: 'red' })).kind).toBe('result');
    expect(await reload(world, policy('red, blue'), 'widening')).toMatchObject({ kind: 'refused' });
    expect(refusalOf(await world.callIn(session, 's__t', { x: 'blue' }))?.code).toBe('not_permitted');
    const handle = world.handle('a', 's__t');
    expect(await reload(world, policy('red, blue'), 'widening', { act: {} })).toMatchObject({ moved: ['a'] });
    expect(refusalOf(await world.callBy('a', handle, { x: 'red' }))).toMatchObject({
      code: 'no_such_cap',
      reason: 'generation_widened',
    });
    await reload(world, policy('red'), 'attenuation');
    expect(refusalOf(await world.callBy('a', handle, { x: 'red' }))).toMatchObject({ code: 'no_such_cap' });
  });

  test('[P.lastcheck.changed-meanwhile] a call that waits meets a widening taken meanwhile as dead, a refused one not at all', async () => {
    const refused = new World({ policy: policy('red'), tools });
    const goesOn = await during(refused, 'red', () => reload(refused, policy('red, blue'), 'widening'));
    expect(goesOn.kind).toBe('result');
    const taken = new World({ policy: policy('red'), tools });
    const dead = await during(taken, 'red', () =>
      reload(taken, policy('red, blue'), 'widening', { act: {} }),
    );
    expect(refusalOf(dead)).toMatchObject({ code: 'no_such_cap', reason: 'generation_widened' });
    expect(taken.arrivals).toEqual([]);
  });

  test('a widening of another executor leaves a waiting call alone', async () => {
    const world = new World({ policy: policy('red'), tools });
    const outcome = await during(world, 'red', async () => {
      world.prover.says({ a: 'equal', b: 'widening' });
      const next = policy('red').replace(
        'b: { allow: [ { tools: [s/t], where: { args.x: [red]',
        'b: { allow: [ { tools: [s/t], where: { args.x: [red, blue]',
      );
      await world.reloader.reload({
        trigger: 'operator',
        act: {},
        propose: () => Promise.resolve(world.proposal(next)),
      });
    });
    expect(outcome.kind).toBe('result');
  });

  test('[P.reload.freeze] a frozen executor admits nothing, at the last check either; others go on', async () => {
    const world = new World({ policy: policy('red'), tools });
    const outcome = await during(world, 'red', () => world.reloader.freeze('a'));
    expect(refusalOf(outcome)).toMatchObject({ code: 'attenuated_away', detail: 'not_permitted' });
    expect(world.arrivals).toEqual([]);
    expect(refusalOf(await world.call('a', 's__t', { x: 'red' }))).toMatchObject({
      code: 'not_permitted',
      detail: 'frozen',
    });
    expect((await world.call('b', 's__t', { x: 'red' })).kind).toBe('result');
  });
});

describe('posture recheck', () => {
  test('[S000.attenuated-away] [S000.recheck-before-hand-over] a waiting call is admitted afresh under each generation that came meanwhile', async () => {
    const world = new World({ policy: wide, tools });
    const outcome = await during(world, 'blue', async () => {
      await reload(world, document('blue'), 'attenuation');
      await reload(world, document('green'), 'attenuation');
    });
    expect(refusalOf(outcome)).toMatchObject({ code: 'attenuated_away', detail: 'not_permitted' });
  });

  test('a call that passes the last check under a later generation is recorded with both: pinned and admitted', async () => {
    const world = new World({ policy: wide, tools });
    world.open('a');
    const handle = world.handle('a', 's__t');
    await reload(world, narrow, 'attenuation');
    await world.callBy('a', handle, { x: 'red' });
    await world.callBy('a', handle, { x: 'blue' });
    const records = [...world.audit.of('intent'), ...world.audit.of('refusal')];
    expect(records).toHaveLength(2);
    for (const record of records)
      expect(record).toMatchObject({
        capGeneration: { number: 1 },
        policyGeneration: { number: 2 },
        epoch: 0,
      });
  });
});

test('[P.audit.fields] every record of a call names both generations: that of a dead capability, and that of the last check where it is another', async () => {
  const world = new World({ policy: wide, tools });
  const first = await during(world, 'blue', () => reload(world, narrow, 'attenuation'));
  expect(refusalOf(first)).toMatchObject({ code: 'attenuated_away' });
  expect(world.audit.of('intent')).toMatchObject([
    { capGeneration: { number: 1 }, policyGeneration: { number: 1 } },
  ]);
  expect(world.audit.of('settlement')).toMatchObject([
    { outcome: 'not_dispatched', policyGeneration: { number: 2 } },
  ]);
  const handle = world.handle('a', 's__t');
  await reload(world, wide, 'widening', { act: {} });
  await world.callBy('a', handle, { x: 'blue' });
  expect(world.audit.of('refusal')).toMatchObject([
    {
      code: 'no_such_cap',
      reason: 'generation_widened',
      tool: 's/t',
      capGeneration: { number: 1 },
      policyGeneration: { number: 3 },
    },
  ]);
});

test('[S000.bind-posture] a call that waited for its own intent only goes on under what admitted it, through any number of attenuations', async () => {
  const bind = 'reload: { posture: bind }\n';
  const world = new World({ policy: document('red, blue', bind), tools });
  const outcome = await during(world, 'blue', async () => {
    await reload(world, document('red', bind), 'attenuation');
    await reload(world, document('green', bind), 'attenuation');
  });
  expect(outcome.kind).toBe('result');
});

describe('a call that was handed over', () => {
  test('[P.reload.drain] finishes under an attenuation; while it holds its generation that one lives', async () => {
    const { world, answer } = slowWorld();
    const called = world.call('a', 's__t', { x: 'blue' });
    await new Promise((resolve) => setImmediate(resolve));
    await reload(world, narrow, 'attenuation');
    expect(world.reloader.living().map(({ number, pins }) => [number, pins])).toEqual([
      [2, 0],
      [1, 1],
    ]);
    answer('done');
    expect(await called).toMatchObject({ kind: 'result', value: 'done' });
    expect(world.reloader.living().map(({ number }) => number)).toEqual([2]);
  });

  test('[P.reload.drain] is given up at the drain deadline, cancelled, and settled as outcome_unknown', async () => {
    const { world, signals } = slowWorld();
    const called = world.call('a', 's__t', { x: 'blue' });
    await new Promise((resolve) => setImmediate(resolve));
    await reload(world, narrow, 'attenuation');
    world.alarm.pass(15 * 60_000 - 1);
    expect([signals[0]?.aborted, world.inFlight()]).toEqual([false, 1]);
    world.alarm.pass(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(refusalOf(await called)).toMatchObject({
      kind: 'fault',
      code: 'outcome_unknown',
      retryable: false,
    });
    expect(world.audit.of('settlement')).toMatchObject([{ outcome: 'outcome_unknown' }]);
    expect([world.inFlight(), world.reloader.living().length]).toEqual([0, 1]);
  });

  test('[P.reload.drain] is settled at the deadline even if its tool never lets go', async () => {
    const world = new World({ policy: wide, tools, answer: () => new Promise(() => undefined) });
    const called = world.call('a', 's__t', { x: 'blue' });
    await new Promise((resolve) => setImmediate(resolve));
    await reload(world, narrow, 'attenuation');
    world.alarm.pass(15 * 60_000);
    expect(refusalOf(await called)).toMatchObject({ code: 'outcome_unknown' });
  });

  test.each(['capability', 'session', 'executor', 'key'] as const)(
    '[S000.revoked-is-not-attenuated] is cancelled in the step in which its %s is revoked; those of others are not',
    async (kind) => {
      const { world, signals, answer } = slowWorld();
      const calls = ['a', 'b'].map((who) => world.call(who, 's__t', { x: 'red' }));
      await new Promise((resolve) => setImmediate(resolve));
      const intent = world.audit.of('intent').find(({ executor }) => executor === 'a');
      const ids = {
        capability: intent?.cap,
        session: intent?.session,
        executor: intent?.executor,
        key: intent?.key,
      };
      world.revocations.revoke({ kind, id: ids[kind] } as Parameters<typeof world.revocations.revoke>[0]);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      expect(refusalOf((await calls[0]) as CallOutcome)).toMatchObject({ code: 'outcome_unknown' });
      answer('late');
      answer('done');
      expect(await calls[1]).toMatchObject({ kind: 'result', value: 'done' });
    },
  );

  test('is not touched by a freeze or by an epoch that moves: what was handed over cannot be recalled', async () => {
    const { world, signals, answer } = slowWorld();
    const called = world.call('a', 's__t', { x: 'red' });
    await new Promise((resolve) => setImmediate(resolve));
    await world.reloader.freeze('a');
    await reload(world, document('red, green'), 'widening', { act: {} });
    expect(signals[0]?.aborted).toBe(false);
    answer('done');
    expect((await called).kind).toBe('result');
  });
});

describe('[P.reload.freeze] after a thaw', () => {
  test('old capabilities stay dead; reissue lets fresh ones into the open session', async () => {
    const world = new World({ policy: wide, tools });
    const session = world.open('a').id;
    const handle = world.handle('a', 's__t');
    await world.reloader.freeze('a');
    await world.reloader.thaw('a');
    expect(refusalOf(await world.callBy('a', handle, { x: 'red' }))).toMatchObject({ code: 'no_such_cap' });
    expect(refusalOf(await world.callIn(session, 's__t', { x: 'red' }))).toMatchObject({
      code: 'no_such_cap',
    });
    await world.reloader.freeze('a');
    await world.reloader.thaw('a', { reissue: true });
    expect((await world.callIn(session, 's__t', { x: 'red' })).kind).toBe('result');
    expect(refusalOf(await world.callBy('a', handle, { x: 'red' }))).toMatchObject({ code: 'no_such_cap' });
  });

  test('an agent that presents its credential anew gets a new session with fresh capabilities', async () => {
    const world = new World({ policy: wide, tools });
    const old = world.open('a').id;
    await reload(world, document('red, green'), 'widening', { act: {} });
    expect(world.open('a').id).toBe(old);
    const fresh = world.openAnew('a').id;
    expect(fresh).not.toBe(old);
    expect((await world.callIn(fresh, 's__t', { x: 'green' })).kind).toBe('result');
    expect(refusalOf(await world.callIn(old, 's__t', { x: 'red' }))).toMatchObject({ code: 'no_such_cap' });
    expect(world.openAnew('a').id).toBe(fresh);
  });
});
