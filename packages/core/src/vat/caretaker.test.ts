import { describe, expect, expectTypeOf, test } from 'vitest';
import { CapError, denial } from '../ground/index.js';
import {
  Bundle,
  type Ref,
  checked,
  defineActor,
  facet,
  judged,
  noArguments,
  power,
  revocable,
  spawn,
  stop,
  toolRef,
} from './index.js';
import { post, send } from './send.js';

interface Fs {
  read(path: string): string;
}
const fs: Fs = { read: (path) => `text of ${path}` };
const fsPower = power<Fs>({ read: 'method' });

const text = checked<{ readonly text: string }>((sent) =>
  typeof sent === 'object' && sent !== null && 'text' in sent ? undefined : 'text is missing',
);

const book = defineActor({ state: [] as readonly string[] }, ({ read, write }) => ({
  note: write(text, (args, turn) => turn.become([...turn.state, args.text])),
  lines: read(noArguments, (_, turn) => turn.state),
}));

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'returned';
  } catch (error) {
    return error instanceof CapError ? error.refusal.code : String(error);
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}

/** An actor each of whose turns waits for the gate and then uses its power. */
function slowReader(open: { readonly opened: Promise<void> }, parallel = 1) {
  const seen: string[] = [];
  const definition = defineActor({ powers: { fs: fsPower }, parallel }, ({ read }) => ({
    read: read(text, async (args, turn) => {
      seen.push(args.text);
      await open.opened;
      return turn.powers.fs.read(args.text);
    }),
  }));
  return { ref: spawn(definition, { fs }), seen };
}

describe('a caretaker', () => {
  test('[S001.caretaker] passes everything on until it is revoked, and nothing afterwards', async () => {
    const ref = spawn(book, {});
    const care = revocable(ref);
    await send(care.ref, 'note', { text: 'one' });
    care.revoke();
    care.revoke();
    expect(await codeOf(send(care.ref, 'note', { text: 'two' }))).toBe('no_such_cap');
    await send(ref, 'note', { text: 'three' });
    expect(await send(ref, 'lines', {})).toEqual(['one', 'three']);
  });

  test('[S001.caretaker] lets no queued message start a turn once revoke has returned', async () => {
    const open = gate();
    const { ref, seen } = slowReader(open);
    const care = revocable(ref);
    const [running, queued] = [send(care.ref, 'read', { text: 'a' }), send(care.ref, 'read', { text: 'b' })];
    const other = send(ref, 'read', { text: 'c' });
    care.revoke();
    open.open();
    expect([await codeOf(running), await codeOf(queued), await other]).toEqual([
      'no_such_cap',
      'no_such_cap',
      'text of c',
    ]);
    expect(seen).toEqual(['a', 'c']);
  });

  test('[S001.caretaker] takes with it what was made from it, and leaves what it was made from', async () => {
    const ref = spawn(book, {});
    const outer = revocable(ref);
    const inner = revocable(facet(outer.ref, 'note'));
    const sibling = revocable(ref);
    inner.revoke();
    expect(await codeOf(send(outer.ref, 'note', { text: 'x' }))).toBe('returned');
    const derived = facet(outer.ref, 'lines');
    outer.revoke();
    expect(await codeOf(send(derived, 'lines', {}))).toBe('no_such_cap');
    expect(await codeOf(send(sibling.ref, 'lines', {}))).toBe('returned');
  });

  test('[S001.caretaker] ends the authority of all that its turns sent and called', async () => {
    const open = gate();
    const { ref: reader, seen } = slowReader(open, Infinity);
    const started = gate();
    const front = defineActor({}, ({ read }) => ({
      call: read(text, async (args, turn) => {
        started.open();
        return turn.call(reader, 'read', args);
      }),
      send: read(text, (args, turn) => turn.send(reader, 'read', args)),
    }));
    const failures: string[] = [];
    const failed = (_: string, error: unknown): void =>
      void failures.push(error instanceof CapError ? error.refusal.code : 'other');
    const care = revocable(spawn(front, {}, { failed }));
    const called = send(care.ref, 'call', { text: 'called' });
    await started.opened;
    care.revoke();
    open.open();
    expect(await codeOf(called)).toBe('no_such_cap');

    const second = revocable(spawn(front, {}, { failed }));
    const sent = send(second.ref, 'send', { text: 'sent' });
    second.revoke();
    await sent;
    await settle();
    expect(seen).toEqual(['called']);
    expect(failures).toEqual(['no_such_cap']);
  });

  test('aborts the signal of a turn that came through it', async () => {
    const seen: boolean[] = [];
    const open = gate();
    const watcher = defineActor({}, ({ read }) => ({
      go: read(noArguments, async (_, turn) => {
        const { signal } = turn;
        seen.push(signal.aborted);
        await open.opened;
        seen.push(signal.aborted);
      }),
    }));
    const care = revocable(spawn(watcher, {}));
    const going = send(care.ref, 'go', {});
    care.revoke();
    open.open();
    await going;
    expect(seen).toEqual([false, true]);
  });

  test('[S001.caretaker] accepts no call after revoke under load, whatever waits where', async () => {
    let accepted = 0;
    let revoked = false;
    const after: number[] = [];
    const busy = defineActor({ parallel: 4 }, ({ read }) => ({
      go: read(
        checked<{ readonly n: number }>(() => undefined),
        async ({ n }) => {
          if (revoked) after.push(n);
          accepted += 1;
          await new Promise((resolve) => setImmediate(resolve));
        },
      ),
    }));
    const care = revocable(revocable(spawn(busy, {})).ref);
    const all = Array.from({ length: 500 }, async (_, n) => codeOf(send(care.ref, 'go', { n })));
    await new Promise((resolve) => setImmediate(resolve));
    care.revoke();
    revoked = true;
    all.push(...Array.from({ length: 50 }, async (_, n) => codeOf(send(care.ref, 'go', { n }))));
    const ends = await Promise.all(all);
    expect(after).toEqual([]);
    expect(accepted).toBeGreaterThan(0);
    expect(ends.filter((end) => end === 'no_such_cap')).toHaveLength(550 - accepted);
  });

  test('of a reference that was not made here leads nowhere', async () => {
    const forged = Object.freeze({}) as Ref<{ go(args: object): void }>;
    expect(await codeOf(send(revocable(forged).ref, 'go', {}))).toBe('no_such_cap');
  });
});

