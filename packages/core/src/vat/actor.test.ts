import { describe, expect, test } from 'vitest';
import { CapError, UsageError } from '../ground/index.js';
import {
  ActorError,
  type Ref,
  type WriteTurn,
  checked,
  defineActor,
  isRef,
  lacking,
  noArguments,
  power,
  reference,
  spawn,
  stop,
} from './index.js';
import { send } from './send.js';

interface Fs {
  readonly read: (path: string) => Promise<string>;
  readonly root: string;
}
const fsPower = power<Fs>({ read: 'method', root: 'value' });
const fs: Fs = { read: async (path) => Promise.resolve(`text of ${path}`), root: '/data' };

const amount = checked<{ readonly by: number }>((sent) =>
  typeof sent === 'object' && sent !== null && 'by' in sent && typeof sent.by === 'number'
    ? undefined
    : 'by must be a number',
);
const anything = checked<{ readonly [name: string]: unknown }>(() => undefined);

const counter = defineActor({ state: 0 }, ({ read, write }) => ({
  add: write(amount, ({ by }, turn) => {
    turn.become(turn.state + by);
    return turn.state;
  }),
  addAndFail: write(amount, ({ by }, turn) => {
    turn.become(turn.state + by);
    throw new Error('no luck');
  }),
  value: read(noArguments, (_, turn) => turn.state),
}));

/** Something to wait for. */
function gate<T = void>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open: (value) => open(value) };
}

