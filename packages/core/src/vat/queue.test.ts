import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallId, type SessionId, mintId } from '../ground/index.js';
import { Exclusion, type ExclusionRequest, type Hold } from './index.js';

/** Which letters a call touches; capital ones it writes. */
type Touched = string;

/** An alarm under the test's hand. */
class Bells {
  #bells: { readonly at: number; readonly ring: () => void }[] = [];
  now = 0;

  after(milliseconds: number, ring: () => void): () => void {
    const bell = { at: this.now + milliseconds, ring };
    this.#bells.push(bell);
    return () => void (this.#bells = this.#bells.filter((other) => other !== bell));
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    const due = this.#bells.filter(({ at }) => at <= this.now);
    for (const { ring } of due) ring();
  }

  get waiting(): number {
    return this.#bells.length;
  }
}

const writes = (touched: Touched): boolean => touched !== touched.toLowerCase();
const meet = (some: Touched, others: Touched): boolean =>
  Array.from(some.toLowerCase()).some((one) => others.toLowerCase().includes(one));

interface Ask {
  readonly session?: string;
  readonly group?: string;
  readonly parent?: string;
  readonly signal?: AbortSignal;
  readonly lives?: () => boolean;
}

/** A house in which calls run; shows who runs. */
class House {
  readonly bells = new Bells();
  readonly exclusion = new Exclusion<Touched>({ alarm: this.bells, meet });
  readonly holds = new Map<string, Hold>();
  readonly busy: string[] = [];

  /** Undefined where it runs at once. */
  enter(call: string, accesses: Touched, ask: Ask = {}): Promise<void> | undefined {
    const entered = this.exclusion.enter(request(call, accesses, ask));
    if (!(entered instanceof Promise)) {
      this.holds.set(call, entered);
      return undefined;
    }
    return entered.then((hold) => {
      if (hold === 'busy') this.busy.push(call);
      else this.holds.set(call, hold);
    });
  }

  async leave(call: string): Promise<void> {
    this.holds.get(call)!.release();
    this.holds.delete(call);
    await settle();
  }

  get running(): string {
    return [...this.holds.keys()].join('');
  }
}

function request(call: string, accesses: Touched, ask: Ask): ExclusionRequest<Touched> {
  const { session = 's', group = 'g', parent, signal = new AbortController().signal, lives } = ask;
  return {
    session: mintId.session(session) satisfies SessionId,
    group,
    call: mintId.call(call) satisfies CallId,
    accesses,
    writes: writes(accesses),
    signal,
    ...(parent === undefined ? {} : { parent: mintId.call(parent) }),
    ...(lives === undefined ? {} : { lives }),
  };
}

async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
}

