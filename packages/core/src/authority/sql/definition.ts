/** Statements that make, change and drop tables, views, indexes and schemas. */
import type { TableName } from './access.js';
import type { Cursor } from './cursor.js';
import { expression, type } from './expression.js';
import { names } from './from.js';

/** `CREATE` has been read. */
export function create(cursor: Cursor): void {
  if (cursor.accept('unique', 'index') || cursor.accept('index')) createIndex(cursor);
  else if (cursor.acceptOne('schema', 'database')) createSchema(cursor);
  else createRelation(cursor);
}

/** Neither a schema nor a database is a table: the effect is on none. */
function createSchema(cursor: Cursor): void {
  ifExists(cursor, 'not');
  cursor.name();
  cursor.record('ddl');
}

function createRelation(cursor: Cursor): void {
  const replacing = cursor.accept('or', 'replace');
  cursor.acceptOne('temp', 'temporary', 'unlogged');
  cursor.accept('materialized');
  const view = cursor.accept('view');
  if (!view && (replacing || !cursor.accept('table'))) cursor.fail('something that is not understood');
  ifExists(cursor, 'not');
  cursor.record('ddl', cursor.table());
  if (view && cursor.atSign('(')) names(cursor);
  if (cursor.accept('as')) cursor.query();
  else if (view) cursor.fail('AS is missing');
  else columns(cursor);
}

function ifExists(cursor: Cursor, ...not: readonly 'not'[]): void {
  if (cursor.accept('if')) cursor.expect(...not, 'exists');
}

function createIndex(cursor: Cursor): void {
  cursor.accept('concurrently');
  ifExists(cursor, 'not');
  if (!cursor.atWord('on')) cursor.name();
  cursor.expect('on');
  cursor.record('ddl', cursor.table());
  if (cursor.accept('using')) cursor.expectOne('btree', 'hash', 'gin', 'gist', 'brin', 'spgist');
  cursor.enclosed(() =>
    cursor.listOf(() => {
      expression(cursor);
      cursor.acceptOne('asc', 'desc');
      if (cursor.accept('nulls')) cursor.expectOne('first', 'last');
    }),
  );
  if (cursor.accept('where')) expression(cursor);
}

/** `(a int PRIMARY KEY, UNIQUE (a, b))`. */
function columns(cursor: Cursor): void {
  cursor.enclosed(() =>
    cursor.listOf(() => {
      if (!tableConstraint(cursor)) column(cursor);
    }),
  );
}

function column(cursor: Cursor): void {
  cursor.name();
  type(cursor);
  while (columnConstraint(cursor));
}

function columnConstraint(cursor: Cursor): boolean {
  if (cursor.accept('constraint')) cursor.name();
  if (cursor.acceptOne('null', 'unique', 'autoincrement', 'auto_increment')) return true;
  if (cursor.accept('generated')) {
    if (!cursor.accept('always')) cursor.expect('by', 'default');
    cursor.expect('as', 'identity');
    return true;
  }
  if (cursor.accept('not', 'null') || cursor.accept('primary', 'key')) return true;
  if (cursor.accept('collate')) {
    cursor.name();
    return true;
  }
  if (cursor.accept('default')) {
    defaultValue(cursor);
    return true;
  }
  if (cursor.accept('check')) {
    cursor.enclosed(() => expression(cursor));
    return true;
  }
  if (!cursor.accept('references')) return false;
  reference(cursor);
  return true;
}

/** One value only: what follows it may be a further constraint, as NOT NULL. */
function defaultValue(cursor: Cursor): void {
  const { kind } = cursor.peek();
  cursor.acceptSign('-');
  if (cursor.atSign('(')) cursor.enclosed(() => expression(cursor));
  else if (kind === 'word' && cursor.atSign('(', 1)) expression(cursor);
  else if (!cursor.acceptOne('null', 'true', 'false')) {
    if (cursor.atName() || ['text', 'number'].includes(cursor.peek().kind)) cursor.take();
    else cursor.fail('a default value is missing');
  }
  while (cursor.acceptSign('::')) type(cursor);
}

