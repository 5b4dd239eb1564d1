/** What stands after FROM, USING and JOIN: tables, queries, a few functions, joined. */
import type { TableName } from './access.js';
import type { Cursor } from './cursor.js';
import { atQuery, callArguments, expression, type } from './expression.js';
import { tableFunctions } from './words.js';

/** One or more sources with commas between, each perhaps joined with others. */
export function sources(cursor: Cursor): void {
  cursor.listOf(() => joined(cursor));
}

function joined(cursor: Cursor): void {
  source(cursor);
  while (join(cursor)) {
    source(cursor);
    if (cursor.accept('on')) expression(cursor);
    else if (cursor.accept('using')) names(cursor);
  }
}

/** Steps over what makes a join of what follows; false: nothing is joined. */
function join(cursor: Cursor): boolean {
  const natural = cursor.accept('natural');
  const sort = cursor.acceptOne('inner', 'cross');
  const outer = !sort && cursor.acceptOne('left', 'right', 'full');
  if (outer) cursor.accept('outer');
  if (cursor.accept('join')) return true;
  if (natural || sort || outer) cursor.fail('JOIN is missing');
  return false;
}

function source(cursor: Cursor): void {
  const lateral = cursor.accept('lateral');
  if (cursor.atSign('(')) enclosedSource(cursor);
  else if (cursor.peek().kind === 'word' && cursor.atSign('(', 1)) tableFunction(cursor);
  else if (lateral) cursor.fail('a query or a function is missing');
  else table(cursor);
}

function enclosedSource(cursor: Cursor): void {
  cursor.enclosed(() => {
    if (atQuery(cursor)) {
      cursor.query();
      return;
    }
    joined(cursor);
    if (cursor.acceptOne('union', 'intersect', 'except')) {
      cursor.acceptOne('all', 'distinct');
      cursor.query();
    }
  });
  alias(cursor);
}

function tableFunction(cursor: Cursor): void {
  const { text } = cursor.peek();
  if (!tableFunctions.has(text)) {
    cursor.fail(`the function ${text.slice(0, 40)}, which is not in the list of harmless ones,`);
  }
  cursor.take();
  callArguments(cursor);
  cursor.accept('with', 'ordinality');
  alias(cursor);
}

function table(cursor: Cursor): void {
  cursor.accept('only');
  const named = cursor.table();
  cursor.acceptSign('*');
  if (cursor.atSign('(')) cursor.fail('a function that is not in the list of harmless ones');
  cursor.recordSource(named);
  cursor.sources.add(named.name.toLowerCase());
  alias(cursor);
}

/** `[AS] alias [(columns)]`. */
function alias(cursor: Cursor): void {
  const named = cursor.accept('as');
  if (!named && !cursor.atName()) return;
  cursor.sources.add(cursor.name().toLowerCase());
  if (!cursor.acceptSign('(')) return;
  cursor.listOf(() => {
    cursor.anyName();
    if (!cursor.atSign(',') && !cursor.atSign(')')) type(cursor);
  });
  cursor.expectSign(')');
}

/** `(a, b)`: names of columns. */
export function names(cursor: Cursor): void {
  cursor.expectSign('(');
  cursor.listOf(() => cursor.anyName());
  cursor.expectSign(')');
}

/** The table that a statement changes, with its alias: `[ONLY] t [[AS] alias]`. */
export function target(cursor: Cursor): TableName {
  cursor.accept('only');
  const named = cursor.table();
  if (cursor.accept('as') || cursor.atName()) cursor.name();
  notNamedQuery(cursor, named);
  return named;
}

/** Some databases change the table behind a query of a WITH, others a table of that name: such names are refused. */
export function notNamedQuery(cursor: Cursor, changed: TableName): void {
  if (changed.schema === undefined && cursor.isNamedQuery(changed.name)) {
    cursor.fail(`${changed.name}, which is a query of a WITH here,`);
  }
}

/** In some databases `UPDATE t … FROM secret.users t` changes what the alias stands for: such names are refused. */
export function notAnAlias(cursor: Cursor, changed: TableName, named: ReadonlySet<string>): void {
  if (changed.schema === undefined && named.has(changed.name.toLowerCase())) {
    cursor.fail(`${changed.name}, which is both what is changed and the name of a source,`);
  }
}
