/** What actors, their authors and their senders could try that nobody means: nothing gets stuck, and nothing reaches further than it was given. */
import { describe, expect, test } from 'vitest';
import { CapError, ToolFailure } from '../ground/index.js';
import {
  ActorError,
  type Ref,
  checked,
  defineActor,
  facet,
  noArguments,
  power,
  reference,
  revocable,
  spawn,
  stopsWithTurns,
  toolRef,
} from './index.js';
import { post, send } from './send.js';

type None = Readonly<Record<string, never>>;
const anything = checked<unknown>(() => undefined);

/** Ends a promise that may never settle. */
async function outcome(promise: Promise<unknown>): Promise<string> {
  const late = new Promise<string>((done) => setTimeout(() => done('stuck'), 500));
  const told = promise.then(
    () => 'returned',
    (error: unknown) => (error instanceof CapError ? error.refusal.code : (error as Error).name),
  );
  return Promise.race([told, late]);
}

/** Things to throw and to return of which nothing can be asked. */
const strange: Readonly<Record<string, () => unknown>> = {
  'an object without a prototype': () => Object.create(null),
  'an object that cannot be made a text': () => ({
    toString: () => {
      throw new Error('no text');
    },
  }),
  'an error whose message is none': () =>
    Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('no message');
      },
    }),
  'an error whose message is a symbol': () =>
    Object.defineProperty(new Error('x'), 'message', { value: Symbol('s') }),
  'a proxy that throws at everything': () =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
        has: () => {
          throw new Error('trap');
        },
        getPrototypeOf: () => {
          throw new Error('trap');
        },
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    ),
  'a symbol': () => Symbol('s'),
  undefined: () => undefined,
};

describe('an actor whose method', () => {
  test.each(Object.entries(strange))('throws %s fails that turn and takes the next', async (_, make) => {
    const actor = defineActor({}, ({ read }) => ({
      fail: read(noArguments, () => {
        throw make();
      }),
      failLater: read(noArguments, async () => {
        await Promise.resolve();
        throw make();
      }),
      work: read(noArguments, () => 'works'),
    }));
    const ref = spawn(actor, {});
    expect(await outcome(send(ref, 'fail', {}))).toBe('ActorError');
    expect(await outcome(send(ref, 'failLater', {}))).toBe('ActorError');
    expect(await send(ref, 'work', {})).toBe('works');
  });

  test.each(Object.entries(strange).filter(([name]) => name !== 'undefined'))(
    'returns %s ends that turn and takes the next',
    async (_, make) => {
      const actor = defineActor({}, ({ read }) => ({
        give: read(noArguments, () => make()),
        giveLater: read(noArguments, async () => {
          await Promise.resolve();
          return make();
        }),
        work: read(noArguments, () => 'works'),
      }));
      const ref = spawn(actor, {});
      expect(await outcome(send(ref, 'give', {}))).not.toBe('stuck');
      expect(await outcome(send(ref, 'giveLater', {}))).not.toBe('stuck');
      expect(await send(ref, 'work', {})).toBe('works');
    },
  );

  test('returns promises that are none, twice kept, or never, ends one turn at a time', async () => {
    const twice = {
      // oxlint-disable-next-line unicorn/no-thenable -- what is tried
      then: (keep: (value: unknown) => void, fail: (error: unknown) => void) => {
        keep(1);
        fail(new Error('again'));
        keep(2);
      },
    };
    const throwing = {
      // oxlint-disable-next-line unicorn/no-thenable -- what is tried
      then: () => {
        throw new Error('no then');
      },
    };
    const own = Object.assign(Promise.resolve(1), {
      // oxlint-disable-next-line unicorn/no-thenable -- what is tried
      then: () => {
        throw new Error('no then');
      },
    });
    const answers: readonly unknown[] = [twice, throwing, own];
    let at = 0;
    const actor = defineActor({ state: 0 }, ({ read }) => ({ give: read(noArguments, () => answers[at++]) }));
    const ref = spawn(actor, {});
    expect(await outcome(send(ref, 'give', {}))).toBe('returned');
    expect(await outcome(send(ref, 'give', {}))).toBe('ActorError');
    expect(await outcome(send(ref, 'give', {}))).not.toBe('stuck');
    expect(await outcome(send(ref, 'give', {}))).toBe('returned');
  });

  test('throws what a model may read says it to whoever sent, through every actor in between', async () => {
    const last = defineActor({}, ({ read }) => ({
      go: read(noArguments, () => {
        throw new ToolFailure(`x${'y'.repeat(400)}`);
      }),
    }));
    const first = defineActor(
      { powers: { last: reference<{ go: (args: None) => never }>() } },
      ({ read }) => ({
        go: read(noArguments, (_, turn) => turn.call(turn.powers.last, 'go', {})),
      }),
    );
    const error: unknown = await send(spawn(first, { last: spawn(last, {}) }), 'go', {}).catch(
      (why: unknown) => why,
    );
    expect(error).toBeInstanceOf(ToolFailure);
    expect((error as Error).message).toHaveLength(200);
  });
});