/** A clock and an alarm under the test's hand. */
class Hand {
  now = 0;
  #bells: { at: number; ring: () => void }[] = [];
  readonly clock = { monotonic: (): number => this.now };
  readonly alarm = {
    after: (milliseconds: number, ring: () => void): (() => void) => {
      const bell = { at: this.now + milliseconds, ring };
      this.#bells.push(bell);
      return () => void (this.#bells = this.#bells.filter((other) => other !== bell));
    },
  };

  /** Lets time pass, and rings what is due. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    const due = this.#bells.filter(({ at }) => at <= this.now);
    this.#bells = this.#bells.filter(({ at }) => at > this.now);
    for (const { ring } of due) ring();
  }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'returned';
  } catch (error) {
    if (error instanceof CapError) return error.refusal.code;
    return error instanceof Error ? error.name : 'thrown';
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}

describe('an actor', () => {
  test('[S001.turn-commits] keeps what it became in a turn that succeeded, and forgets it in one that failed', async () => {
    const ref = spawn(counter, {});
    expect(await send(ref, 'add', { by: 2 })).toBe(0);
    await expect(send(ref, 'addAndFail', { by: 40 })).rejects.toThrow('addAndFail failed: no luck');
    expect(await send(ref, 'value', {})).toBe(2);
  });

  test('[S001.turn-commits] sees the state as it was when its turn began, whatever it becomes', async () => {
    const twice = defineActor({ state: 1 }, ({ write }) => ({
      go: write(noArguments, async (_, turn) => {
        turn.become(turn.state + 1);
        await Promise.resolve();
        turn.become(turn.state + 10);
        return turn.state;
      }),
    }));
    const ref = spawn(twice, {});
    expect([await send(ref, 'go', {}), await send(ref, 'go', {})]).toEqual([1, 11]);
  });

  test('takes one turn at a time, each as a whole', async () => {
    const running: number[] = [];
    let most = 0;
    const slow = defineActor({ state: 0 }, ({ write }) => ({
      go: write(amount, async ({ by }, turn) => {
        running.push(by);
        most = Math.max(most, running.length);
        await Promise.resolve();
        running.pop();
        turn.become(turn.state + by);
        return turn.state;
      }),
    }));
    const ref = spawn(slow, {});
    const seen = await Promise.all([1, 2, 3].map(async (by) => send(ref, 'go', { by })));
    expect([seen, most]).toEqual([[0, 1, 3], 1]);
  });

  test('without state bears as many turns as it says', async () => {
    const open = gate();
    let running = 0;
    const wide = defineActor({ parallel: 2 }, ({ read }) => ({
      go: read(noArguments, async () => {
        running += 1;
        await open.opened;
      }),
    }));
    const ref = spawn(wide, {});
    const all = [1, 2, 3].map(async () => send(ref, 'go', {}));
    expect(running).toBe(2);
    open.open();
    await Promise.all(all);
    expect(running).toBe(3);
  });

  test('refuses a method that it has not, and names inherited from objects', async () => {
    const ref: Ref = spawn(counter, {});
    const open = ref as Ref<{ nothing(args: object): void; toString(args: object): void }>;
    expect(await codeOf(send(open, 'nothing', {}))).toBe('not_permitted');
    expect(await codeOf(send(open, 'toString', {}))).toBe('not_permitted');
  });

  test('refuses arguments that its schema does not take, before any turn', async () => {
    const ref = spawn(counter, {});
    // @ts-expect-error -- by is a number
    const wrong = send(ref, 'add', { by: 'one' });
    await expect(wrong).rejects.toThrow('add: by must be a number');
    expect(await codeOf(wrong)).toBe('malformed_arguments');
    expect(await send(ref, 'value', {})).toBe(0);
  });

  test('cannot become anything in a method that only reads', async () => {
    const sly = defineActor({ state: 0 }, ({ read }) => ({
      peek: read(noArguments, (_, turn) => {
        (turn as WriteTurn<object, number>).become(7);
      }),
      value: read(noArguments, (_, turn) => turn.state),
    }));
    const ref = spawn(sly, {});
    await expect(send(ref, 'peek', {})).rejects.toThrow('only reads');
    expect(await send(ref, 'value', {})).toBe(0);
  });

  test('ends when it is stopped by its first reference, and by no other', async () => {
    const self = defineActor({ state: 0 }, ({ read }) => ({ me: read(noArguments, (_, turn) => turn.self) }));
    const ref = spawn(self, {});
    const me = await send(ref, 'me', {});
    stop(me);
    expect(isRef(await send(ref, 'me', {}))).toBe(true);
    stop(ref);
    expect(await codeOf(send(ref, 'me', {}))).toBe('no_such_cap');
  });

  test('gives away nothing of an error but its text', async () => {
    const secret = Object.assign(new Error('broken'), { key: 'a secret' });
    const bad = defineActor({}, ({ read }) => ({
      go: read(noArguments, () => {
        throw secret;
      }),
    }));
    const error = await send(spawn(bad, {}), 'go', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ActorError);
    expect(JSON.stringify(error)).not.toContain('a secret');
    expect((error as Error).cause).toBeUndefined();
  });

  test.each([
    ['several turns with a state', { parallel: 2, state: 0 }],
    ['no turns', { parallel: 0 }],
    ['a deadline of nothing', { deadlineMs: 0 }],
  ])('is not defined with %s', (_, init) => {
    const define = defineActor as (init: object, methods: () => object) => unknown;
    expect(() => define(init, () => ({ go: {} }))).toThrow(UsageError);
  });
});

describe('messages', () => {
  test('[S001.isolated-messages] are copies: neither side sees what the other does to them later', async () => {
    const keeper = defineActor({ state: { list: [] as readonly unknown[] } }, ({ read, write }) => ({
      put: write(anything, (args, turn) => turn.become({ list: [...turn.state.list, args['it']] })),
      all: read(noArguments, (_, turn) => turn.state.list),
    }));
    const ref = spawn(keeper, {});
    const mine = { deep: [1] };
    await send(ref, 'put', { it: mine });
    mine.deep.push(2);
    const all = await send(ref, 'all', {});
    expect(all).toEqual([{ deep: [1] }]);
    expect(() => {
      (all as unknown[]).push(3);
    }).toThrow(TypeError);
    expect(Object.isFrozen(all[0])).toBe(true);
  });

  test.each([
    ['a function', { it: () => 1 }],
    ['an object of a class', { it: new Map() }],
    ['a symbol', { it: [Symbol('s')] }],
    ['a promise', { it: Promise.resolve() }],
    ['a buffer', { it: new Uint8Array(2) }],
    ['a member that would be a prototype', JSON.parse('{"it":{"__proto__":{"x":1}}}') as object],
  ])('[S001.isolated-messages] never hold %s', (_, args) => {
    const ref = spawn(
      defineActor({}, ({ read }) => ({ go: read(anything, () => 1) })),
      {},
    );
    expect(() => void send(ref, 'go', args as never)).toThrow(TypeError);
  });

  test('[S001.isolated-messages] hold nothing that is its own part, and no endless nesting', () => {
    const ref = spawn(
      defineActor({}, ({ read }) => ({ go: read(anything, () => 1) })),
      {},
    );
    const knot: { it?: unknown } = {};
    knot.it = knot;
    expect(() => void send(ref, 'go', knot as never)).toThrow('nested deeper');
  });

  test('[S001.isolated-messages] bring no result that is no data, and what its turn became is forgotten', async () => {
    const leaky = defineActor({ state: 0 }, ({ read, write }) => ({
      leak: write(noArguments, (_, turn) => {
        turn.become(1);
        return { steal: (): number => 1 };
      }),
      value: read(noArguments, (_, turn) => turn.state),
    }));
    const ref = spawn(leaky, {});
    await expect(send(ref, 'leak', {})).rejects.toThrow('steal is a function');
    expect(await send(ref, 'value', {})).toBe(0);
  });

  test('carry references, as arguments and as results', async () => {
    const shop = defineActor({}, ({ read }) => ({ open: read(noArguments, () => spawn(counter, {})) }));
    const buyer = defineActor({ parallel: 1 }, ({ write }) => ({
      buy: write(
        checked<{ readonly at: Ref<{ add(args: { readonly by: number }): number }> }>(() => undefined),
        async ({ at }, turn) => turn.call(at, 'add', { by: 5 }),
      ),
    }));
    const till = await send(spawn(shop, {}), 'open', {});
    await send(spawn(buyer, {}), 'buy', { at: till });
    expect(await send(till, 'value', {})).toBe(5);
  });
});

describe('what a turn sends', () => {
  const log = defineActor({ state: [] as readonly string[] }, ({ read, write }) => ({
    note: write(
      checked<{ readonly text: string }>(() => undefined),
      ({ text }, turn) => {
        turn.become([...turn.state, text]);
      },
    ),
    lines: read(noArguments, (_, turn) => turn.state),
  }));

  function writer(): {
    readonly lines: () => Promise<readonly string[]>;
    readonly go: (fail: boolean) => Promise<void>;
  } {
    const to = spawn(log, {});
    const definition = defineActor({ powers: { to: reference<ProtocolOfLog>() } }, ({ write }) => ({
      go: write(
        checked<{ readonly fail: boolean }>(() => undefined),
        async ({ fail }, turn) => {
          turn.send(turn.powers.to, 'note', { text: 'first' });
          await Promise.resolve();
          turn.send(turn.powers.to, 'note', { text: 'second' });
          expect(await send(to, 'lines', {})).toEqual([]);
          if (fail) throw new Error('no');
        },
      ),
    }));
    const ref = spawn(definition, { to });
    return { lines: async () => send(to, 'lines', {}), go: async (fail) => send(ref, 'go', { fail }) };
  }
  type ProtocolOfLog = { note(args: { readonly text: string }): void };

  test('[S001.turn-commits] leaves when the turn has succeeded, in the order of sending', async () => {
    const { lines, go } = writer();
    await go(false);
    await settle();
    expect(await lines()).toEqual(['first', 'second']);
  });

  test('[S001.turn-commits] is dropped when the turn fails', async () => {
    const { lines, go } = writer();
    await expect(go(true)).rejects.toThrow('no');
    await settle();
    expect(await lines()).toEqual([]);
  });

  test('and fails later is told to whoever spawned the actor', async () => {
    const told: string[] = [];
    const broken = spawn(
      defineActor({}, ({ write }) => ({
        note: write(anything, () => {
          throw new Error('full');
        }),
      })),
      {},
    );
    const definition = defineActor(
      { powers: { to: reference<{ note(args: object): void }>() } },
      ({ write }) => ({
        go: write(noArguments, (_, turn) => turn.send(turn.powers.to, 'note', {})),
      }),
    );
    const failed = (method: string, error: unknown): void => void told.push(`${method}: ${String(error)}`);
    await send(spawn(definition, { to: broken }, { failed }), 'go', {});
    await settle();
    expect(told).toEqual(['note: ActorError: note failed: full']);
  });
});

describe('powers', () => {
  const reader = defineActor({ powers: { fs: fsPower }, parallel: Infinity }, ({ read }) => ({
    read: read(
      checked<{ readonly path: string }>(() => undefined),
      async ({ path }, turn) => turn.powers.fs.read(`${turn.powers.fs.root}/${path}`),
    ),
    members: read(noArguments, (_, turn) => [Object.keys(turn.powers), Object.keys(turn.powers.fs)]),
  }));

  test('are those that the definition names, with the members that it names', async () => {
    const wide = { fs: { ...fs, remove: () => 'gone' }, net: { fetch: () => 1 } };
    const ref = spawn(reader, wide);
    expect(await send(ref, 'read', { path: 'a' })).toBe('text of /data/a');
    expect(await send(ref, 'members', {})).toEqual([['fs'], ['read', 'root']]);
  });

  test('[S001.missing-power] that are missing make no actor', () => {
    // @ts-expect-error -- fs is missing
    expect(() => spawn(reader, {})).toThrow('fs');
    // @ts-expect-error -- fs.root is missing
    expect(() => spawn(reader, { fs: { read: fs.read } })).toThrow('fs.root');
    // @ts-expect-error -- fs.read is no function
    expect(() => spawn(reader, { fs: { ...fs, read: 'text' } })).toThrow(UsageError);
    const inherited = Object.create({ fs }) as { fs: Fs };
    expect(() => spawn(reader, inherited)).toThrow('fs');
    expect([lacking(reader, {}), lacking(reader, { fs })]).toEqual([['fs'], []]);
  });

  test('are what they were at the spawn, whatever becomes of the object that was given', async () => {
    const given = { fs: { ...fs } };
    const ref = spawn(reader, given);
    given.fs.read = async () => Promise.resolve('another');
    expect(await send(ref, 'read', { path: 'a' })).toBe('text of /data/a');
  });

  test('of a turn that is over throw, and so do its send, call and become', async () => {
    let kept: WriteTurn<{ fs: Fs }, number> | undefined;
    const thief = defineActor({ powers: { fs: fsPower }, state: 0 }, ({ write }) => ({
      go: write(noArguments, (_, turn) => {
        kept = turn;
      }),
    }));
    const ref = spawn(thief, { fs });
    await send(ref, 'go', {});
    const turn = kept!;
    const uses = [
      (): unknown => turn.powers.fs.root,
      (): unknown => turn.powers.fs.read('a'),
      (): unknown => turn.become(1),
      (): unknown => turn.send(ref, 'go', {}),
    ];
    for (const use of uses) expect(use).toThrow(CapError);
    expect(await codeOf(turn.call(ref, 'go', {}))).toBe('no_such_cap');
  });

  test('of a turn may be given to an actor that it spawns, which holds them beyond the turn', async () => {
    const parent = defineActor({ powers: { fs: fsPower } }, ({ read }) => ({
      child: read(noArguments, (_, turn) => spawn(reader, turn.powers)),
    }));
    const child = await send(spawn(parent, { fs }), 'child', {});
    expect(await send(child, 'read', { path: 'b' })).toBe('text of /data/b');
  });

  test('throw once the capability of the call is dead, and its messages start no turn', async () => {
    const capability: { dead?: 'revoked' } = {};
    const open = gate();
    const slow = defineActor({ powers: { fs: fsPower } }, ({ read }) => ({
      go: read(noArguments, async (_, turn) => {
        await open.opened;
        return turn.powers.fs.read('a');
      }),
    }));
    const ref = spawn(slow, { fs });
    const running = send(ref, 'go', {}, { lives: () => capability.dead });
    const queued = send(ref, 'go', {}, { lives: () => capability.dead });
    capability.dead = 'revoked';
    open.open();
    expect([await codeOf(running), await codeOf(queued)]).toEqual(['no_such_cap', 'no_such_cap']);
  });
});

describe('a deadline', () => {
  test('[S001.turn-deadline] ends the turn: everything of it throws, its sends are dropped, and the next one begins', async () => {
    const hand = new Hand();
    const open = gate();
    const seen: string[] = [];
    const slow = defineActor({ powers: { fs: fsPower }, state: 0, deadlineMs: 100 }, ({ write, read }) => ({
      go: write(noArguments, async (_, turn) => {
        turn.become(1);
        const { signal } = turn;
        await open.opened;
        seen.push(`aborted ${signal.aborted}`);
        for (const use of [(): unknown => turn.become(2), (): unknown => turn.powers.fs.root])
          try {
            use();
            seen.push('used');
          } catch (error) {
            seen.push(error instanceof CapError ? error.refusal.code : 'thrown');
          }
      }),
      value: read(noArguments, (_, turn) => turn.state),
    }));
    const ref = spawn(slow, { fs }, hand);
    const late = send(ref, 'go', {});
    const next = send(ref, 'value', {});
    hand.pass(99);
    await settle();
    hand.pass(1);
    expect(await codeOf(late)).toBe('outcome_unknown');
    expect(await next).toBe(0);
    open.open();
    await settle();
    expect(seen).toEqual(['aborted true', 'no_such_cap', 'no_such_cap']);
    expect(await send(ref, 'value', {})).toBe(0);
  });

  test('[S001.turn-deadline] is kept in the turn itself even before the alarm rings', async () => {
    const hand = new Hand();
    const busy = defineActor({ powers: { fs: fsPower }, deadlineMs: 100 }, ({ read }) => ({
      go: read(noArguments, (_, turn) => {
        hand.now += 100;
        return turn.powers.fs.root;
      }),
    }));
    expect(await codeOf(send(spawn(busy, { fs }, hand), 'go', {}))).toBe('no_such_cap');
  });

  test('[S001.turn-deadline] counts for each turn from its own beginning', async () => {
    const hand = new Hand();
    const gates = [gate(), gate()];
    const wide = defineActor({ parallel: 2, deadlineMs: 100 }, ({ read }) => ({
      go: read(amount, async ({ by }) => gates[by]!.opened),
    }));
    const ref = spawn(wide, {}, hand);
    const first = codeOf(send(ref, 'go', { by: 0 }));
    hand.pass(60);
    const second = codeOf(send(ref, 'go', { by: 1 }));
    hand.pass(40);
    expect(await first).toBe('outcome_unknown');
    hand.pass(59);
    gates[1]!.open();
    expect(await second).toBe('returned');
  });
});

describe('a chain of calls', () => {
  const next = reference<Chain>();
  type Chain = { go(args: { readonly way: readonly Ref<Chain>[] }): number };
  const link = defineActor({ powers: { first: next } }, ({ write }) => ({
    go: write(
      checked<{ readonly way: readonly Ref<Chain>[] }>(() => undefined),
      async ({ way: [to, ...way] }, turn): Promise<number> =>
        to === undefined ? 0 : 1 + (await turn.call(to, 'go', { way })),
    ),
  }));
  const end = spawn(
    defineActor({}, ({ read }) => ({ go: read(anything, () => 0) })),
    {},
  );
  const links = (many: number): readonly Ref<Chain>[] =>
    Array.from({ length: many }, () => spawn(link, { first: end }));

  test('goes through actors that are free', async () => {
    const [a, b, c] = links(3);
    expect(await send(a!, 'go', { way: [b!, c!] })).toBe(2);
  });

  test('[S001.no-re-entrance] that comes back to an actor which waits for it is refused, however far around', async () => {
    const [a, b, c] = links(3);
    expect(await codeOf(send(a!, 'go', { way: [a!] }))).toBe('busy');
    expect(await codeOf(send(a!, 'go', { way: [b!, c!, a!] }))).toBe('busy');
    expect(await send(a!, 'go', { way: [b!] })).toBe(1);
  });

  test('[S001.no-re-entrance] that waits for an actor which waits for the chain is refused', async () => {
    const open = gate();
    const [a, b] = links(2);
    const slow = spawn(
      defineActor({}, ({ write }) => ({
        go: write(
          checked<{ readonly way: readonly Ref<Chain>[] }>(() => undefined),
          async ({ way }, turn) => {
            await open.opened;
            return turn.call(way[0]!, 'go', { way: way.slice(1) });
          },
        ),
      })),
      {},
    );
    const one = send(a!, 'go', { way: [slow, b!] });
    const other = send(b!, 'go', { way: [a!] });
    await settle();
    open.open();
    expect([await codeOf(one), await codeOf(other)]).toEqual(['busy', 'returned']);
  });

  test('comes back to an actor that still has a place', async () => {
    const wide = defineActor({ parallel: 2 }, ({ read }) => ({
      go: read(
        checked<{ readonly way: readonly Ref<Chain>[] }>(() => undefined),
        async ({ way: [to, ...way] }, turn): Promise<number> =>
          to === undefined ? 0 : 1 + (await turn.call(to, 'go', { way })),
      ),
    }));
    const ref: Ref<Chain> = spawn(wide, {});
    expect(await send(ref, 'go', { way: [ref] })).toBe(1);
    expect(await codeOf(send(ref, 'go', { way: [ref, ref] }))).toBe('busy');
  });

  test('waits for an actor that is busy with somebody else', async () => {
    const open = gate();
    const slow = spawn(
      defineActor({}, ({ read }) => ({
        go: read(anything, async () => {
          await open.opened;
          return 0;
        }),
      })),
      {},
    );
    const [a] = links(1);
    const before = send(slow, 'go', { way: [] });
    const through = send(a!, 'go', { way: [slow as Ref<Chain>] });
    open.open();
    expect([await before, await through]).toEqual([0, 1]);
  });
});
