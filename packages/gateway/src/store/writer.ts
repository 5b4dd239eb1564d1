/** The writing side of a SQLite store: runs in a thread of its own, synchronously, one batch a transaction. */
import { statSync } from 'node:fs';
import { type Clock, type Digest, type Head, type SignedHead, type StoreId, genesis } from '@pawl/core';
import type { Entry, Opened, RowPut } from './backend.js';
import { type Chained, chainEntries } from './chainer.js';
import { Database, numberIn, textIn } from './database.js';
import { type StorePaths, replaceFile } from './folder.js';
import { StoreError } from './ports.js';
import { type Queries, queriesOf, signedHead } from './queries.js';
import { configure } from './schema.js';
import { type Seal, bodyDigest } from './seal.js';

/** Signed heads are at most this many records apart. */
const recordsPerHead = 256;
/** … and, while records come, at most this many milliseconds. */
const millisecondsPerHead = 1000;

/** What a writer is made of. It owns the connection and closes it. */
export interface WriterParts {
  readonly paths: StorePaths;
  readonly database: Database;
  readonly seal: Seal;
  readonly id: StoreId;
  readonly clock: Clock;
}

/** Writes to one store. Every method throws a {@link StoreError} and then has changed nothing. */
export class Writer {
  readonly #paths: StorePaths;
  readonly #seal: Seal;
  readonly #id: StoreId;
  readonly #clock: Clock;
  readonly #file: number;
  #database: Database;
  #tip: Head;
  #signed: SignedHead | undefined;
  #signedAt: number;

  constructor(parts: WriterParts) {
    this.#paths = parts.paths;
    this.#seal = parts.seal;
    this.#id = parts.id;
    this.#clock = parts.clock;
    this.#database = parts.database;
    this.#file = fileNumber(parts.paths.database);
    this.#tip = readTip(parts.database, parts.id);
    this.#signed = readSigned(parts.database);
    this.#signedAt = parts.clock.monotonic();
  }

