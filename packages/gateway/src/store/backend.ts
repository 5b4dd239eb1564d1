/** What keeps the bytes: one batch at a time, whole or not at all. */
import type { Head, StoreId, StoredRow } from '@pawl/core';
import type { ReadRecord, RecordQuery } from './ports.js';

/** A row put, or removed when `text` is null. */
export interface RowPut {
  readonly kind: string;
  readonly id: string;
  readonly text: string | null;
}

/** One record on its way into the chain. */
export interface Entry {
  /** Unix milliseconds, an integer. */
  readonly at: number;
  /** Canonical text of the record. */
  readonly record: string;
  /** The call that the record is about. */
  readonly call?: string;
  /** Canonical text of the body. */
  readonly body?: string;
  readonly rows?: readonly RowPut[];
  /** Sequence number of a body to remove. */
  readonly erase?: number;
}

/** What a backend knows when it opens. */
export interface Opened {
  readonly id: StoreId;
  readonly publicKey: string;
  readonly digestKey: Uint8Array;
  readonly head: Head;
  /** All rows but generations that are not current. */
  readonly rows: readonly StoredRow[];
}

/** A backend. Calls are made one after the other; each rejects with a StoreError. */
export interface Backend {
  /** Appends a batch; durable when it resolves. When it rejects nothing of the batch is or will be in the chain. */
  commit(entries: readonly Entry[]): Promise<Head>;
  /** A durable write that changes nothing: resolves when the store takes writes again. */
  probe(): Promise<unknown>;
  /** Records in order of the chain. */
  records(query: RecordQuery): Promise<readonly ReadRecord[]>;
  /** The text of one row. */
  row(kind: string, id: string): Promise<string | undefined>;
  /** Signs the last head and lets everything go. */
  close(): Promise<void>;
}
