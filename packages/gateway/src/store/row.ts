/** The rows beside the chain: their texts, and strict readers of them. */
import {
  type AgentName,
  type Count,
  type Digest,
  type Json,
  type JsonObject,
  type ServerName,
  type SignedHead,
  type StoreId,
  canonicalJson,
  isJsonObject,
  mintId,
  own,
  parseAgentName,
  parseServerName,
  readJson,
} from '@pawl/core';
import type { RowPut } from './backend.js';
import { type Database, textIn } from './database.js';
import {
  StoreError,
  type StoredGeneration,
  type StoredKey,
  type StoredPin,
  type StoredRevocation,
} from './ports.js';

/** What a store says about itself. */
export interface StoreFacts {
  readonly id: StoreId;
  readonly publicKey: string;
  /** Names the HMAC key. */
  readonly digestKey: Digest;
}

/** The row of a generation. */
export function generationRow(generation: StoredGeneration): RowPut {
  const text = canonicalJson({ ...generation, epochs: { ...generation.epochs } });
  return { kind: 'generation', id: String(generation.number), text };
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

/** Reads a generation's row. Throws `damaged`, as the readers below do. */
export function readGeneration(text: string): StoredGeneration {
  const fields = new Fields('generation', text);
  const [facts, createdAt] = [fields.json('facts'), fields.optionalNumber('createdAt')];
  return {
    number: fields.number('number'),
    hash: mintId.digest(fields.text('hash')),
    document: fields.text('document'),
    epochs: fields.numbers('epochs'),
    ...(facts === undefined ? {} : { facts }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
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

/** Members of a stored object, each with its type. */
class Fields {
  readonly #kind: string;
  readonly #object: JsonObject;

  constructor(kind: string, text: string) {
    this.#kind = kind;
    const value = readJson(text);
    if (!isJsonObject(value)) throw this.#broken('it is no object');
    this.#object = value;
  }

  json(name: string): Json | undefined {
    return own(this.#object, name);
  }

  text(name: string): string {
    const value = this.json(name);
    if (typeof value !== 'string') throw this.#broken(`${name} is no text`);
    return value;
  }

  number(name: string): number {
    const value = this.json(name);
    if (typeof value !== 'number') throw this.#broken(`${name} is no number`);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.json(name) === undefined ? undefined : this.text(name);
  }

  optionalNumber(name: string): number | undefined {
    return this.json(name) === undefined ? undefined : this.number(name);
  }

  numbers(name: string): Readonly<Record<string, number>> {
    const value = this.json(name);
    if (!isJsonObject(value)) throw this.#broken(`${name} is no object`);
    const entries = Object.entries(value).map(([key, number]): [string, number] => {
      if (typeof number !== 'number') throw this.#broken(`${name}.${key} is no number`);
      return [key, number];
    });
    return Object.fromEntries(entries);
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T {
    const value = allowed.find((candidate) => candidate === this.json(name));
    if (value === undefined) throw this.#broken(`${name} is none of ${allowed.join(', ')}`);
    return value;
  }

  agent(name: string): AgentName {
    return this.#parsed(name, parseAgentName);
  }

  server(name: string): ServerName {
    return this.#parsed(name, parseServerName);
  }

  #parsed<T>(name: string, parser: (text: string) => T | undefined): T {
    const value = parser(this.text(name));
    if (value === undefined) throw this.#broken(`${name} is malformed`);
    return value;
  }

  #broken(why: string): StoreError {
    return new StoreError('damaged', `a row of kind ${this.#kind} cannot be read: ${why}`);
  }
}
