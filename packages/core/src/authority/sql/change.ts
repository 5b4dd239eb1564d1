/** INSERT, UPDATE and DELETE. */
import type { TableName } from './access.js';
import type { Cursor } from './cursor.js';
import { expression, expressions } from './expression.js';
import { names, notAnAlias, notNamedQuery, sources, target } from './from.js';
import { item, query, rows, tail, withQueries } from './query.js';

/** A statement on data: a query, or one that changes rows, each perhaps after a WITH. */
export function data(cursor: Cursor): void {
  withQueries(cursor, (within) => {
    if (within.accept('insert', 'into')) insert(within);
    else if (within.accept('update')) update(within);
    else if (within.accept('delete', 'from')) remove(within);
    else query(within);
  });
}

function insert(cursor: Cursor): void {
  const named = cursor.table();
  if (cursor.accept('as')) cursor.name();
  notNamedQuery(cursor, named);
  cursor.record('insert', named);
  if (cursor.atSign('(') && !isQueryAhead(cursor)) names(cursor);
  if (cursor.accept('overriding')) {
    cursor.expectOne('system', 'user');
    cursor.expect('value');
  }
  if (!cursor.accept('default', 'values')) {
    if (cursor.accept('values')) rows(cursor);
    else query(cursor);
  }
  conflict(cursor, named);
  returning(cursor);
}

function isQueryAhead(cursor: Cursor): boolean {
  const { kind, text } = cursor.peek(1);
  return (kind === 'word' && ['select', 'with', 'values', 'table'].includes(text)) || cursor.atSign('(', 1);
}

/** What happens to a row that is there already. */
function conflict(cursor: Cursor, named: TableName): void {
  if (cursor.accept('on', 'duplicate', 'key', 'update')) {
    cursor.record('update', named);
    assignments(cursor);
    return;
  }
  if (!cursor.accept('on', 'conflict')) return;
  if (cursor.accept('on', 'constraint')) cursor.name();
  else if (cursor.atSign('(')) cursor.enclosed(() => expressions(cursor));
  if (cursor.accept('where')) expression(cursor);
  cursor.expect('do');
  if (cursor.accept('nothing')) return;
  cursor.expect('update', 'set');
  cursor.record('update', named);
  assignments(cursor);
  if (cursor.accept('where')) expression(cursor);
}

function update(cursor: Cursor): void {
  const named = target(cursor);
  cursor.record('update', named);
  cursor.expect('set');
  assignments(cursor);
  cursor.withSources((aliases) => {
    if (cursor.accept('from')) sources(cursor);
    notAnAlias(cursor, named, aliases);
    ending(cursor);
  });
}

function remove(cursor: Cursor): void {
  const named = target(cursor);
  cursor.record('delete', named);
  cursor.withSources((aliases) => {
    if (cursor.accept('using')) sources(cursor);
    notAnAlias(cursor, named, aliases);
    ending(cursor);
  });
}

/** `a = 1, (b, c) = (2, 3)`. */
function assignments(cursor: Cursor): void {
  cursor.listOf(() => {
    if (cursor.atSign('(')) {
      names(cursor);
    } else {
      cursor.name();
      while (cursor.acceptSign('.')) cursor.anyName();
    }
    cursor.expectSign('=');
    expression(cursor);
  });
}

function ending(cursor: Cursor): void {
  if (cursor.accept('where')) expression(cursor);
  tail(cursor);
  returning(cursor);
}

function returning(cursor: Cursor): void {
  if (cursor.accept('returning')) cursor.listOf(() => item(cursor));
}
