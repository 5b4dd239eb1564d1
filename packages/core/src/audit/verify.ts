/** Verification: one pass over what a store holds, which finds any change, gap or cut. */
import { type CallId, type Digest, type StoreId, mintId, sha256 } from '../ground/index.js';
import { type Envelope, genesis, link, readEnvelope } from './chain.js';

/** A record as a store holds it; nothing in it is believed. */
export interface StoredRecord {
  readonly seq: number;
  readonly text: string;
  readonly hash: string;
  /** The call that the store's index files it under, where it has such an index. */
  readonly call?: string | null;
}

/** A place in the chain and the hash there. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** A head with the signature that the store's key made over it. */
export interface SignedHead extends Head {
  readonly at: number;
  readonly signature: string;
}

/** One row of the store's other tables. */
export interface StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
}

/** What is verified. Records, heads and bodies come in order of `seq`; each iterable is read once. */
export interface Evidence {
  readonly store: StoreId;
  readonly records: Iterable<StoredRecord>;
  /** The last record, as the store says; absent for an export. */
  readonly head?: Head;
  readonly signedHeads: Iterable<SignedHead>;
  /** Whether the signature is one of the store's key. */
  readonly isSigned: (head: SignedHead) => boolean;
  /** Bodies and the HMAC that names them; absent where bodies do not travel (an export). */
  readonly bodies?: {
    readonly stored: Iterable<{ readonly seq: number; readonly text: string }>;
    readonly digest: (text: string) => Digest;
  };
  /** Rows of the other tables; absent where they do not travel. */
  readonly rows?: Iterable<StoredRow>;
}

/** What verification found. `brokenAt` is the first place that is wrong, `why` says how. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly records: number;
  readonly brokenAt?: number;
  readonly why?: string;
  /** Calls that were about to be handed over and whose end is not recorded. */
  readonly unsettled: readonly CallId[];
}

/** Verifies; never throws on what it reads, stops at the first thing that is wrong, and closes every iterable. */
export function verify(evidence: Evidence): VerifyReport {
  const walk = new Walk(evidence);
  try {
    for (const record of evidence.records) walk.record(record);
    walk.end();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { ...walk.report(), ok: false, brokenAt: error.seq, why: error.message };
  } finally {
    walk.release();
  }
  return walk.report();
}

class Broken extends Error {
  readonly seq: number;
  constructor(seq: number, why: string) {
    super(why);
    this.seq = seq;
  }
}

