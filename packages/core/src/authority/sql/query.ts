/** Queries: WITH, SELECT, VALUES, TABLE, set operations, and what follows them. */
import type { Cursor } from './cursor.js';
import { expression, expressions, ordering, window } from './expression.js';
import { names, sources } from './from.js';

/** `[WITH …] …`, one level deeper than what holds it. */
export function query(cursor: Cursor): void {
  cursor.deeper(() => withQueries(cursor, queryBody));
}

/** Reads a WITH if there is one, and with its names what it is for. */
export function withQueries(cursor: Cursor, body: (cursor: Cursor) => void): void {
  if (!cursor.accept('with')) {
    body(cursor);
    return;
  }
  const recursive = cursor.accept('recursive');
  cursor.scoped((add) => {
    cursor.listOf(() => namedQuery(cursor, recursive, add));
    body(cursor);
  });
}

/** Without RECURSIVE the name is known only after its query: within it a table of that name is meant, or may be. */
function namedQuery(cursor: Cursor, recursive: boolean, add: (name: string) => void): void {
  const name = cursor.name();
  if (cursor.atSign('(')) names(cursor);
  cursor.expect('as');
  if (!cursor.accept('not', 'materialized')) cursor.accept('materialized');
  if (recursive) add(name);
  cursor.enclosed(() => cursor.data());
  add(name);
}

function queryBody(cursor: Cursor): void {
  const { mark } = cursor;
  term(cursor);
  while (cursor.acceptOne('union', 'intersect', 'except')) {
    cursor.acceptOne('all', 'distinct');
    term(cursor);
  }
  tail(cursor);
  locking(cursor, mark);
}

function term(cursor: Cursor): void {
  if (cursor.atSign('(')) cursor.enclosed(() => cursor.query());
  else if (cursor.accept('values')) rows(cursor);
  else if (cursor.accept('table')) cursor.recordSource(cursor.table());
  else select(cursor);
}

/** `VALUES` has been read: `(1, 2), (3, 4)`. */
export function rows(cursor: Cursor): void {
  cursor.listOf(() => cursor.enclosed(() => expressions(cursor)));
}

function select(cursor: Cursor): void {
  cursor.expect('select');
  cursor.withSources(() => {
    quantifier(cursor);
    cursor.listOf(() => item(cursor));
    into(cursor);
    if (cursor.accept('from')) sources(cursor);
    if (cursor.accept('where')) expression(cursor);
    if (cursor.accept('group', 'by')) grouping(cursor);
    if (cursor.accept('having')) expression(cursor);
    if (cursor.accept('window')) cursor.listOf(() => namedWindow(cursor));
  });
}

function quantifier(cursor: Cursor): void {
  if (cursor.accept('distinct', 'on')) cursor.enclosed(() => expressions(cursor));
  else cursor.acceptOne('all', 'distinct');
  if (cursor.atWord('top') && cursor.peek(1).kind === 'number') {
    cursor.take();
    cursor.take();
  }
}

/** What is selected, with its alias. */
export function item(cursor: Cursor): void {
  if (cursor.acceptSign('*')) return;
  expression(cursor);
  if (!cursor.accept('as')) {
    if (cursor.atName()) cursor.name();
    return;
  }
  if (cursor.peek().kind === 'text') cursor.take();
  else cursor.anyName();
}

/** `SELECT … INTO t` makes the table. */
function into(cursor: Cursor): void {
  if (!cursor.accept('into')) return;
  cursor.acceptOne('temp', 'temporary', 'unlogged');
  cursor.accept('table');
  cursor.record('ddl', cursor.table());
}

function grouping(cursor: Cursor): void {
  cursor.listOf(() => {
    if (cursor.accept('grouping', 'sets')) cursor.enclosed(() => cursor.listOf(() => groupingSet(cursor)));
    else expression(cursor);
  });
  cursor.accept('with', 'rollup');
}

function groupingSet(cursor: Cursor): void {
  if (!cursor.acceptSign('(')) {
    expression(cursor);
    return;
  }
  if (!cursor.atSign(')')) expressions(cursor);
  cursor.expectSign(')');
}

function namedWindow(cursor: Cursor): void {
  cursor.name();
  cursor.expect('as');
  window(cursor);
}

/** ORDER BY, LIMIT, OFFSET, FETCH. */
export function tail(cursor: Cursor): void {
  if (cursor.accept('order', 'by')) ordering(cursor);
  for (let more = true; more; ) {
    if (cursor.accept('limit')) limit(cursor);
    else if (cursor.accept('offset')) offset(cursor);
    else if (cursor.accept('fetch')) fetch(cursor);
    else more = false;
  }
}

function limit(cursor: Cursor): void {
  if (cursor.accept('all')) return;
  expression(cursor);
  if (cursor.acceptSign(',')) expression(cursor);
}

function offset(cursor: Cursor): void {
  expression(cursor);
  cursor.acceptOne('row', 'rows');
}

function fetch(cursor: Cursor): void {
  cursor.expectOne('first', 'next');
  if (!cursor.atWord('row', 'rows')) expression(cursor);
  cursor.expectOne('row', 'rows');
  if (!cursor.accept('only')) cursor.expect('with', 'ties');
}

/** `FOR UPDATE` and the like lock rows, which keeps others from changing them: all tables of the query count as changed. */
function locking(cursor: Cursor, mark: number): void {
  if (!cursor.accept('for')) return;
  cursor.accept('no', 'key');
  cursor.accept('key');
  cursor.expectOne('update', 'share');
  if (cursor.accept('of')) cursor.listOf(() => cursor.name());
  if (!cursor.accept('skip', 'locked')) cursor.accept('nowait');
  cursor.also('update', mark);
}
