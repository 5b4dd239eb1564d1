/** The rows beside the chain: their texts, and strict readers of them. */
import { type Count, type Digest, type SignedHead, type StoreId, canonicalJson, mintId } from '@pawl/core';
import type { RowPut } from './backend.js';
import { type Database, textIn } from './database.js';
import { Fields } from './fields.js';
import type { StoredKey, StoredPin, StoredRevocation } from './ports.js';

/** What a store says about itself. */
export interface StoreFacts {
  readonly id: StoreId;
  readonly publicKey: string;
  /** Names the HMAC key. */
  readonly digestKey: Digest;
}

/** The row that names the current generation. */
export function currentRow(number: number): RowPut {
  return { kind: 'current', id: 'generation', text: canonicalJson({ number }) };
}

/** The row of a credential. */
export function keyRow(key: StoredKey): RowPut {
  return { kind: 'key', id: key.id, text: canonicalJson({ ...key }) };
}

/** The row of a tool definition. */
export function pinRow(pin: StoredPin): RowPut {
  return { kind: 'pin', id: pinId(pin), text: canonicalJson({ ...pin }) };
}

/** At most one definition of each state for a tool. */
export function pinId(pin: Pick<StoredPin, 'server' | 'tool' | 'state'>): string {
  return `${pin.server}/${pin.tool} ${pin.state}`;
}

/** The row of a revocation. */
export function revocationRow(revocation: StoredRevocation): RowPut {
  return { kind: 'revocation', id: revocationId(revocation), text: canonicalJson({ ...revocation }) };
}

/** One revocation for a subject. */
export function revocationId(revocation: Pick<StoredRevocation, 'subject' | 'id'>): string {
  return `${revocation.subject} ${revocation.id}`;
}

/** A freeze as stored. */
export interface StoredFreeze {
  readonly name: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The row of a freeze. */
export function freezeRow(freeze: StoredFreeze): RowPut {
  return { kind: 'freeze', id: freeze.name, text: canonicalJson({ ...freeze }) };
}

/** Reads a freeze's row. Throws `damaged`, as the readers below do. */
export function readFreeze(text: string): StoredFreeze {
  const fields = new Fields('freeze', text);
  return { name: fields.text('name'), at: fields.number('at') };
}

/** The row of a count: one for a limit of an executor, whatever the day. */
export function countRow(count: Count): RowPut {
  const { executor, limit, per } = count;
  return { kind: 'count', id: `${per} ${executor} ${limit}`, text: canonicalJson({ ...count }) };
}

/** What the store in this database says about itself, or undefined when it has no record yet. */
export function readStoreFacts(database: Database): StoreFacts | undefined {
  const row = database.one(`SELECT text FROM rows WHERE kind = 'store' AND id = 'store'`);
  if (row === undefined && database.one('SELECT 1 FROM records LIMIT 1') === undefined) return undefined;
  const fields = new Fields('store', row === undefined ? '' : textIn(row, 'text'));
  return {
    id: mintId.store(fields.text('id')),
    publicKey: fields.text('publicKey'),
    digestKey: mintId.digest(fields.text('digestKey')),
  };
}

/** The head in the file beside the database, or undefined when the text is none. */
export function readHeadFile(text: string): SignedHead | undefined {
  try {
    const fields = new Fields('head', text);
    const [seq, at] = [fields.number('seq'), fields.number('at')];
    return { seq, hash: fields.text('hash'), at, signature: fields.text('signature') };
  } catch {
    return undefined;
  }
}

/** Reads a credential's row. */
export function readKey(text: string): StoredKey {
  const fields = new Fields('key', text);
  const [instance, expiresAt, revokedAt] = [
    fields.optionalText('instance'),
    fields.optionalNumber('expiresAt'),
    fields.optionalNumber('revokedAt'),
  ];
  return {
    id: mintId.key(fields.text('id')),
    salt: fields.text('salt'),
    hash: fields.text('hash'),
    agent: fields.agent('agent'),
    issuedAt: fields.number('issuedAt'),
    ...(instance === undefined ? {} : { instance }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
  };
}

/** Reads a tool definition's row. */
export function readPin(text: string): StoredPin {
  const fields = new Fields('pin', text);
  return {
    server: fields.server('server'),
    tool: fields.text('tool'),
    digest: mintId.digest(fields.text('digest')),
    definition: fields.json('definition') ?? null,
    state: fields.choice('state', ['accepted', 'waiting']),
    firstUse: fields.json('firstUse') === true,
    at: fields.number('at'),
  };
}

/** Reads a revocation's row. */
export function readRevocation(text: string): StoredRevocation {
  const fields = new Fields('revocation', text);
  const subject = fields.choice('subject', ['capability', 'session', 'executor', 'key']);
  return { subject, id: fields.text('id'), at: fields.number('at') };
}

/** Reads the row of a count. */
export function readCount(text: string): Count {
  const fields = new Fields('count', text);
  return {
    executor: mintId.executor(fields.text('executor')),
    limit: fields.text('limit'),
    per: fields.choice('per', ['executor', 'day']),
    day: fields.number('day'),
    count: fields.number('count'),
  };
}
