/** Whole texts: statements with semicolons between, each by its first words. */
import { data } from './change.js';
import { Cursor, type Grammar } from './cursor.js';
import { alter, create, drop, truncate } from './definition.js';
import { NotUnderstood } from './fault.js';
import { names } from './from.js';
import { tokensOf } from './lexer.js';
import { query } from './query.js';

const grammar: Grammar = { query, data };

/** What a text does, each effect on each table once, as canonical texts; or why it is not understood. */
export type SqlReading =
  | { readonly ok: true; readonly accesses: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** Most UTF-16 units of a text. */
const mostUnits = 131_072;

/** Reads a text; at least one access. Never throws; linear in the length. */
export function readSql(text: string): SqlReading {
  try {
    return { ok: true, accesses: accessesOf(text) };
  } catch (error) {
    if (error instanceof NotUnderstood)
      return { ok: false, why: `SQL that is not understood: ${error.message}` };
    throw error;
  }
}

function accessesOf(text: string): readonly string[] {
  if (text.length > mostUnits) throw new NotUnderstood('it is too long');
  if (text.includes('\u0000') || /\p{Surrogate}/u.test(text))
    throw new NotUnderstood('it holds U+0000 or a lone surrogate');
  if (text !== text.normalize('NFC')) throw new NotUnderstood('it is not in Unicode normal form C');
  const cursor = new Cursor(tokensOf(text), grammar);
  do {
    if (!cursor.atSign(';') && cursor.peek().kind !== 'end') statement(cursor);
  } while (cursor.acceptSign(';'));
  if (cursor.peek().kind !== 'end') cursor.fail('something that is not understood');
  if (cursor.found.length === 0) cursor.fail('no statement');
  return cursor.found;
}

function statement(cursor: Cursor): void {
  if (cursor.accept('explain')) explained(cursor);
  const { kind, text } = cursor.peek();
  if (kind === 'word' && changesData.has(text)) {
    cursor.statement('select', () => data(cursor));
    return;
  }
  if (cursor.atSign('(')) {
    cursor.statement('select', () => query(cursor));
    return;
  }
  const read = kind === 'word' ? readers.get(text) : undefined;
  if (read === undefined) cursor.fail('a statement that is not understood');
  cursor.take();
  read(cursor);
}

const changesData: ReadonlySet<string> = new Set([
  'select',
  'with',
  'values',
  'table',
  'insert',
  'update',
  'delete',
]);

/** What EXPLAIN explains it runs with ANALYZE, and tells of without: it is judged as what it explains. */
function explained(cursor: Cursor): void {
  if (cursor.acceptSign('(')) {
    cursor.listOf(() => {
      cursor.expectOne(
        'analyze',
        'verbose',
        'costs',
        'settings',
        'buffers',
        'wal',
        'timing',
        'summary',
        'format',
      );
      if (!cursor.acceptOne('true', 'false', 'on')) cursor.acceptOne('off', 'text', 'xml', 'json', 'yaml');
    });
    cursor.expectSign(')');
  } else {
    cursor.accept('analyze');
    cursor.accept('verbose');
  }
  const { kind, text } = cursor.peek();
  if (kind !== 'word' || !changesData.has(text)) cursor.fail('what EXPLAIN may explain is missing');
}

type Reader = (cursor: Cursor) => void;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['create', create],
  ['alter', alter],
  ['drop', drop],
  ['truncate', truncate],
  ['grant', (cursor) => privileges(cursor, 'to')],
  ['revoke', (cursor) => privileges(cursor, 'from')],
  ['vacuum', maintain],
  ['analyze', maintain],
  ['lock', lock],
  ['begin', begin],
  [
    'start',
    (cursor) => {
      cursor.expect('transaction');
      modes(cursor);
    },
  ],
  ['commit', end],
  ['end', end],
  ['abort', end],
  ['rollback', rollback],
  [
    'savepoint',
    (cursor) => {
      cursor.name();
      cursor.record('transaction');
    },
  ],
  [
    'release',
    (cursor) => {
      cursor.accept('savepoint');
      cursor.name();
      cursor.record('transaction');
    },
  ],
]);

function begin(cursor: Cursor): void {
  cursor.acceptOne('transaction', 'work');
  modes(cursor);
}

function modes(cursor: Cursor): void {
  cursor.record('transaction');
  while (mode(cursor)) cursor.acceptSign(',');
}

function mode(cursor: Cursor): boolean {
  if (cursor.accept('isolation', 'level')) {
    if (cursor.accept('read')) cursor.expectOne('committed', 'uncommitted');
    else if (!cursor.accept('repeatable', 'read')) cursor.expect('serializable');
    return true;
  }
  return (
    cursor.accept('read', 'only') ||
    cursor.accept('read', 'write') ||
    cursor.accept('not', 'deferrable') ||
    cursor.acceptOne('deferrable')
  );
}

function end(cursor: Cursor): void {
  cursor.acceptOne('transaction', 'work');
  cursor.record('transaction');
}

function rollback(cursor: Cursor): void {
  end(cursor);
  if (!cursor.accept('to')) return;
  cursor.accept('savepoint');
  cursor.name();
}

/** `VACUUM` or `ANALYZE` has been read. */
function maintain(cursor: Cursor): void {
  while (cursor.acceptOne('full', 'verbose', 'analyze'));
  if (!cursor.atName()) {
    cursor.record('admin');
    return;
  }
  cursor.listOf(() => {
    cursor.record('admin', cursor.table());
    if (cursor.atSign('(')) names(cursor);
  });
}

function lock(cursor: Cursor): void {
  cursor.accept('table');
  cursor.listOf(() => cursor.record('admin', cursor.table()));
  if (cursor.accept('in')) {
    while (cursor.acceptOne('access', 'row', 'share', 'update', 'exclusive'));
    cursor.expect('mode');
  }
  cursor.accept('nowait');
}

const privilegeWords = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'];

/** Privileges on tables; all other ones are not understood. */
function privileges(cursor: Cursor, direction: 'to' | 'from'): void {
  cursor.accept('grant', 'option', 'for');
  cursor.listOf(() => {
    if (cursor.accept('all')) cursor.accept('privileges');
    else cursor.expectOne(...privilegeWords);
    if (cursor.atSign('(')) names(cursor);
  });
  cursor.expect('on');
  cursor.accept('table');
  cursor.listOf(() => cursor.record('admin', cursor.table()));
  cursor.expect(direction);
  cursor.listOf(() => cursor.name());
  cursor.accept('with', 'grant', 'option');
  cursor.acceptOne('cascade', 'restrict');
}
