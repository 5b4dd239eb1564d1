import { describe, expect, test } from 'vitest';
import { mintId } from '../ground/index.js';
import { type Behaviour, type Ref, noExclusion, spawn, stop } from './index.js';
import { type SendOptions, type TurnEnd, post } from './send.js';

interface Gate {
  readonly opened: Promise<unknown>;
  readonly open: (value?: unknown) => void;
  readonly fail: (error: unknown) => void;
}

function gate(): Gate {
  const inside: { open?: Gate['open']; fail?: Gate['fail'] } = {};
  const opened = new Promise<unknown>((resolve, reject) => {
    inside.open = resolve;
    inside.fail = reject;
  });
  return { opened, open: inside.open!, fail: inside.fail! };
}

const context = { signal: new AbortController().signal, call: mintId.call('c') };
const options: SendOptions = { context, atTurn: () => true };

function actor(turn: Behaviour['turn'], parallel = 1): Ref {
  return spawn({ parallel, turn });
}

/** Lets everything that is ready run. */
async function settleAll(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
}

describe('a reference', () => {
  test('shows nothing: it is frozen and has no members, inherited ones included', () => {
    const ref = actor(() => 1);
    expect(Reflect.ownKeys(ref)).toEqual([]);
    expect(Object.getPrototypeOf(ref)).toBeNull();
    expect(Object.isFrozen(ref)).toBe(true);
  });

  test('that was not made here is like a stopped actor', async () => {
    const turn = post(Object.freeze({}) as Ref, 'call', {}, options);
    expect(turn.started).toBe(false);
    expect(await turn.done).toEqual({ kind: 'not-started', why: 'stopped' });
  });

  test.each([0, -1, 1.5, Number.NaN])('cannot be made for %d turns at a time', (parallel) => {
    expect(() => actor(() => 1, parallel)).toThrow('parallel');
  });
});

describe('a turn', () => {
  test('of a free actor starts before send returns', () => {
    const seen: unknown[] = [];
    const turn = post(
      actor((...all) => seen.push(all)),
      'call',
      7,
      options,
    );
    expect(turn.started).toBe(true);
    expect(seen).toEqual([['call', 7, context]]);
  });

  test('gets the very same arguments object', () => {
    const args = {};
    let got: unknown;
    post(
      actor((_, given) => {
        got = given;
      }),
      'call',
      args,
      options,
    );
    expect(got).toBe(args);
  });

  test('ends with what was returned or what its promise brought', async () => {
    expect(
      await post(
        actor(() => 1),
        'call',
        {},
        options,
      ).done,
    ).toEqual({ kind: 'returned', value: 1 });
    expect(
      await post(
        actor(async () => Promise.resolve(2)),
        'call',
        {},
        options,
      ).done,
    ).toEqual({ kind: 'returned', value: 2 });
  });

  test('ends with what was thrown, at once or later, and done never rejects', async () => {
    const error = new Error('no');
    const thrower = actor(() => {
      throw error;
    });
    expect(await post(thrower, 'call', {}, options).done).toEqual({ kind: 'threw', error });
    expect(
      await post(
        actor(async () => Promise.reject(error)),
        'call',
        {},
        options,
      ).done,
    ).toEqual({ kind: 'threw', error });
    expect((await post(thrower, 'call', {}, options).done).kind).toBe('threw');
  });

  test('waits for its place, in the order of sending', async () => {
    const first = gate();
    const order: unknown[] = [];
    const ref = actor(async (_, args) => {
      order.push(args);
      return args === 1 ? first.opened : args;
    });
    const turns = [1, 2, 3].map((args) => post(ref, 'call', args, options));
    expect(turns.map(({ started }) => started)).toEqual([true, false, false]);
    expect(order).toEqual([1]);
    first.open();
    await Promise.all(turns.map(async ({ done }) => done));
    expect(order).toEqual([1, 2, 3]);
    expect(turns.every(({ started }) => started)).toBe(true);
  });

  test('that fails lets the next one start', async () => {
    const first = gate();
    const ref = actor(async (_, args) => (args === 1 ? first.opened : args));
    const [one, two] = [post(ref, 'call', 1, options), post(ref, 'call', 2, options)];
    first.fail(new Error('no'));
    expect((await one.done).kind).toBe('threw');
    expect(await two.done).toEqual({ kind: 'returned', value: 2 });
  });

  test('sent to an actor from within its own turn waits until that one is over', async () => {
    const order: string[] = [];
    let inner: Promise<TurnEnd> | undefined;
    const ref: Ref = actor((_, args) => {
      order.push(`${String(args)} starts`);
      if (args === 'outer') inner = post(ref, 'call', 'inner', options).done;
      order.push(`${String(args)} ends`);
    });
    await post(ref, 'call', 'outer', options).done;
    await inner;
    expect(order).toEqual(['outer starts', 'outer ends', 'inner starts', 'inner ends']);
  });
});

