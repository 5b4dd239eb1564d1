/** The front of the chain: collects records, hands them over in batches, and knows whether the store takes writes. */
import {
  type AuditLog,
  type AuditRecord,
  type Clock,
  type Head,
  type Json,
  type Ticket,
  canonicalJson,
  recordText,
} from '@pawl/core';
import type { Backend, Entry, RowPut } from './backend.js';
import { Batch } from './batch.js';
import { reason } from './folder.js';
import { StoreError } from './ports.js';
import { countRow } from './row.js';

/** Records that one transaction takes. */
const batchSize = 64;
/** A noted record waits this long for a batch to ride with. */
const noteMilliseconds = 20;
/** Pauses between attempts to write after a failure: the first, and the longest. */
const pause = { first: 50, longest: 2000 };
/** Noted records that are kept while the store takes none; older ones are given up. */
const keptNotes = 10_000;

/** Beside a record: what it changes in the tables, or which body it removes. */
export interface Change {
  readonly rows?: readonly RowPut[];
  readonly erase?: number;
}

/** The audit log of one store. */
export class Journal implements AuditLog {
  readonly #backend: Backend;
  readonly #clock: Clock;
  #head: Head;
  #gathering = new Batch();
  #full: Batch[] = [];
  #running: Promise<void> | undefined;
  #flush: NodeJS.Immediate | undefined;
  #noteTimer: NodeJS.Timeout | undefined;
  #trouble: StoreError | undefined;
  #closed = false;
  #written: (rows: readonly RowPut[]) => void = () => {};

  constructor(backend: Backend, head: Head, clock: Clock) {
    this.#backend = backend;
    this.#head = head;
    this.#clock = clock;
  }

  get head(): Head {
    return this.#head;
  }

  /** Tells of rows that became durable, in the order of the chain; the last one to ask is told. */
  onWritten(listener: (rows: readonly RowPut[]) => void): void {
    this.#written = listener;
  }

  append(record: AuditRecord, body?: Json): Ticket {
    return this.#take(withBody(this.#entry(record), body));
  }

  /** Appends a record that changes tables, in one step with them. */
  change(record: AuditRecord, change: Change): Promise<void> {
    return this.#take({ ...this.#entry(record), ...change }).durable;
  }

  note(record: AuditRecord, body?: Json): void {
    if (this.#closed) return;
    this.#room().note(withBody(this.#entry(record), body));
    if (this.#trouble !== undefined) return this.#giveUpOldNotes();
    this.#noteTimer ??= setTimeout(() => this.#start(), noteMilliseconds).unref();
  }

  healthy(): boolean {
    return this.#trouble === undefined && !this.#closed;
  }

  /** Resolves when everything appended or noted so far is written or refused. */
  async flush(): Promise<void> {
    this.#start();
    while (this.#running !== undefined) await this.#running;
  }

  /** Writes what is left and refuses what comes after. Rejects when noted records could not be written. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.flush();
    this.#closed = true;
    clearTimeout(this.#noteTimer);
    const left = this.#takeNotes();
    for (let from = 0; from < left.length; from += batchSize)
      this.#head = await this.#backend.commit(left.slice(from, from + batchSize));
  }

  #entry(record: AuditRecord): Entry {
    const entry = { at: Math.round(this.#clock.wall()), record: recordText(record) };
    if (record.type === 'event') return entry;
    const counts = 'counts' in record ? (record.counts ?? []) : [];
    return { ...entry, call: record.call, ...(counts.length === 0 ? {} : { rows: counts.map(countRow) }) };
  }

  #take(entry: Entry): Ticket {
    const refusal = this.#closed ? new StoreError('closed', 'the store is closed') : this.#trouble;
    const batch = refusal === undefined ? this.#room() : new Batch();
    const { ticket } = batch;
    batch.append(entry);
    if (refusal === undefined) this.#flush ??= setImmediate(() => this.#start());
    else batch.refuse(refusal);
    return ticket;
  }

  /** The batch that takes the next record. */
  #room(): Batch {
    if (this.#gathering.entries.length >= batchSize) {
      this.#full.push(this.#gathering);
      this.#gathering = new Batch();
    }
    return this.#gathering;
  }

  #start(): void {
    clearImmediate(this.#flush);
    this.#flush = undefined;
    if (this.#running !== undefined) return;
    const batch = this.#next();
    if (batch !== undefined) this.#running = this.#drain(batch);
  }

  /** One batch after the other; while one is written the next gathers. */
  async #drain(first: Batch): Promise<void> {
    for (let batch: Batch | undefined = first; batch !== undefined; batch = this.#next()) {
      try {
        this.#head = await this.#backend.commit(batch.entries);
        for (const { rows } of batch.entries) if (rows !== undefined) this.#written(rows);
        batch.settle();
      } catch (error) {
        this.#fail(batch, error);
      }
    }
    this.#running = undefined;
  }

  #next(): Batch | undefined {
    if (this.#trouble !== undefined) return undefined;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = undefined;
    const full = this.#full.shift();
    if (full !== undefined || this.#gathering.entries.length === 0) return full;
    const batch = this.#gathering;
    this.#gathering = new Batch();
    return batch;
  }

  /** INVARIANT: what was refused is nowhere any more; what was only noted waits for the store to heal. */
  #fail(batch: Batch, error: unknown): void {
    const trouble = new StoreError('refused', `the audit record was not written: ${reason(error)}`, {
      cause: error,
    });
    this.#trouble = trouble;
    const batches = [batch, ...this.#full.splice(0), this.#gathering];
    this.#gathering = new Batch();
    for (const notes of batches.map((refused) => refused.refuse(trouble))) {
      for (const note of notes) this.#room().note(note);
    }
    this.#giveUpOldNotes();
    this.#probeAfter(pause.first);
  }

  #probeAfter(milliseconds: number): void {
    setTimeout(() => void this.#probe(milliseconds), milliseconds).unref();
  }

  async #probe(milliseconds: number): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#backend.probe();
      this.#trouble = undefined;
      this.#start();
    } catch {
      this.#probeAfter(Math.min(milliseconds * 2, pause.longest));
    }
  }

  #giveUpOldNotes(): void {
    if (this.#full.length * batchSize > keptNotes) this.#full.shift();
  }

  #takeNotes(): readonly Entry[] {
    const batches = [...this.#full.splice(0), this.#gathering];
    this.#gathering = new Batch();
    return batches.flatMap((batch) => batch.entries);
  }
}

function withBody(entry: Entry, body: Json | undefined): Entry {
  return body === undefined ? entry : { ...entry, body: canonicalJson(body) };
}
