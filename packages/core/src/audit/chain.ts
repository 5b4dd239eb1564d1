/** The hash chain: what is hashed, byte for byte, and how one record follows another. */
import {
  type Digest,
  type Json,
  type StoreId,
  canonicalJson,
  isJsonArray,
  isJsonObject,
  mintId,
  own,
  readJson,
  sha256,
} from '../ground/index.js';
import type { AuditRecord } from './record.js';

/** What a record says about one row of the store's other tables: its digest, or null when it was removed. */
export interface RowChange {
  readonly kind: string;
  readonly id: string;
  readonly digest: Digest | null;
}

/** What is chained besides the record itself. */
export interface EnvelopeFacts {
  /** Place in the chain; the first is 0 and there are no gaps. */
  readonly seq: number;
  /** Unix time in milliseconds at which the record was appended. */
  readonly at: number;
  /** HMAC of the body that lies beside the chain. */
  readonly body?: Digest;
  /** Rows that this record puts, replaces or removes. */
  readonly rows?: readonly RowChange[];
}

/** A chained record, read back. `record` is as the store has it: only `type` is known to be there. */
export interface Envelope extends EnvelopeFacts {
  readonly record: { readonly [member: string]: Json | undefined; readonly type: string };
}

/** The hash before the first record of a store. */
export function genesis(store: StoreId): Digest {
  return sha256(`pawl audit chain 1\n${store}`);
}

/** The hash of a record: SHA-256 of the previous hash, a line feed and the record's text. */
export function link(previous: Digest, text: string): Digest {
  return sha256(`${previous}\n${text}`);
}

/** The canonical text of a record; the same record always gives the same bytes. */
export function recordText(record: AuditRecord): string {
  return canonicalJson({ ...record });
}

/** The text that is chained: canonical JSON of the facts and of `record`, which is already canonical. */
export function envelopeText(facts: EnvelopeFacts, record: string): string {
  const body = facts.body === undefined ? '' : `,"body":"${facts.body}"`;
  const rows = facts.rows === undefined ? '' : `,"rows":${canonicalJson(facts.rows.map(rowJson))}`;
  return `{"at":${facts.at}${body},"record":${record}${rows},"seq":${facts.seq}}`;
}

/** The text that is signed for a head: store, place, hash and time, one a line. */
export function headText(store: StoreId, head: { seq: number; hash: string; at: number }): string {
  return `pawl audit head 1\n${store}\n${head.seq}\n${head.hash}\n${head.at}`;
}

/** Reads a chained text back, or undefined when it is none. Never throws. */
export function readEnvelope(text: string): Envelope | undefined {
  const value = readJson(text);
  if (!isJsonObject(value)) return undefined;
  const [seq, at, record] = [own(value, 'seq'), own(value, 'at'), own(value, 'record')];
  if (typeof seq !== 'number' || typeof at !== 'number' || !isJsonObject(record)) return undefined;
  const type = own(record, 'type');
  const body = own(value, 'body');
  const rows = readRows(own(value, 'rows'));
  if (typeof type !== 'string' || rows === undefined) return undefined;
  return {
    seq,
    at,
    record: { ...record, type },
    ...(typeof body === 'string' ? { body: mintId.digest(body) } : {}),
    ...(rows.length > 0 ? { rows } : {}),
  };
}

function rowJson(row: RowChange): Json {
  return { kind: row.kind, id: row.id, digest: row.digest };
}

function readRows(value: Json | undefined): readonly RowChange[] | undefined {
  if (value === undefined) return [];
  if (!isJsonArray(value)) return undefined;
  const rows = value.map(readRow);
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function readRow(value: Json): RowChange | undefined {
  if (!isJsonObject(value)) return undefined;
  const [kind, id, digest] = [own(value, 'kind'), own(value, 'id'), own(value, 'digest')];
  if (typeof kind !== 'string' || typeof id !== 'string') return undefined;
  if (digest === null) return { kind, id, digest };
  return typeof digest === 'string' ? { kind, id, digest: mintId.digest(digest) } : undefined;
}