describe('a facet', () => {
  test('[S001.facet] has the methods that it names, in types and at run time', async () => {
    const reader = facet(spawn(book, {}), 'lines');
    expectTypeOf(reader).toEqualTypeOf<Ref<Pick<BookProtocol, 'lines'>>>();
    expect(await send(reader, 'lines', {})).toEqual([]);
    // @ts-expect-error -- note was narrowed away
    expect(await codeOf(send(reader, 'note', { text: 'x' }))).toBe('not_permitted');
  });
  type BookProtocol = {
    readonly note: (args: { readonly text: string }) => void;
    readonly lines: (args: Readonly<Record<string, never>> | undefined) => readonly string[];
  };

  test('[S001.facet] of a facet has what both name', async () => {
    const wide = facet(spawn(book, {}), 'lines', 'note');
    const narrow = facet(wide, 'lines') as unknown as typeof wide;
    const wideAgain = facet(narrow, 'lines', 'note');
    expect(await codeOf(send(wideAgain, 'note', { text: 'x' }))).toBe('not_permitted');
    expect(await codeOf(send(wideAgain, 'lines', {}))).toBe('returned');
  });

  test('cannot stop its actor', async () => {
    const ref = spawn(book, {});
    stop(facet(ref, 'lines'));
    stop(revocable(ref).ref);
    expect(await send(ref, 'lines', {})).toEqual([]);
  });
});

describe('a judged reference', () => {
  test('lets a judge decide in the step of the turn, on what the actor has accepted', async () => {
    let closed = false;
    const open = gate();
    const { ref, seen } = slowReader(open);
    const no = denial({ code: 'denied', layer: 'policy', message: 'closed' });
    const asked: unknown[] = [];
    const guarded = judged(ref, (method, args) => {
      asked.push([method, args]);
      return closed ? no : undefined;
    });
    const [first, second] = [send(guarded, 'read', { text: 'a' }), send(guarded, 'read', { text: 'b' })];
    closed = true;
    open.open();
    expect([await first, await codeOf(second)]).toEqual(['text of a', 'denied']);
    expect(seen).toEqual(['a']);
    expect(asked).toEqual([
      ['read', { text: 'a' }],
      ['read', { text: 'b' }],
    ]);
  });

  test('refuses when its judge throws', async () => {
    const guarded = judged(spawn(book, {}), () => {
      throw new Error('broken');
    });
    expect(await codeOf(send(guarded, 'lines', {}))).toBe('not_permitted');
  });
});

describe('a reference to one method', () => {
  test('takes what the mediation point sends and nothing else', async () => {
    const ref = spawn(book, {});
    const tool = toolRef(ref, 'note');
    const context = { signal: new AbortController().signal, call: 'c' as never };
    const turn = post(
      tool,
      'call',
      { args: { text: 'by call' }, executor: 'a' },
      { context, atTurn: () => true },
    );
    expect((await turn.done).kind).toBe('returned');
    const wrong = post(tool, 'note', { args: { text: 'x' } }, { context, atTurn: () => true });
    expect(await wrong.done).toMatchObject({ kind: 'not-started', refusal: { code: 'not_permitted' } });
    const bad = post(tool, 'call', { args: { txt: 'x' } }, { context, atTurn: () => true });
    expect(await bad.done).toMatchObject({ kind: 'not-started', refusal: { code: 'malformed_arguments' } });
    expect(await send(ref, 'lines', {})).toEqual(['by call']);
  });
});

describe('a bundle', () => {
  const net = { fetch: (): string => 'page' };
  const all = new Bundle({ fs, net, clock: { now: (): number => 0 } });

  test('[S001.bundle] is spawned with what is left in it', () => {
    const reader = defineActor({ powers: { fs: fsPower } }, ({ read }) => ({
      read: read(text, (args, turn) => turn.powers.fs.read(args.text)),
    }));
    expect(() => spawn(reader, all)).not.toThrow();
    // @ts-expect-error -- fs was taken away
    expect(() => spawn(reader, all.minus('fs'))).toThrow('fs');
    expect(() => spawn(reader, all.minus('net').only('fs'))).not.toThrow();
  });

  test('[S001.bundle] without names, or met with another one, holds less and never more', () => {
    expect(Object.keys(all.minus('net').powers)).toEqual(['fs', 'clock']);
    expect(Object.keys(all.only('net', 'fs').powers)).toEqual(['fs', 'net']);
    const other = new Bundle({ fs, net: { fetch: (): string => 'another' }, exec: {} });
    expect(all.intersect(other).powers).toEqual({ fs });
    expect(other.intersect(all).powers).toEqual({ fs });
    expect(all.intersect(new Bundle({})).powers).toEqual({});
    expect(Object.isFrozen(all.powers)).toBe(true);
  });
});
