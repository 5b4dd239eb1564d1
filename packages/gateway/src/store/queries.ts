/** Reading a SQLite store; the same for the writing thread and for a reader beside it. */
import type { SignedHead, StoredRow } from '@pawl/core';
import { type Database, type Row, numberIn, textIn } from './database.js';
import type { ReadRecord, RecordQuery } from './ports.js';

/** Records that one answer holds when the query names no limit. */
export const defaultLimit = 1000;

/** The reads of a store. */
export interface Queries {
  records(query: RecordQuery): readonly ReadRecord[];
  row(kind: string, id: string): string | undefined;
  /** All rows but generations that are not current. */
  rows(): readonly StoredRow[];
}

/** The reads of the store that the connection is open on. */
export function queriesOf(database: Database): Queries {
  return {
    records: (query) => selectRecords(database, query),
    row: (kind, id) => {
      const row = database.one('SELECT text FROM rows WHERE kind = ? AND id = ?', kind, id);
      return row === undefined ? undefined : textIn(row, 'text');
    },
    rows: () => database.all(currentRows).map(storedRow),
  };
}

/** A row of the table of that name. */
export function storedRow(row: Row): StoredRow {
  return { kind: textIn(row, 'kind'), id: textIn(row, 'id'), text: textIn(row, 'text') };
}

/** A row of the table of that name. */
export function signedHead(row: Row): SignedHead {
  const [seq, at] = [numberIn(row, 'seq'), numberIn(row, 'at')];
  return { seq, hash: textIn(row, 'hash'), at, signature: textIn(row, 'signature') };
}

/** Whether the file with the signed head must be there: it is written before a second head is signed. */
export function headFileExpected(database: Database): boolean {
  return numberIn(database.one('SELECT count(*) AS heads FROM signed_heads') ?? {}, 'heads') > 1;
}

const currentRows = `
  SELECT kind, id, text FROM rows WHERE kind <> 'generation'
  UNION ALL
  SELECT kind, id, text FROM rows WHERE kind = 'generation' AND id =
    (SELECT json_extract(text, '$.number') FROM rows WHERE kind = 'current' AND id = 'generation')`;

/** A settlement names no executor: it belongs to the one whose call it settles. */
const ofExecutor = `(json_extract(records.text, '$.record.executor') = ? OR records.call IN
  (SELECT call FROM records WHERE call IS NOT NULL AND json_extract(text, '$.record.executor') = ?))`;

function selectRecords(database: Database, query: RecordQuery): readonly ReadRecord[] {
  const { from = 0, limit = defaultLimit, newest = false, call, executor } = query;
  const conditions = ['records.seq >= ?'];
  const cells: (string | number)[] = [from];
  if (call !== undefined) {
    conditions.push('records.call = ?');
    cells.push(call);
  }
  if (executor !== undefined) {
    conditions.push(ofExecutor);
    cells.push(executor, executor);
  }
  const sql = `SELECT records.seq, records.text, records.hash, records.call, bodies.text AS body
    FROM records LEFT JOIN bodies USING (seq)
    WHERE ${conditions.join(' AND ')} ORDER BY records.seq ${newest ? 'DESC' : 'ASC'} LIMIT ?`;
  const records = database.all(sql, ...cells, limit).map(readRecord);
  return newest ? records.toReversed() : records;
}

function readRecord(row: Row): ReadRecord {
  const record = { seq: numberIn(row, 'seq'), text: textIn(row, 'text'), hash: textIn(row, 'hash') };
  const [call, body] = [row['call'], row['body']];
  return {
    ...record,
    ...(typeof call === 'string' ? { call } : {}),
    ...(typeof body === 'string' ? { body } : {}),
  };
}