describe('exclusion', () => {
  test('[P.exclusion.parallel] lets readers run beside each other, and writers of other things', () => {
    const house = new House();
    for (const [call, touched] of [
      ['1', 'a'],
      ['2', 'a'],
      ['3', 'B'],
      ['4', 'C'],
      ['5', 'ad'],
    ] as const)
      expect(house.enter(call, touched)).toBeUndefined();
    expect(house.running).toBe('12345');
    expect(house.bells.waiting).toBe(0);
  });

  test('[P.exclusion.fifo] lets a writer wait for all earlier readers, and later readers for it', async () => {
    const house = new House();
    void house.enter('1', 'a');
    void house.enter('2', 'a');
    void house.enter('3', 'A');
    void house.enter('4', 'a');
    expect(house.running).toBe('12');
    await house.leave('1');
    expect(house.running).toBe('2');
    await house.leave('2');
    expect(house.running).toBe('3');
    await house.leave('3');
    expect(house.running).toBe('4');
  });

  test('[P.exclusion.fifo] is none between sessions, and none between groups', () => {
    const house = new House();
    void house.enter('1', 'A');
    expect(house.enter('2', 'A', { session: 't' })).toBeUndefined();
    expect(house.enter('3', 'A', { group: 'h' })).toBeUndefined();
  });

  test('lets nobody wait for a call that it does not meet, though both wait for a third', async () => {
    const house = new House();
    void house.enter('1', 'AB');
    void house.enter('2', 'A');
    void house.enter('3', 'B');
    await house.leave('1');
    expect(house.running).toBe('23');
  });

  test('[P.exclusion.busy] lets go whoever has waited for ten seconds, and those behind go on', async () => {
    const house = new House();
    void house.enter('1', 'a');
    void house.enter('2', 'A');
    house.bells.pass(4_000);
    void house.enter('3', 'a');
    house.bells.pass(5_999);
    await settle();
    expect(house.busy).toEqual([]);
    house.bells.pass(1);
    await settle();
    expect([house.busy, house.running]).toEqual([['2'], '13']);
    expect(house.bells.waiting).toBe(0);
  });

  test('lets go whoever is not wanted any more', async () => {
    const house = new House();
    const gone = new AbortController();
    void house.enter('1', 'a');
    void house.enter('2', 'A', { signal: gone.signal });
    void house.enter('3', 'A', { signal: AbortSignal.abort() });
    void house.enter('4', 'a');
    gone.abort();
    await settle();
    expect([house.busy, house.running]).toEqual([['3', '2'], '14']);
  });

  test('lets go whoever waits by what was revoked, when it is told so', async () => {
    const house = new House();
    let lives = true;
    void house.enter('1', 'a', { lives: () => lives });
    void house.enter('2', 'A', { lives: () => lives });
    void house.enter('3', 'a', { lives: () => true });
    lives = false;
    house.exclusion.recheck();
    await settle();
    expect([house.busy, house.running]).toEqual([['2'], '13']);
  });

  test('[P.exclusion.inherits] lets a nested call run beside its callers, and past whoever waits for them', async () => {
    const house = new House();
    void house.enter('1', 'A');
    void house.enter('2', 'A');
    expect(house.enter('3', 'A', { parent: '1' })).toBeUndefined();
    expect(house.enter('4', 'a', { parent: '3' })).toBeUndefined();
    void house.enter('5', 'A', { parent: '3' });
    await settle();
    expect(house.running).toBe('134');
    await house.leave('4');
    expect(house.running).toBe('135');
    for (const call of ['5', '3']) await house.leave(call);
    expect(house.running).toBe('1');
    await house.leave('1');
    expect(house.running).toBe('2');
  });

  test('[P.exclusion.inherits] gives nothing to one whose caller is elsewhere or gone', async () => {
    const house = new House();
    void house.enter('1', 'A');
    void house.enter('2', 'A', { session: 't' });
    void house.enter('3', 'A', { parent: '2' });
    void house.enter('4', 'A', { parent: 'never' });
    await settle();
    expect(house.running).toBe('12');
  });

  test('releases once, however often it is told', async () => {
    const house = new House();
    void house.enter('1', 'A');
    void house.enter('2', 'A');
    void house.enter('3', 'A');
    const first = house.holds.get('1')!;
    await house.leave('1');
    first.release();
    await settle();
    expect(house.running).toBe('2');
  });
});

const touched = fc.constantFrom('a', 'A', 'b', 'B', 'ab', 'aB', 'AB', 'c', 'C');

describe('in every interleaving', () => {
  test('[P.exclusion.fifo] no two that exclude each other run together, each runs, and in the order of coming', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(touched, { maxLength: 8 }), async (scheduler, calls) => {
        const exclusion = new Exclusion<Touched>({ alarm: new Bells(), meet });
        const excluded = (one: Touched, other: Touched): boolean =>
          (writes(one) || writes(other)) && meet(one, other);
        const running = new Set<number>();
        const came: number[] = [];
        const ran: number[] = [];
        const work = calls.map(async (accesses, call) => {
          await scheduler.schedule(Promise.resolve(), `${call} comes`);
          came.push(call);
          const hold = await exclusion.enter(request(String(call), accesses, {}));
          if (hold === 'busy') throw new Error('nobody waits so long');
          for (const other of running) expect(excluded(accesses, calls[other]!)).toBe(false);
          running.add(call);
          ran.push(call);
          await scheduler.schedule(Promise.resolve(), `${call} works`);
          running.delete(call);
          hold.release();
        });
        await scheduler.waitFor(Promise.all(work));
        expect(ran).toHaveLength(calls.length);
        for (const [at, one] of came.entries())
          for (const later of came.slice(at + 1))
            if (excluded(calls[one]!, calls[later]!))
              expect(ran.indexOf(one)).toBeLessThan(ran.indexOf(later));
      }),
      { numRuns: 300 },
    );
  });
});
