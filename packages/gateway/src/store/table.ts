/** The rows beside the chain, as the front knows them: read from memory, changed through the chain only. */
import type { EventRecord, Json, StoredRow } from '@pawl/core';
import type { Backend, RowPut } from './backend.js';
import type { Journal } from './journal.js';

/** Rows of one store. What is read here is durable. */
export class Table {
  readonly #journal: Journal;
  readonly #backend: Backend;
  readonly #kinds = new Map<string, Map<string, string>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal, backend: Backend, rows: readonly StoredRow[]) {
    this.#journal = journal;
    this.#backend = backend;
    for (const row of rows) this.#put(row);
    journal.onWritten((written) => written.forEach((row) => this.#put(row)));
  }

  /** The text of a row. */
  text(kind: string, id: string): string | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  /** The texts of all rows of a kind; of generations only the current one. */
  ofKind(kind: string): readonly string[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])];
  }

  /** All rows of a kind, by id. */
  entries(kind: string): readonly (readonly [id: string, text: string])[] {
    return [...(this.#kinds.get(kind) ?? [])];
  }

  /** The text of a row that may not be in memory. */
  async fetch(kind: string, id: string): Promise<string | undefined> {
    return this.text(kind, id) ?? this.#backend.row(kind, id);
  }

  /** Changes rows and records it in one step; rejects with a StoreError, and then nothing changed. */
  async change(event: EventRecord['event'], data: Json, rows: readonly RowPut[]): Promise<void> {
    await this.#journal.change({ type: 'event', event, data }, { rows });
  }

  /** Runs `work` when all work given before has ended, so that what it reads is still so when it changes it. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #put(row: RowPut): void {
    const kind = this.#kinds.get(row.kind) ?? new Map<string, string>();
    this.#kinds.set(row.kind, kind);
    // Older generations stay in the backend: one is kept here.
    if (row.kind === 'generation') kind.clear();
    if (row.text === null) kind.delete(row.id);
    else kind.set(row.id, row.text);
  }
}