  /** Reads that the same connection answers. */
  get queries(): Queries {
    return queriesOf(this.#database);
  }

  /** What the front needs to begin. */
  opened(): Opened {
    const { publicKey, digestKey } = this.#seal;
    return { id: this.#id, publicKey, digestKey, head: this.#tip, rows: this.queries.rows() };
  }

  /** Chains and writes a batch; it is on the disk when this returns. */
  commit(entries: readonly Entry[]): Head {
    const chained = chainEntries(this.#tip, entries, (body) => this.#digest(body));
    const last = chained.at(-1);
    if (last === undefined) return this.#tip;
    const head = { seq: last.seq, hash: last.hash };
    const signed = this.#isDue(head) ? this.#sign(head) : undefined;
    this.#write(() => {
      for (const record of chained) this.#insert(record);
      this.#noteHead(head, signed);
    });
    this.#tip = head;
    this.#publish(signed);
    if (entries.some(({ erase }) => erase !== undefined)) this.#emptyLog();
    return head;
  }

  /** Whether the last record lies behind no signed head yet. */
  get unsigned(): boolean {
    return this.#signedTo < this.#tip.seq;
  }

  /** Signs the last head, unless it is signed. */
  signHead(): void {
    if (!this.unsigned) return;
    const signed = this.#sign(this.#tip);
    this.#write(() => this.#noteHead(this.#tip, signed));
    this.#publish(signed);
  }

  /**
   * Writes the last signed head into the file beside the database.
   * INVARIANT: that file never names a record that the database does not durably hold.
   */
  writeHeadFile(): void {
    replaceFile(this.#paths.head, `${JSON.stringify(this.#signed)}\n`);
  }

  /** Opens the database anew and makes a write that changes nothing. */
  probe(): void {
    this.#assertPresent();
    const database = new Database(this.#paths.database);
    try {
      configure(database);
      this.#tip = readTip(database, this.#id);
      database.transaction(() => writeHead(database, this.#tip));
    } catch (error) {
      database.close();
      throw error;
    }
    const old = this.#database;
    this.#database = database;
    try {
      old.close();
    } catch {
      // What is wrong with the old connection is why there is a new one.
    }
  }

  /** Signs the last head and closes the connection, the latter in any case. */
  close(): void {
    try {
      this.signHead();
    } finally {
      this.#database.close();
    }
  }

  #write(work: () => void): void {
    this.#assertPresent();
    this.#database.transaction(work);
    this.#assertPresent();
  }

  /** What was erased still lies in the write-ahead log; a reader in the middle of it delays this to a later checkpoint. */
  #emptyLog(): void {
    this.#database.one('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #insert(record: Chained): void {
    const { seq, text, hash, entry } = record;
    const insert = 'INSERT INTO records (seq, text, hash, call) VALUES (?, ?, ?, ?)';
    this.#database.run(insert, seq, text, hash, entry.call ?? null);
    if (entry.body !== undefined)
      this.#database.run('INSERT INTO bodies (seq, text) VALUES (?, ?)', seq, entry.body);
    if (entry.erase !== undefined) this.#database.run('DELETE FROM bodies WHERE seq = ?', entry.erase);
    for (const row of entry.rows ?? []) this.#putRow(row);
  }

  #putRow(row: RowPut): void {
    if (row.text === null) this.#database.run('DELETE FROM rows WHERE kind = ? AND id = ?', row.kind, row.id);
    else
      this.#database.run(
        'INSERT INTO rows (kind, id, text) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text',
        row.kind,
        row.id,
        row.text,
      );
  }

  #noteHead(head: Head, signed: SignedHead | undefined): void {
    writeHead(this.#database, head);
    if (signed === undefined) return;
    const insert = 'INSERT INTO signed_heads (seq, hash, at, signature) VALUES (?, ?, ?, ?)';
    this.#database.run(insert, signed.seq, signed.hash, signed.at, signed.signature);
  }

  get #signedTo(): number {
    return this.#signed?.seq ?? -1;
  }

  #isDue(head: Head): boolean {
    const waited = this.#clock.monotonic() - this.#signedAt >= millisecondsPerHead;
    return waited || head.seq - this.#signedTo >= recordsPerHead;
  }

  #sign(head: Head): SignedHead {
    return this.#seal.sign(this.#id, head, Math.round(this.#clock.wall()));
  }

  /** Called after the commit that holds the head. */
  #publish(signed: SignedHead | undefined): void {
    if (signed === undefined) return;
    this.#signed = signed;
    this.#signedAt = this.#clock.monotonic();
    try {
      this.writeHeadFile();
    } catch {
      // The older file stays true: it names an earlier head, and the next signed head replaces it.
    }
  }

  /** A database that was moved or deleted takes writes that nobody will ever find. */
  #assertPresent(): void {
    if (fileNumber(this.#paths.database) !== this.#file)
      throw new StoreError('unwritable', 'pawl.db is not the file any more that was opened');
  }

  #digest(body: string): Digest {
    return bodyDigest(this.#seal.digestKey, body);
  }
}

function writeHead(database: Database, head: Head): void {
  const put =
    'INSERT INTO head (one, seq, hash) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, hash = excluded.hash';
  database.run(put, head.seq, head.hash);
}

/** The last record, or the genesis before the first. */
export function readTip(database: Database, id: StoreId): Head {
  const row = database.one('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1');
  return row === undefined
    ? { seq: -1, hash: genesis(id) }
    : { seq: numberIn(row, 'seq'), hash: textIn(row, 'hash') };
}

function readSigned(database: Database): SignedHead | undefined {
  const row = database.one('SELECT seq, hash, at, signature FROM signed_heads ORDER BY seq DESC LIMIT 1');
  return row === undefined ? undefined : signedHead(row);
}

function fileNumber(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
