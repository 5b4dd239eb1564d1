/**
 * One connection to SQLite, with typed access to what it gives back. The binding ends statements only when they are
 * collected or their thread ends, and the file stays open that long: so connections live in threads that end.
 */
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { reason } from './folder.js';
import { StoreError, type StoreErrorCode } from './ports.js';

/** A value that can be bound or read. */
export type Cell = string | number | null;
/** A row as read: nothing about it is believed. */
export type Row = { readonly [column: string]: unknown };

/** A connection. Every method throws a {@link StoreError}; statements are prepared once. */
export class Database {
  readonly #connection: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(
    path: string,
    options: { readonly readOnly?: boolean; readonly waitMilliseconds?: number } = {},
  ) {
    this.#connection = translated(
      () =>
        new DatabaseSync(path, {
          readOnly: options.readOnly ?? false,
          timeout: options.waitMilliseconds ?? 250,
          allowExtension: false,
        }),
    );
  }

  /** Runs statements that give nothing back. */
  script(sql: string): void {
    translated(() => this.#connection.exec(sql));
  }

  run(sql: string, ...cells: readonly Cell[]): void {
    translated(() => this.#prepared(sql).run(...cells));
  }

  one(sql: string, ...cells: readonly Cell[]): Row | undefined {
    const row = translated((): unknown => this.#prepared(sql).get(...cells));
    return isRow(row) ? row : undefined;
  }

  all(sql: string, ...cells: readonly Cell[]): readonly Row[] {
    return translated((): readonly unknown[] => this.#prepared(sql).all(...cells)).filter(isRow);
  }

  /** Rows one after the other, each as `read` gives it; the connection must stay open until the end. */
  *each<T>(sql: string, read: (row: Row) => T): Generator<T, void> {
    const rows: Iterator<Row> = translated(() => this.#connection.prepare(sql).iterate());
    try {
      for (;;) {
        const step = translated(() => rows.next());
        if (step.done === true) return;
        yield read(step.value);
      }
    } finally {
      rows.return?.();
    }
  }

  /** Runs `work` in one transaction that takes the write lock first; undone as a whole when it throws. */
  transaction(work: () => void): void {
    this.run('BEGIN IMMEDIATE');
    try {
      work();
      this.run('COMMIT');
    } catch (error) {
      if (this.#connection.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    translated(() => this.#connection.close());
  }

  #prepared(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The column's text, or the empty text when it holds none. */
export function textIn(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : '';
}

/** The column's number, or NaN when it holds none. */
export function numberIn(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : Number.NaN;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

/** Primary result codes of SQLite that say more than "refused". */
const meanings: ReadonlyMap<number, StoreErrorCode> = new Map([
  [8, 'unwritable'],
  [11, 'damaged'],
  [14, 'unwritable'],
  [26, 'damaged'],
]);

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StoreError(codeOf(error), reason(error), { cause: error });
  }
}

function codeOf(error: unknown): StoreErrorCode {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return 'refused';
  return meanings.get(error.errcode & 0xff) ?? 'refused';
}
