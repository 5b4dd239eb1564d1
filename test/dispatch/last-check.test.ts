/** The last check: what a change of policy between admission and hand-over does to a call. */
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';

const tools = {
  s: { t: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false } },
};
const document = (rule: string, more = ''): string => `pawl: 1
servers:
  s: { command: s }
agents:
  a: { allow: [ ${rule} ] }
${more}`;
const wide = document('{ tools: [s/t], where: { args.x: [red, blue] } }');
const narrow = document('{ tools: [s/t], where: { args.x: [red] } }');

/** Starts a call, waits until its intent is written but not durable, does `meanwhile`, and lets the call go on. */
async function during(world: World, args: { x?: string }, meanwhile: () => void): ReturnType<World['call']> {
  world.audit.hold();
  const called = world.call('a', 's__t', args);
  await new Promise((resolve) => setImmediate(resolve));
  expect(world.audit.of('intent')).toHaveLength(1);
  meanwhile();
  world.audit.release();
  return called;
}

describe('posture recheck', () => {
  test('[S000.recheck-before-hand-over] a call that the new generation still admits goes on', async () => {
    const world = new World({ policy: wide, tools });
    const outcome = await during(world, { x: 'red' }, () => world.reload(narrow));
    expect(outcome.kind).toBe('result');
    expect(world.arrivals).toMatchObject([{ args: { x: 'red' }, generation: 2 }]);
  });

  test('[S000.attenuated-away] a call that the new generation no longer admits is refused and never handed over', async () => {
    const world = new World({ policy: wide, tools });
    const outcome = await during(world, { x: 'blue' }, () => world.reload(narrow));
    expect(refusalOf(outcome)).toMatchObject({ code: 'attenuated_away', layer: 'policy' });
    expect(world.arrivals).toEqual([]);
    expect(world.audit.of('settlement')).toMatchObject([
      { outcome: 'not_dispatched', code: 'attenuated_away' },
    ]);
  });

  test('[P.lastcheck.changed-meanwhile] a call that would be filled otherwise, or asked for, is refused as retryable', async () => {
    const filled = new World({ policy: document('{ tools: [s/t], where: { args.x: [red] } }'), tools });
    const other = await during(filled, {}, () =>
      filled.reload(document('{ tools: [s/t], where: { args.x: [blue] } }')),
    );
    expect(refusalOf(other)).toMatchObject({ code: 'changed_meanwhile', retryable: true });
    const asked = new World({ policy: wide, tools });
    const asking = document('{ tools: [s/t], where: { args.x: [red, blue] }, ask: once }');
    expect(refusalOf(await during(asked, { x: 'red' }, () => asked.reload(asking)))).toMatchObject({
      code: 'changed_meanwhile',
    });
    expect([...filled.arrivals, ...asked.arrivals]).toEqual([]);
  });
});

describe('posture bind', () => {
  const bind = 'reload: { posture: bind }\n';
  const bound = document('{ tools: [s/t], where: { args.x: [red, blue] } }', bind);
  const tighter = document('{ tools: [s/t], where: { args.x: [red] } }', bind);

  test('[S000.bind-posture] a call that awaited only its own intent record goes on under the snapshot that admitted it', async () => {
    const world = new World({ policy: bound, tools });
    const outcome = await during(world, { x: 'blue' }, () => world.reload(tighter));
    expect(outcome.kind).toBe('result');
  });

  test('[S000.bind-posture] a call that waited for anything else is admitted afresh', async () => {
    const hold = { release: (): void => undefined };
    const world = new World({ policy: bound, tools, exclusion: { enter: () => Promise.resolve(hold) } });
    const outcome = await during(world, { x: 'blue' }, () => world.reload(tighter));
    expect(refusalOf(outcome)).toMatchObject({ code: 'attenuated_away' });
    expect(world.arrivals).toEqual([]);
  });
});