describe('a message', () => {
  test('that holds itself, one thing in many ways, or no end of nothing, is refused at once', async () => {
    const actor = defineActor({}, ({ read }) => ({
      take: read(anything, () => 'taken'),
      give: read(anything, () => wide(40)),
    }));
    const ref = spawn(actor, {});
    const round: Record<string, unknown> = {};
    round['x'] = round;
    round['y'] = round;
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    const growing: unknown = new Proxy([], {
      get: (target, key): unknown => (key === 'length' ? Number.NaN : Reflect.get(target, key)),
    });
    for (const args of [round, wide(40), sparse, growing])
      expect(() => void send(ref, 'take', args)).toThrow(TypeError);
    expect(await outcome(send(ref, 'give', {}))).toBe('ActorError');
    expect(await send(ref, 'take', wide(10))).toBe('taken');
  });
});

/** So many levels, each of which holds the next one twice. */
function wide(levels: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level += 1) value = { a: value, b: value };
  return value;
}

describe('a turn', () => {
  test('that comes to its end after its deadline is late, though no alarm has rung', async () => {
    let now = 0;
    const actor = defineActor({ state: 0, deadlineMs: 10 }, ({ read, write }) => ({
      slow: write(noArguments, (_, turn) => {
        turn.become(1);
        now += 11;
        return 'done';
      }),
      slower: write(noArguments, async (_, turn) => {
        turn.become(1);
        await Promise.resolve();
        now += 11;
        return 'done';
      }),
      value: read(noArguments, (_, turn) => turn.state),
    }));
    const silent = { after: () => () => undefined };
    const ref = spawn(actor, {}, { clock: { monotonic: () => now }, alarm: silent });
    expect(await outcome(send(ref, 'slow', {}))).toBe('outcome_unknown');
    expect(await outcome(send(ref, 'slower', {}))).toBe('outcome_unknown');
    expect(await send(ref, 'value', {})).toBe(0);
  });

  test('leads to nothing of the vat: neither to its class nor to the mailboxes of others', async () => {
    const secret = defineActor({ state: 'secret' }, ({ read }) => ({
      open: read(noArguments, () => 'open'),
      closed: read(noArguments, (_, turn) => turn.state),
    }));
    const seen: unknown[] = [];
    const spy = defineActor(
      { powers: { other: reference<{ open: (args: None) => string }>() } },
      ({ read }) => ({
        look: read(noArguments, async (_, turn) => {
          const calling = turn.call(turn.powers.other, 'open', {});
          for (let at: object | null = turn; at !== null; at = Object.getPrototypeOf(at) as object | null) {
            const maker: unknown = Reflect.get(at, 'constructor');
            seen.push(...Object.getOwnPropertyNames(maker));
            seen.push(...Reflect.ownKeys(at).filter((key) => typeof key === 'symbol'));
          }
          return calling;
        }),
      }),
    );
    const other: Ref<{ open: (args: None) => string }> = facet(spawn(secret, {}), 'open');
    expect(await send(spawn(spy, { other }), 'look', {})).toBe('open');
    expect(seen.filter((name) => ['commit', 'drop', 'waitingTurn'].includes(String(name)))).toEqual([]);
  });

  test('that is over takes no power along, however the power is made', async () => {
    const uses: string[] = [];
    const tool = { use: (what: string) => void uses.push(what), name: 'tool' };
    const following = stopsWithTurns(
      { use: (what: string) => void uses.push(what), name: 'tool' },
      (turn) => ({
        use: (what: string) => {
          turn.guard();
          uses.push(`${what} in a turn`);
        },
        name: 'tool',
      }),
    );
    const kept: ((what: string) => void)[] = [];
    const actor = defineActor(
      { powers: { tool: power<typeof tool>({ use: 'method', name: 'value' }) } },
      ({ read }) => ({
        use: read(anything, (_, turn) => {
          const { use } = turn.powers.tool;
          use('now');
          kept.push(use);
          return turn.powers.tool.name;
        }),
        again: read(anything, (_, turn) => {
          const child = spawn(inner, { tool: turn.powers.tool });
          return turn.call(child, 'use', {});
        }),
      }),
    );
    const inner = defineActor(
      { powers: { tool: power<Pick<typeof tool, 'use'>>({ use: 'method' }) } },
      ({ read }) => ({ use: read(noArguments, (_, turn) => turn.powers.tool.use('inside')) }),
    );
    expect(() => stopsWithTurns(following, () => tool)).toThrow('in its own way');
    for (const each of [tool, following]) {
      const ref = spawn(actor, { tool: each });
      expect(await send(ref, 'use', {})).toBe('tool');
      await send(ref, 'again', {});
    }
    for (const use of kept) expect(() => use('late')).toThrow(CapError);
    expect(uses).toEqual(['now', 'inside', 'now in a turn', 'inside in a turn']);
  });

  test('aborts what its powers wait for when it is over, late or revoked', async () => {
    const why: string[] = [];
    const waiting = stopsWithTurns({ wait: async (): Promise<void> => undefined }, (turn) => ({
      wait: () =>
        new Promise<void>((_, fail) => {
          turn.signal.addEventListener('abort', () => {
            const reason: unknown = turn.signal.reason;
            why.push(reason instanceof CapError ? reason.refusal.code : 'other');
            fail(reason instanceof Error ? reason : new Error('none'));
          });
        }),
    }));
    const actor = defineActor(
      {
        powers: { w: power<{ wait: () => Promise<void> }>({ wait: 'method' }) },
        deadlineMs: 30,
        parallel: 4,
      },
      ({ read }) => ({
        wait: read(noArguments, (_, turn) => turn.powers.w.wait()),
        leave: read(noArguments, (_, turn) => {
          turn.powers.w.wait().catch(() => undefined);
          return 'left';
        }),
      }),
    );
    const ref = spawn(actor, { w: waiting });
    expect(await send(ref, 'leave', {})).toBe('left');
    const mine = revocable(ref);
    const revokedOne = outcome(send(mine.ref, 'wait', {}));
    mine.revoke();
    expect(await revokedOne).toBe('no_such_cap');
    expect(await outcome(send(ref, 'wait', {}))).toBe('outcome_unknown');
    expect(why).toEqual(['no_such_cap', 'no_such_cap', 'outcome_unknown']);
  });
});