/** The state of one pass. */
class Walk {
  readonly #evidence: Evidence;
  readonly #heads: Ordered<SignedHead>;
  readonly #bodies: Ordered<{ readonly seq: number; readonly text: string }>;
  readonly #rows = new Map<string, Digest>();
  readonly #missingBodies = new Set<number>();
  readonly #unsettled = new Set<string>();
  #seq = 0;
  #hash: Digest;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    this.#hash = genesis(evidence.store);
    this.#heads = new Ordered(evidence.signedHeads);
    this.#bodies = new Ordered(evidence.bodies?.stored ?? []);
  }

  record(stored: StoredRecord): void {
    const seq = this.#seq;
    if (stored.seq !== seq) throw new Broken(seq, `record ${seq} is missing`);
    const hash = link(this.#hash, stored.text);
    if (hash !== stored.hash) throw new Broken(seq, 'the record is not the one that was chained');
    const envelope = readEnvelope(stored.text);
    if (envelope?.seq !== seq) throw new Broken(seq, 'the record cannot be read');
    if (stored.call !== undefined && stored.call !== (callOf(envelope) ?? null))
      throw new Broken(seq, 'the record is filed under another call');
    this.#hash = hash;
    this.#body(envelope);
    this.#head(seq);
    this.#follow(envelope);
    this.#seq = seq + 1;
  }

  /** Checks what can only be known at the end. */
  end(): void {
    const last = this.#seq - 1;
    const { head } = this.#evidence;
    if (head !== undefined && (head.seq !== last || head.hash !== this.#hash))
      throw new Broken(this.#seq, 'the last record is not the one that the store noted as its last');
    const beyond = this.#heads.next();
    if (beyond !== undefined)
      throw new Broken(this.#seq, `records up to the signed head at ${beyond.seq} are missing`);
    const stray = this.#bodies.next();
    if (stray !== undefined) throw new Broken(stray.seq, 'a body belongs to no record');
    const [missing] = this.#missingBodies;
    if (missing !== undefined) throw new Broken(missing, 'a body is missing and was not erased');
    this.#compareRows();
  }

  report(): VerifyReport {
    const unsettled = [...this.#unsettled].map((call) => mintId.call(call));
    return { ok: true, records: this.#seq, unsettled };
  }

  /** Lets go of what is not read to its end. */
  release(): void {
    this.#heads.release();
    this.#bodies.release();
  }

  #body(envelope: Envelope): void {
    const { bodies } = this.#evidence;
    if (bodies === undefined) return;
    const stored = this.#bodies.take(envelope.seq);
    if (stored === undefined && envelope.body !== undefined) this.#missingBodies.add(envelope.seq);
    if (stored !== undefined && bodies.digest(stored.text) !== envelope.body)
      throw new Broken(envelope.seq, 'the body is not the one that was recorded');
  }

  #head(seq: number): void {
    const head = this.#heads.take(seq);
    if (head === undefined) return;
    if (head.hash !== this.#hash) throw new Broken(seq, 'the signed head names another record');
    if (!this.#evidence.isSigned(head)) throw new Broken(seq, 'the signature of the head is not valid');
  }

  #follow(envelope: Envelope): void {
    for (const row of envelope.rows ?? []) {
      if (row.digest === null) this.#rows.delete(rowKey(row));
      else this.#rows.set(rowKey(row), row.digest);
    }
    const { record } = envelope;
    const call = callOf(envelope);
    if (record.type === 'intent' && call !== undefined) this.#unsettled.add(call);
    if (record.type === 'settlement' && call !== undefined) this.#unsettled.delete(call);
    if (record.type === 'event' && record['event'] === 'body_erased') this.#erase(record['data']);
  }

  #erase(data: unknown): void {
    if (typeof data === 'object' && data !== null && 'seq' in data && typeof data.seq === 'number')
      this.#missingBodies.delete(data.seq);
  }

  #compareRows(): void {
    if (this.#evidence.rows === undefined) return;
    for (const row of this.#evidence.rows) {
      const recorded = this.#rows.get(rowKey(row));
      if (recorded !== sha256(row.text))
        throw new Broken(
          this.#seq,
          `the row ${row.kind} ${row.id} is not what the last record about it says`,
        );
      this.#rows.delete(rowKey(row));
    }
    const [missing] = this.#rows.keys();
    if (missing !== undefined) throw new Broken(this.#seq, `the row ${missing} is missing`);
  }
}

/** An ordered iterable that is walked beside the records. */
class Ordered<T extends { readonly seq: number }> {
  readonly #source: Iterator<T>;
  #next: T | undefined;

  constructor(source: Iterable<T>) {
    this.#source = source[Symbol.iterator]();
    this.#advance();
  }

  /** The element at `seq`; anything before it belongs to no record. */
  take(seq: number): T | undefined {
    const found = this.#next;
    if (found === undefined || found.seq > seq) return undefined;
    if (found.seq < seq) throw new Broken(found.seq, 'something is stored twice for one record');
    this.#advance();
    return found;
  }

  /** The element that comes next, if there is one. */
  next(): T | undefined {
    return this.#next;
  }

  release(): void {
    this.#source.return?.();
  }

  #advance(): void {
    const step = this.#source.next();
    this.#next = step.done === true ? undefined : step.value;
  }
}

function rowKey(row: { readonly kind: string; readonly id: string }): string {
  return `${row.kind} ${row.id}`;
}

/** The call that a record is about, if it is about one. */
export function callOf(envelope: Envelope): string | undefined {
  const call = envelope.record['call'];
  return typeof call === 'string' ? call : undefined;
}
