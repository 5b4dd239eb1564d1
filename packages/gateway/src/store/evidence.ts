/** Verification of a store on disk, beside its writer or when nobody holds it. */
import { existsSync, readFileSync } from 'node:fs';
import { type SignedHead, type StoredRecord, type StoredRow, type VerifyReport, verify } from '@pawl/core';
import { Database, type Row, numberIn, textIn } from './database.js';
import { type StorePaths, reason, storePaths } from './folder.js';
import { type ReadRecord, type RecordQuery, StoreError } from './ports.js';
import { headFileExpected, queriesOf, signedHead, storedRow } from './queries.js';
import { readHeadFile, readStoreFacts } from './row.js';
import { assertTables } from './schema.js';
import { bodyDigest, fingerprint, headVerifier, readDigestKey } from './seal.js';

/**
 * Verifies everything that a store holds, on one snapshot: SQLite's own check, the chain, heads and their signatures,
 * bodies, and every row of the other tables. Takes no lock and changes nothing. Throws only when there is no store.
 */
export function checkStore(folder: string): VerifyReport {
  const paths = existing(folder);
  try {
    // Read first: the file is never newer than the database.
    const headFile = existsSync(paths.head) ? readFileSync(paths.head, 'utf8') : undefined;
    return reading(paths, (database) => check(paths, database, headFile));
  } catch (error) {
    return broken(reason(error));
  }
}

/** Records of a store that another process may hold. Throws {@link StoreError}. */
export function selectRecords(folder: string, query: RecordQuery): readonly ReadRecord[] {
  return reading(existing(folder), (database) => {
    assertTables(database);
    return queriesOf(database).records(query);
  });
}

/** All rows but generations that are not current, of a store that another process may hold. Throws {@link StoreError}. */
export function selectRows(folder: string): readonly StoredRow[] {
  return reading(existing(folder), (database) => {
    assertTables(database);
    return queriesOf(database).rows();
  });
}

/**
 * The text of a generation of a store that another process may hold: of that number, or the current one; undefined where there
 * is none. Throws {@link StoreError}.
 */
export function selectGeneration(folder: string, number: number | undefined): string | undefined {
  return reading(existing(folder), (database) => {
    assertTables(database);
    const queries = queriesOf(database);
    if (number !== undefined) return queries.row('generation', String(number));
    return queries.rows().find(({ kind }) => kind === 'generation')?.text;
  });
}

function existing(folder: string): StorePaths {
  const paths = storePaths(folder);
  if (!existsSync(paths.database)) throw new StoreError('absent', `there is no store in ${folder}`);
  return paths;
}

/** Runs `work` on one snapshot. */
function reading<T>(paths: StorePaths, work: (database: Database) => T): T {
  const database = new Database(paths.database, { readOnly: true });
  try {
    database.script('BEGIN');
    return work(database);
  } finally {
    database.close();
  }
}

function check(paths: StorePaths, database: Database, headFile: string | undefined): VerifyReport {
  const damage = database.one('PRAGMA integrity_check(1)')?.['integrity_check'];
  if (damage !== 'ok') return broken(`the database is damaged: ${String(damage)}`);
  assertTables(database);
  const facts = readStoreFacts(database);
  if (facts === undefined) return { ok: true, records: 0, unsettled: [] };
  const digestKey = readDigestKey(paths);
  if (digestKey === undefined || fingerprint(digestKey) !== facts.digestKey)
    return broken('the key of the bodies is not the one of the store');
  const noted = database.one('SELECT seq, hash FROM head');
  if (noted === undefined) return broken('the store has not noted its last record');
  const isSigned = headVerifier(facts.id, facts.publicKey);
  const report = verify({
    store: facts.id,
    records: database.each('SELECT seq, text, hash, call FROM records ORDER BY seq', storedRecord),
    head: { seq: numberIn(noted, 'seq'), hash: textIn(noted, 'hash') },
    signedHeads: database.each('SELECT seq, hash, at, signature FROM signed_heads ORDER BY seq', signedHead),
    isSigned,
    bodies: {
      stored: database.each('SELECT seq, text FROM bodies ORDER BY seq', storedBody),
      digest: (text) => bodyDigest(digestKey, text),
    },
    rows: database.each('SELECT kind, id, text FROM rows', storedRow),
  });
  if (!report.ok) return report;
  const why = wrongHeadFile(database, headFile, isSigned);
  return why === undefined ? report : { ...report, ok: false, brokenAt: report.records, why };
}

/** What is wrong with the head beside the database, if anything. */
function wrongHeadFile(
  database: Database,
  text: string | undefined,
  isSigned: (head: SignedHead) => boolean,
): string | undefined {
  if (text === undefined)
    return headFileExpected(database) ? 'the signed head beside the database is missing' : undefined;
  const head = readHeadFile(text);
  if (head === undefined) return 'the signed head beside the database cannot be read';
  if (!isSigned(head)) return 'the signature of the head beside the database is not valid';
  const record = database.one('SELECT hash FROM records WHERE seq = ?', head.seq);
  if (record === undefined) return `records up to the signed head at ${head.seq} are missing`;
  return textIn(record, 'hash') === head.hash
    ? undefined
    : 'the head beside the database names another record';
}

function storedRecord(row: Row): StoredRecord {
  const [seq, text, hash] = [numberIn(row, 'seq'), textIn(row, 'text'), textIn(row, 'hash')];
  return { seq, text, hash, call: row['call'] === null ? null : textIn(row, 'call') };
}

function storedBody(row: Row): { readonly seq: number; readonly text: string } {
  return { seq: numberIn(row, 'seq'), text: textIn(row, 'text') };
}

function broken(why: string): VerifyReport {
  return { ok: false, records: 0, brokenAt: 0, why, unsettled: [] };
}