describe('references', () => {
  test('of one method, made of a narrowed reference, have that method if it has it', async () => {
    const actor = defineActor({}, ({ read }) => ({
      open: read(noArguments, () => 'open'),
      closed: read(noArguments, () => 'closed'),
    }));
    const narrow = facet(spawn(actor, {}), 'open');
    const context = { signal: new AbortController().signal, call: 'c_1' as never };
    const ask = async (ref: Ref, method: string): Promise<string> => {
      const end = await post(ref, method, { args: {} }, { context, atTurn: () => true }).done;
      return end.kind === 'returned' ? String(end.value) : end.kind;
    };
    expect(await ask(toolRef(narrow, 'open'), 'call')).toBe('open');
    // @ts-expect-error -- not among its methods
    expect(await ask(toolRef(narrow, 'closed'), 'call')).toBe('not-started');
    expect(await ask(toolRef(narrow, 'open'), 'open')).toBe('not-started');
  });

  test('promised in a long chain are kept, and break, without end of the stack', async () => {
    interface Chain {
      readonly next: (args: None) => Ref<Chain>;
    }
    const heard: number[] = [];
    const link = defineActor({}, ({ read }) => ({
      next: read(noArguments, (_, turn) => {
        heard.push(1);
        return turn.self;
      }),
    }));
    const broken: unknown[] = [];
    const long = defineActor({ powers: { link: reference<Chain>() } }, ({ read }) => ({
      go: read(anything, (sent, turn) => {
        let at: Ref<Chain> = turn.powers.link;
        for (let step = 0; step < 20_000; step += 1) at = turn.send(at, 'next', {});
        if (sent === 'fail') throw new Error('failed');
        return 'sent';
      }),
    }));
    const ref = spawn(long, { link: spawn(link, {}) }, { failed: (_, error) => void broken.push(error) });
    expect(await outcome(send(ref, 'go', 'fail'))).toBe('ActorError');
    expect(await outcome(send(ref, 'go', 'fine'))).toBe('returned');
    for (let wait = 0; wait < 200 && heard.length < 20_000; wait += 1)
      await new Promise((later) => setTimeout(later, 5));
    expect([heard.length, broken]).toEqual([20_000, []]);
    expect(new ActorError('m', 'x')).toBeInstanceOf(Error);
  });
});
