/** A backend that forgets: the same chain, for tests and for runs that keep nothing. */
import {
  type Clock,
  type Entropy,
  type Head,
  type StoreId,
  type StoredRow,
  base32,
  genesis,
  mintId,
  readEnvelope,
} from '@pawl/core';
import type { Backend, Entry, Opened, RowPut } from './backend.js';
import { type Chained, chainEntries } from './chainer.js';
import { creation } from './creation.js';
import type { ReadRecord, RecordQuery } from './ports.js';
import { defaultLimit } from './queries.js';
import { type Seal, bodyDigest, freshSeal } from './seal.js';

/** A new, empty store in this process. */
export class MemoryBackend implements Backend {
  readonly #id: StoreId;
  readonly #seal: Seal = freshSeal();
  readonly #records: ReadRecord[] = [];
  readonly #rows = new Map<string, StoredRow>();
  #tip: Head;

  constructor(powers: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#id = mintId.store(base32(powers.entropy.bytes(16)));
    this.#tip = { seq: -1, hash: genesis(this.#id) };
    this.#append([creation(this.#id, this.#seal, Math.round(powers.clock.wall()))]);
  }

  /** What the front needs to begin. */
  opened(): Opened {
    const { publicKey, digestKey } = this.#seal;
    return { id: this.#id, publicKey, digestKey, head: this.#tip, rows: [...this.#rows.values()] };
  }

  async commit(entries: readonly Entry[]): Promise<Head> {
    this.#append(entries);
    return this.#tip;
  }

  async probe(): Promise<void> {}

  async records(query: RecordQuery): Promise<readonly ReadRecord[]> {
    const { from = 0, limit = defaultLimit, newest = false, call, executor } = query;
    const calls = executor === undefined ? undefined : this.#callsOf(executor);
    const found = this.#records.slice(Math.max(0, from)).filter((record) => {
      if (call !== undefined && record.call !== call) return false;
      return calls === undefined || calls.has(record.call ?? '') || executorOf(record) === executor;
    });
    return newest ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
  }

  async row(kind: string, id: string): Promise<string | undefined> {
    return this.#rows.get(rowKey({ kind, id }))?.text;
  }

  async close(): Promise<void> {}

  #append(entries: readonly Entry[]): void {
    const digestOf = (body: string): ReturnType<typeof bodyDigest> => bodyDigest(this.#seal.digestKey, body);
    for (const record of chainEntries(this.#tip, entries, digestOf)) {
      this.#records.push(stored(record));
      this.#tip = { seq: record.seq, hash: record.hash };
      for (const row of record.entry.rows ?? []) this.#put(row);
      if (record.entry.erase !== undefined) this.#erase(record.entry.erase);
    }
  }

  #put(row: RowPut): void {
    if (row.text === null) this.#rows.delete(rowKey(row));
    else this.#rows.set(rowKey(row), { kind: row.kind, id: row.id, text: row.text });
  }

  #erase(seq: number): void {
    const record = this.#records[seq];
    if (record === undefined) return;
    const { body: _, ...rest } = record;
    this.#records[seq] = rest;
  }

  #callsOf(executor: string): ReadonlySet<string> {
    const own = this.#records.filter((record) => executorOf(record) === executor);
    return new Set(own.flatMap(({ call }) => (typeof call === 'string' ? [call] : [])));
  }
}

function stored({ seq, text, hash, entry }: Chained): ReadRecord {
  const { call, body } = entry;
  return {
    seq,
    text,
    hash,
    ...(call === undefined ? {} : { call }),
    ...(body === undefined ? {} : { body }),
  };
}

function executorOf(record: ReadRecord): unknown {
  return readEnvelope(record.text)?.record['executor'];
}

function rowKey(row: { readonly kind: string; readonly id: string }): string {
  return `${row.kind} ${row.id}`;
}