function tableConstraint(cursor: Cursor): boolean {
  const named = cursor.accept('constraint');
  if (named) cursor.name();
  if (cursor.accept('primary', 'key') || cursor.accept('unique')) {
    names(cursor);
    return true;
  }
  if (cursor.accept('check')) {
    cursor.enclosed(() => expression(cursor));
    return true;
  }
  if (cursor.accept('foreign', 'key')) {
    names(cursor);
    cursor.expect('references');
    reference(cursor);
    return true;
  }
  if (named) cursor.fail('a constraint that is not understood');
  return false;
}

/** A foreign key tells whether the other table has a row, and may keep it from going away. */
function reference(cursor: Cursor): void {
  cursor.record('ddl', cursor.table());
  if (cursor.atSign('(')) names(cursor);
  while (cursor.accept('on')) {
    cursor.expectOne('delete', 'update');
    if (cursor.accept('set')) cursor.expectOne('null', 'default');
    else if (!cursor.accept('no', 'action')) cursor.expectOne('cascade', 'restrict');
  }
}

/** `ALTER` has been read. */
export function alter(cursor: Cursor): void {
  cursor.expect('table');
  ifExists(cursor);
  cursor.accept('only');
  const changed = cursor.table();
  cursor.record('ddl', changed);
  cursor.listOf(() => change(cursor, changed));
}

function change(cursor: Cursor, changed: TableName): void {
  if (cursor.accept('add')) {
    if (tableConstraint(cursor)) return;
    cursor.accept('column');
    ifExists(cursor, 'not');
    column(cursor);
  } else if (cursor.accept('drop')) {
    if (!cursor.accept('constraint')) cursor.accept('column');
    ifExists(cursor);
    cursor.name();
    cursor.acceptOne('cascade', 'restrict');
  } else if (cursor.accept('rename')) {
    rename(cursor, changed);
  } else {
    cursor.expect('alter');
    cursor.accept('column');
    cursor.name();
    alterColumn(cursor);
  }
}

function rename(cursor: Cursor, changed: TableName): void {
  if (!cursor.accept('to')) {
    cursor.accept('column');
    cursor.name();
    cursor.expect('to');
    cursor.name();
    return;
  }
  const made = cursor.table();
  if (made.schema !== undefined) cursor.fail('a new name with a schema');
  cursor.record('ddl', { schema: changed.schema, name: made.name });
}

function alterColumn(cursor: Cursor): void {
  if (cursor.accept('type') || cursor.accept('set', 'data', 'type')) {
    type(cursor);
    if (cursor.accept('using')) expression(cursor);
  } else if (cursor.accept('set', 'default')) {
    expression(cursor);
  } else if (!cursor.accept('set', 'not', 'null') && !cursor.accept('drop', 'not', 'null')) {
    cursor.expect('drop', 'default');
  }
}

/** `DROP` has been read. An index is dropped under its own name, which says nothing of its table: it counts as one. */
export function drop(cursor: Cursor): void {
  if (cursor.acceptOne('schema', 'database')) {
    ifExists(cursor);
    cursor.listOf(() => cursor.name());
    cursor.record('ddl');
  } else {
    cursor.accept('materialized');
    cursor.expectOne('table', 'view', 'index');
    cursor.accept('concurrently');
    ifExists(cursor);
    cursor.listOf(() => cursor.record('ddl', cursor.table()));
  }
  cursor.acceptOne('cascade', 'restrict');
}

/** `TRUNCATE` has been read: rows go away, and not as DELETE removes them. */
export function truncate(cursor: Cursor): void {
  cursor.accept('table');
  cursor.listOf(() => {
    cursor.accept('only');
    const named = cursor.table();
    cursor.record('delete', named);
    cursor.record('ddl', named);
  });
  if (cursor.acceptOne('restart', 'continue')) cursor.expect('identity');
  cursor.acceptOne('cascade', 'restrict');
}
