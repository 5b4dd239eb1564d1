/** Opening a store for writing: folder, lock, tables, keys, and whether all of it belongs together. */
import { existsSync, readFileSync } from 'node:fs';
import {
  type Clock,
  type Entropy,
  type StoreId,
  base32,
  callOf,
  genesis,
  link,
  mintId,
  readEnvelope,
} from '@pawl/core';
import { creation } from './creation.js';
import { Database, numberIn, textIn } from './database.js';
import { type StorePaths, prepareFolder, storePaths } from './folder.js';
import { type Lock, holdLock } from './lock.js';
import { StoreError } from './ports.js';
import { headFileExpected } from './queries.js';
import { type StoreFacts, readHeadFile, readStoreFacts } from './row.js';
import { configure, ensureTables } from './schema.js';
import { type Seal, fingerprint, openSeal } from './seal.js';
import { Writer, readTip } from './writer.js';

/** Powers that a writer takes. */
export interface WriterPowers {
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** A writer and the lock that it works under. */
export interface HeldWriter {
  readonly writer: Writer;
  readonly lock: Lock;
}

/** Opens a store for writing, making it where there is none. Throws {@link StoreError} and then holds nothing. */
export function openWriter(folder: string, powers: WriterPowers): HeldWriter {
  const paths = storePaths(folder);
  prepareFolder(paths);
  const lock = holdLock(paths.lock);
  let database: Database | undefined;
  try {
    database = new Database(paths.database);
    configure(database);
    ensureTables(database);
    return { writer: assemble(paths, database, powers), lock };
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

function assemble(paths: StorePaths, database: Database, powers: WriterPowers): Writer {
  const facts = readStoreFacts(database);
  const seal = openSeal(paths, facts === undefined);
  if (facts !== undefined) assertIntact(paths, database, facts, seal);
  const id = facts?.id ?? mintId.store(base32(powers.entropy.bytes(16)));
  const writer = new Writer({ paths, database, seal, id, clock: powers.clock });
  if (facts === undefined) writer.commit([creation(id, seal, Math.round(powers.clock.wall()))]);
  writer.signHead();
  writer.writeHeadFile();
  return writer;
}

/** What can be seen at a glance: keys, the last record, and the signed head beside the database. */
function assertIntact(paths: StorePaths, database: Database, facts: StoreFacts, seal: Seal): void {
  if (facts.publicKey !== seal.publicKey || facts.digestKey !== fingerprint(seal.digestKey))
    throw new StoreError('damaged', 'the keys in the folder are not those of the store');
  assertTip(database, facts.id);
  if (!existsSync(paths.head) && !headFileExpected(database)) return;
  const head = existsSync(paths.head) ? readHeadFile(readFileSync(paths.head, 'utf8')) : undefined;
  const found = head && database.one('SELECT hash FROM records WHERE seq = ?', head.seq);
  if (head === undefined || found === undefined || textIn(found, 'hash') !== head.hash)
    throw new StoreError('damaged', 'records up to the last signed head are missing; run: pawl audit verify');
}

function assertTip(database: Database, id: StoreId): void {
  const tip = readTip(database, id);
  const noted = database.one('SELECT seq, hash FROM head');
  const last = database.one('SELECT text, call FROM records WHERE seq = ?', tip.seq);
  const before = database.one('SELECT hash FROM records WHERE seq = ?', tip.seq - 1);
  const text = last === undefined ? '' : textIn(last, 'text');
  const envelope = readEnvelope(text);
  const previous = before === undefined ? genesis(id) : mintId.digest(textIn(before, 'hash'));
  const whole =
    envelope?.seq === tip.seq &&
    link(previous, text) === tip.hash &&
    (callOf(envelope) ?? null) === last?.['call'] &&
    noted !== undefined &&
    numberIn(noted, 'seq') === tip.seq &&
    textIn(noted, 'hash') === tip.hash;
  if (!whole) throw new StoreError('damaged', 'the last record is not whole; run: pawl audit verify');
}