describe.each(['recheck', 'bind'])('in posture %s', (posture) => {
  const policy = document('{ tools: [s/t] }', `reload: { posture: ${posture} }\n`);

  test('a call whose capability was revoked meanwhile is refused', async () => {
    const world = new World({ policy, tools });
    const id = world.open('a').id;
    const outcome = await during(world, { x: 'red' }, () =>
      world.revocations.revoke({ kind: 'session', id }),
    );
    expect(refusalOf(outcome)).toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
    expect(world.arrivals).toEqual([]);
  });

  test('a call of an executor whose epoch moved meanwhile is refused, although the new generation would admit it', async () => {
    const world = new World({ policy, tools });
    const outcome = await during(world, { x: 'red' }, () => world.reload(policy, true));
    expect(refusalOf(outcome)).toMatchObject({ code: 'no_such_cap', reason: 'generation_widened' });
    expect(world.arrivals).toEqual([]);
  });

  test('a call whose session ran out meanwhile is refused', async () => {
    const world = new World({ policy, tools });
    const outcome = await during(world, { x: 'red' }, () => {
      world.now = 5000;
    });
    expect(refusalOf(outcome)).toMatchObject({ code: 'no_such_cap', reason: 'expired' });
    expect(world.arrivals).toEqual([]);
  });

  test('a call that its caller cancelled meanwhile is not made', async () => {
    const world = new World({ policy, tools });
    const cancel = new AbortController();
    world.audit.hold();
    const called = world.call('a', 's__t', { x: 'red' }, cancel.signal);
    await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    world.audit.release();
    expect((await called).kind).toBe('refused');
    expect(world.arrivals).toEqual([]);
    expect(world.audit.of('settlement')).toMatchObject([{ outcome: 'not_dispatched' }]);
  });
});

test('[S000.no-re-resolve] [S000.frozen-snapshot] a snapshot that a call holds is frozen, and is let go when the call is settled', async () => {
  const world = new World({ policy: wide, tools });
  const first = world.cell.current.peek();
  expect(Object.isFrozen(first)).toBe(true);
  await during(world, { x: 'red' }, () => {
    world.reload(narrow);
    const living = world.cell.current
      .living()
      .map(({ snapshot, pins }) => [snapshot.generation.number, pins]);
    expect(living).toEqual([
      [2, 0],
      [1, 1],
    ]);
  });
  expect(world.cell.current.living().map(({ snapshot }) => snapshot.generation.number)).toEqual([2]);
});

describe('[P.pins.quarantine] a tool whose definition changed', () => {
  test('is not called, and the refusal says so', async () => {
    const world = new World({ policy: wide, tools });
    await world.call('a', 's__t', { x: 'red' });
    world.standing = 'waiting';
    const outcome = refusalOf(await world.call('a', 's__t', { x: 'red' }));
    expect(outcome).toMatchObject({ code: 'quarantined', layer: 'dispatch', retryable: false });
    world.standing = 'absent';
    expect(refusalOf(await world.call('a', 's__t', { x: 'red' }))).toMatchObject({ code: 'no_such_cap' });
    world.standing = 'in-force';
    expect((await world.call('a', 's__t', { x: 'red' })).kind).toBe('result');
    expect(world.arrivals).toHaveLength(2);
  });

  test.each([
    ['waiting', 'quarantined'],
    ['absent', 'no_such_cap'],
  ] as const)(
    'is not handed over where it is %s by the time its intent is durable',
    async (standing, code) => {
      const world = new World({ policy: wide, tools });
      const outcome = await during(world, { x: 'red' }, () => void (world.standing = standing));
      expect(refusalOf(outcome)).toMatchObject({ code });
      expect(world.arrivals).toEqual([]);
      expect(world.audit.of('settlement')).toMatchObject([{ outcome: 'not_dispatched', code }]);
    },
  );

  test('says so when it was unmounted, as long as nothing else has ended the handle', async () => {
    const world = new World({ policy: wide, tools });
    const handle = world.handle('a', 's__t');
    world.standing = 'waiting';
    world.registry.unmount([...world.registry.table().keys()]);
    expect(refusalOf(await world.callBy('a', handle, { x: 'red' }))).toMatchObject({ code: 'quarantined' });
    expect(refusalOf(await world.callBy('a', undefined, { x: 'red' }))).toMatchObject({
      code: 'no_such_cap',
    });
    world.standing = 'absent';
    expect(refusalOf(await world.callBy('a', handle, { x: 'red' }))).toMatchObject({ code: 'no_such_cap' });
  });
});
