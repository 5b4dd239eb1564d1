import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type Ref,
  checked,
  defineActor,
  noArguments,
  pipeline,
  reference,
  revocable,
  spawn,
} from './index.js';
import { send } from './send.js';

const text = checked<{ readonly text: string }>(() => undefined);
const file = defineActor({ state: [] as readonly string[] }, ({ read, write }) => ({
  append: write(text, (args, turn) => turn.become([...turn.state, args.text])),
  lines: read(noArguments, (_, turn) => turn.state),
  fail: read(noArguments, () => {
    throw new Error('unreadable');
  }),
}));

function gate<T = void>(): {
  readonly opened: Promise<T>;
  readonly open: (value: T) => void;
  readonly fail: (error: unknown) => void;
} {
  const inside: { open?: (value: T) => void; fail?: (error: unknown) => void } = {};
  const opened = new Promise<T>((resolve, reject) => {
    inside.open = resolve;
    inside.fail = reject;
  });
  return { opened, open: inside.open!, fail: inside.fail! };
}

/** An actor that opens files once the gate is open. */
function folder(open: { readonly opened: Promise<unknown> }) {
  const one = spawn(file, {});
  const definition = defineActor({}, ({ read }) => ({
    open: read(noArguments, async () => {
      await open.opened;
      return one;
    }),
    name: read(noArguments, () => 'a name'),
  }));
  return { ref: spawn(definition, {}), one };
}

describe('a promised reference', () => {
  test('[S001.pipelining] takes messages before it is there, and they arrive in order', async () => {
    const open = gate();
    const { ref, one } = folder(open);
    const promised = send(ref, 'open', {});
    const first = send(promised, 'append', { text: 'first' });
    const second = send(pipeline(promised), 'append', { text: 'second' });
    const seen = send(promised, 'lines', {});
    expectTypeOf(seen).resolves.toEqualTypeOf<readonly string[]>();
    open.open();
    expect(await seen).toEqual(['first', 'second']);
    await Promise.all([first, second]);
    expect(await send(one, 'lines', {})).toEqual(['first', 'second']);
  });

  test('[S001.pipelining] is overtaken by nothing that is sent to what it became, whoever looked first', async () => {
    const open = gate();
    const { ref } = folder(open);
    const promised = send(ref, 'open', {});
    const later = promised.then(async (there) => send(there, 'append', { text: 'later' }));
    const sooner = send(promised, 'append', { text: 'sooner' });
    open.open();
    await Promise.all([later, sooner]);
    expect(await send(promised, 'lines', {})).toEqual(['sooner', 'later']);
  });

  test('[S001.pipelining] that is broken breaks what was sent to it, and what was sent to that', async () => {
    const open = gate();
    const { ref } = folder(open);
    const promised = send(ref, 'open', {});
    const one = send(promised, 'append', { text: 'x' });
    const two = send(promised, 'lines', {});
    open.fail(new Error('the disk is gone'));
    for (const each of [promised, one, two]) await expect(each).rejects.toThrow('the disk is gone');
    await expect(send(promised, 'lines', {})).rejects.toThrow('the disk is gone');
  });

  test('[S001.pipelining] that turns out to be none breaks too', async () => {
    const { ref } = folder(gate());
    const name = send(ref, 'name', {}) as unknown as Promise<Ref<{ lines(args: object): void }>>;
    await expect(send(name, 'lines', {})).rejects.toThrow('What was to be a reference is none');
  });

  test('[S001.pipelining] that leads back to itself breaks', async () => {
    const loop = gate<Ref<{ lines(args: object): void }>>();
    const ref = pipeline(loop.opened);
    const sent = send(ref, 'lines', {});
    loop.open(ref);
    await expect(sent).rejects.toThrow('What was to be a reference is none');
  });

  test('ends with its caretaker, also what waits for it', async () => {
    const open = gate();
    const { ref } = folder(open);
    const care = revocable(pipeline(send(ref, 'open', {})));
    const waiting = send(care.ref, 'lines', {});
    care.revoke();
    open.open();
    await expect(waiting).rejects.toThrow('authorises nothing any more');
  });

  test('[S001.pipelining] is what a turn gets for what it sends, to send more to it and to give it away', async () => {
    const open = gate();
    const { ref, one } = folder(open);
    type Folder = { open(args: Readonly<Record<string, never>>): Ref<File> };
    type File = { append(args: { readonly text: string }): void };
    const user = defineActor({ powers: { folder: reference<Folder>() } }, ({ write }) => ({
      go: write(noArguments, (_, turn) => {
        const promised = turn.send(turn.powers.folder, 'open', {});
        turn.send(promised, 'append', { text: 'from the turn' });
        return promised;
      }),
    }));
    const given = send(spawn(user, { folder: ref }), 'go', {});
    const mine = send(given, 'append', { text: 'from outside' });
    open.open();
    await mine;
    expect(await send(one, 'lines', {})).toEqual(['from the turn', 'from outside']);
  });

  test('[S001.pipelining] of a turn that failed breaks', async () => {
    const open = gate();
    open.open();
    const { ref } = folder(open);
    type Lines = { lines(args: Readonly<Record<string, never>>): unknown };
    type Opener = { open(args: Readonly<Record<string, never>>): Ref<Lines> };
    let kept: Ref<Lines> | undefined;
    const user = defineActor({ powers: { folder: reference<Opener>() } }, ({ write }) => ({
      go: write(noArguments, (_, turn) => {
        kept = turn.send(turn.powers.folder, 'open', {});
        throw new Error('changed my mind');
      }),
    }));
    await expect(send(spawn(user, { folder: ref }), 'go', {})).rejects.toThrow('changed my mind');
    await expect(send(kept!, 'lines', {})).rejects.toThrow('changed my mind');
  });
});

describe('order', () => {
  /** A sender's step: through which of its references to send next. */
  const step = fc.record({ by: fc.constantFrom('direct', 'caretaker', 'promise'), wait: fc.boolean() });

  test('[S001.fifo-per-sender] is kept for each sender, by whatever reference, in every interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        async (scheduler, senders) => {
          const seen: { readonly sender: number; readonly at: number }[] = [];
          const definition = defineActor({}, ({ write }) => ({
            take: write(
              checked<{ readonly sender: number; readonly at: number }>(() => undefined),
              async (args) => {
                seen.push(args);
                await scheduler.schedule(Promise.resolve(), `turn of ${args.sender}/${args.at}`);
              },
            ),
          }));
          const ref = spawn(definition, {});
          const opener = spawn(
            defineActor({}, ({ read }) => ({
              open: read(noArguments, async () => {
                await scheduler.schedule(Promise.resolve(), 'the promise');
                return ref;
              }),
            })),
            {},
          );
          const work = senders.map(async (steps, sender) => {
            const promise = send(opener, 'open', {});
            const promised = pipeline(promise);
            const all: Promise<unknown>[] = [];
            let known = false;
            void promise.then(() => {
              known = true;
            });
            for (const [at, { by, wait }] of steps.entries()) {
              // Directly only once the promise is kept: before, the two are different references.
              const to = by === 'promise' || !known ? promised : by === 'direct' ? ref : revocable(ref).ref;
              all.push(send(to, 'take', { sender, at }));
              if (wait) await scheduler.schedule(Promise.resolve(), `sender ${sender}`);
            }
            await Promise.all(all);
          });
          await scheduler.waitFor(Promise.all(work));
          for (const [sender, steps] of senders.entries()) {
            const order = seen.filter((one) => one.sender === sender).map(({ at }) => at);
            expect(order).toEqual(steps.map((_, at) => at));
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