describe('the check at the turn', () => {
  test('[P.lastcheck.synchronous] runs in the step of the turn, immediately before it', async () => {
    const order: string[] = [];
    const first = gate();
    const ref = actor(async (_, args) => {
      order.push(`turn ${String(args)}`);
      return args === 1 ? first.opened : undefined;
    });
    const atTurn = (): boolean => {
      order.push('check');
      void Promise.resolve().then(() => order.push('later'));
      return true;
    };
    post(ref, 'call', 1, { context, atTurn });
    const second = post(ref, 'call', 2, { context, atTurn });
    expect(order).toEqual(['check', 'turn 1']);
    first.open();
    await second.done;
    expect(order.slice(0, 5)).toEqual(['check', 'turn 1', 'later', 'check', 'turn 2']);
  });

  test('that says no, or throws, makes no turn and frees the place', async () => {
    const seen: unknown[] = [];
    const ref = actor((_, args) => seen.push(args));
    const no = post(ref, 'call', 1, { context, atTurn: () => false });
    const broken = post(ref, 'call', 2, {
      context,
      atTurn: () => {
        throw new Error('broken');
      },
    });
    const yes = post(ref, 'call', 3, options);
    expect([no.started, broken.started, yes.started]).toEqual([false, false, true]);
    expect(await no.done).toEqual({ kind: 'not-started', why: 'refused' });
    expect(await broken.done).toEqual({ kind: 'not-started', why: 'refused' });
    expect(seen).toEqual([3]);
  });

  test('cannot be overtaken by what it sends itself', async () => {
    const order: unknown[] = [];
    const ref = actor((_, args) => order.push(args), Infinity);
    const atTurn = (): boolean => {
      post(ref, 'call', 'second', options);
      return true;
    };
    post(ref, 'call', 'first', { context, atTurn });
    await settleAll();
    expect(order).toEqual(['first', 'second']);
  });

  test('that stops the actor makes no turn', async () => {
    const seen: unknown[] = [];
    const ref = actor((_, args) => seen.push(args));
    const atTurn = (): boolean => {
      stop(ref);
      return true;
    };
    expect(await post(ref, 'call', 1, { context, atTurn }).done).toEqual({
      kind: 'not-started',
      why: 'stopped',
    });
    expect(seen).toEqual([]);
  });
});

describe('a stopped actor', () => {
  test('drops waiting turns, refuses later ones and lets running ones finish', async () => {
    const first = gate();
    const ref = actor(async () => first.opened);
    const [running, waiting] = [post(ref, 'call', 1, options), post(ref, 'call', 2, options)];
    stop(ref);
    stop(ref);
    const later = post(ref, 'call', 3, options);
    expect(await waiting.done).toEqual({ kind: 'not-started', why: 'stopped' });
    expect(await later.done).toEqual({ kind: 'not-started', why: 'stopped' });
    first.open('done');
    expect(await running.done).toEqual({ kind: 'returned', value: 'done' });
  });
});

test('no exclusion lets everybody run at once', () => {
  const hold = noExclusion.enter({
    session: mintId.session('s'),
    group: 'files',
    call: context.call,
    accesses: [],
    writes: true,
    signal: context.signal,
  });
  expect(hold).not.toBeInstanceOf(Promise);
});
