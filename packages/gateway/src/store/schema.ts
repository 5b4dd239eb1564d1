/** The tables, and how a store that is on disk is told from one that is not. */
import type { Database } from './database.js';
import { StoreError } from './ports.js';

/** Layout of the tables; a store of another version is refused. */
const version = 1;
const application = 0x5061776c;

/** The longest that the write-ahead log stays on disk, in bytes. */
const logBytes = 64 * 1024 * 1024;

const tables = `
  CREATE TABLE records (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL, call TEXT) STRICT;
  CREATE INDEX records_of_call ON records (call, seq) WHERE call IS NOT NULL;
  CREATE TABLE bodies (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE signed_heads (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, at INTEGER NOT NULL, signature TEXT NOT NULL) STRICT;
  CREATE TABLE rows (kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID;
`;

/** Settings of a writing connection: every commit is on the disk before it returns, and what is deleted is overwritten. */
export function configure(database: Database): void {
  const mode = database.one('PRAGMA journal_mode = WAL');
  if (mode?.['journal_mode'] !== 'wal')
    throw new StoreError('unwritable', 'the store cannot keep a write-ahead log here');
  database.script(
    `PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = ${logBytes};`,
  );
}

/** Makes the tables in an empty database. Throws `damaged` when it holds anything but a store of this version. */
export function ensureTables(database: Database): void {
  if (database.one('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined) return assertTables(database);
  database.transaction(() => {
    database.script(tables);
    database.script(`PRAGMA application_id = ${application}; PRAGMA user_version = ${version};`);
  });
}

/** Throws `damaged` unless the database is a store of this version. */
export function assertTables(database: Database): void {
  const mark = database.one('PRAGMA application_id')?.['application_id'];
  if (mark !== application) throw new StoreError('damaged', 'pawl.db is not a store of Pawl');
  const found = database.one('PRAGMA user_version')?.['user_version'];
  if (found !== version)
    throw new StoreError('damaged', `the store has layout ${String(found)}, this program knows ${version}`);
}
