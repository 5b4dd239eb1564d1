/** The port through which records become durable. The gateway's stores implement it. */
import type { Json } from '../ground/index.js';
import type { AuditRecord } from './record.js';

/** Proof that a batch was handed to the writer. */
export interface Ticket {
  /**
   * Resolves when the record, and every record appended before it, survives kill -9 and power loss. Rejects when the store
   * could not take it; then it never will be there, and the caller must not act on it.
   */
  readonly durable: Promise<void>;
}

/** An append-only, hash-chained log. Order of appends is order in the chain. */
export interface AuditLog {
  /**
   * Appends and asks for durability at once (group commit: at most 2 ms or 64 records). `body` is what `audit.arguments` lets
   * be kept of the arguments; it is stored beside the chain and only its digest is chained, so it can be erased.
   */
  append(record: AuditRecord, body?: Json): Ticket;
  /** Appends without asking for a commit of its own: it rides with the next `append`, at the latest after 20 ms. `body` as there. */
  note(record: AuditRecord, body?: Json): void;
  /** False while the store refuses writes; calls that need an intent are refused then. Becomes true again when it heals. */
  healthy(): boolean;
}
