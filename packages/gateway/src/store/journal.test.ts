/** What the front promises when the backend refuses, is slow, or heals. */
import { type AuditRecord, type Clock, type Head, type IntentRecord, mintId, sha256 } from '@pawl/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Backend, Entry } from './backend.js';
import { Journal } from './journal.js';
import { StoreError } from './ports.js';

const clock: Clock = { monotonic: () => 0, wall: () => 1 };

/** A backend that the test settles by hand. */
class HandBackend implements Backend {
  readonly batches: (readonly Entry[])[] = [];
  readonly #open: { resolve: (head: Head) => void; reject: (error: Error) => void }[] = [];
  sick = false;
  probes = 0;
  #seq = -1;

  commit(entries: readonly Entry[]): Promise<Head> {
    this.batches.push(entries);
    return new Promise((resolve, reject) => this.#open.push({ resolve, reject }));
  }

  async settle(): Promise<void> {
    const batch = this.batches.at(-1) ?? [];
    this.#seq += batch.length;
    this.#open.shift()?.resolve({ seq: this.#seq, hash: sha256('') });
    await turn();
  }

  async refuse(): Promise<void> {
    this.#open.shift()?.reject(new StoreError('refused', 'disk full'));
    await turn();
  }

  async probe(): Promise<void> {
    this.probes += 1;
    if (this.sick) throw new StoreError('refused', 'disk full');
  }

  records = async (): Promise<never[]> => [];
  row = async (): Promise<undefined> => undefined;
  close = async (): Promise<void> => undefined;
}

async function turn(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

function intent(call: string): IntentRecord {
  return { type: 'intent', verdict: 'permit', level: 'permit', rules: [], call: mintId.call(call) };
}

function settlement(call: string): AuditRecord {
  return { type: 'settlement', call: mintId.call(call), outcome: 'ok', milliseconds: 1 };
}

function setUp(): { backend: HandBackend; journal: Journal } {
  const backend = new HandBackend();
  return { backend, journal: new Journal(backend, { seq: -1, hash: '' }, clock) };
}

function callsOf(batches: readonly (readonly Entry[])[]): unknown {
  return batches.map((batch) => batch.map(({ call }) => call));
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('batches', () => {
  test('what is appended in one turn goes out together, and the next gathers while it is written', async () => {
    const { backend, journal } = setUp();
    journal.append(intent('a'));
    journal.append(intent('b'));
    await turn();
    journal.append(intent('c'));
    journal.append(intent('d'));
    await turn();
    expect(callsOf(backend.batches)).toEqual([['a', 'b']]);
    await backend.settle();
    expect(callsOf(backend.batches)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('a ticket is open until the backend has the batch', async () => {
    const { backend, journal } = setUp();
    let durable = false;
    void journal.append(intent('a')).durable.then(() => (durable = true));
    await turn();
    expect(durable).toBe(false);
    await backend.settle();
    expect(durable).toBe(true);
  });

  test('no batch holds more than 64 records', async () => {
    const { backend, journal } = setUp();
    for (let call = 0; call < 130; call += 1) journal.append(intent(`c${call}`));
    await turn();
    await backend.settle();
    await backend.settle();
    expect(backend.batches.map((batch) => batch.length)).toEqual([64, 64, 2]);
  });

  test('a noted record is written after 20 ms when nothing is appended', async () => {
    const { backend, journal } = setUp();
    journal.note(settlement('a'));
    await vi.advanceTimersByTimeAsync(19);
    expect(backend.batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(callsOf(backend.batches)).toEqual([['a']]);
  });
});

describe('a store that refuses', () => {
  test('[P.audit.unwritable] rejects every ticket of the batch and of what gathered behind it', async () => {
    const { backend, journal } = setUp();
    const first = journal.append(intent('a'));
    await turn();
    const behind = journal.append(intent('b'));
    await backend.refuse();
    await expect(first.durable).rejects.toMatchObject({ code: 'refused' });
    await expect(behind.durable).rejects.toMatchObject({ code: 'refused' });
    expect(journal.healthy()).toBe(false);
    expect(backend.batches.length).toBe(1);
  });

  test('[P.audit.unwritable] rejects at once while it refuses, and heals after a write that works', async () => {
    const { backend, journal } = setUp();
    journal.append(intent('a'));
    await turn();
    backend.sick = true;
    await backend.refuse();
    await expect(journal.append(intent('b')).durable).rejects.toMatchObject({ code: 'refused' });
    await vi.advanceTimersByTimeAsync(200);
    expect(journal.healthy()).toBe(false);
    backend.sick = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(journal.healthy()).toBe(true);
    journal.append(intent('c'));
    await turn();
    expect(callsOf(backend.batches)).toEqual([['a'], ['c']]);
  });

  test('tries again with growing pauses of at most 2 s', async () => {
    const { backend, journal } = setUp();
    backend.sick = true;
    journal.append(intent('a'));
    await turn();
    await backend.refuse();
    const tries: number[] = [];
    for (const milliseconds of [49, 1, 100, 200, 400, 800, 1600, 2000, 2000]) {
      await vi.advanceTimersByTimeAsync(milliseconds);
      tries.push(backend.probes);
    }
    expect(tries).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('writes after healing what was noted before and meanwhile, and nothing that was rejected', async () => {
    const { backend, journal } = setUp();
    journal.note(settlement('x'));
    journal.append(intent('a'));
    await turn();
    backend.sick = true;
    await backend.refuse();
    journal.note(settlement('y'));
    backend.sick = false;
    await vi.advanceTimersByTimeAsync(50);
    expect(callsOf(backend.batches)).toEqual([
      ['x', 'a'],
      ['x', 'y'],
    ]);
  });

  test('keeps the 10,000 noted records that came last', async () => {
    const { backend, journal } = setUp();
    backend.sick = true;
    journal.append(intent('a'));
    await turn();
    await backend.refuse();
    for (let call = 0; call < 11_000; call += 1) journal.note(settlement(`c${call}`));
    backend.sick = false;
    await vi.advanceTimersByTimeAsync(2000);
    while (backend.batches.flat().length < 9000) await backend.settle();
    const first = backend.batches[1]?.[0]?.call ?? '';
    expect(Number(first.slice(1))).toBeGreaterThan(900);
    expect(Number(first.slice(1))).toBeLessThanOrEqual(1000);
  });

  test('a ticket that nobody looks at does not end the process when it rejects', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { backend, journal } = setUp();
    journal.append(intent('a'));
    await turn();
    await backend.refuse();
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('close says so when noted records could not be written', async () => {
    const { backend, journal } = setUp();
    journal.note(settlement('x'));
    const closing = journal.close();
    await turn();
    await backend.refuse();
    const rejected = expect(closing).rejects.toMatchObject({ code: 'refused' });
    await backend.refuse();
    await rejected;
  });
});
