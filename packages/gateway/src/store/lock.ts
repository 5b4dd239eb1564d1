/**
 * One writer a store: an exclusive SQLite lock on a file of its own. It is a lock of the operating system's (fcntl, or
 * LockFileEx), so it ends with the process however that ends, and no stale file can hold a store.
 */
import { Database } from './database.js';
import { StoreError } from './ports.js';

/** A held lock. */
export interface Lock {
  release(): void;
}

/** Takes the lock or throws {@link StoreError}: `held` when another process has it. Waits for nobody. */
export function holdLock(path: string): Lock {
  const database = new Database(path, { waitMilliseconds: 0 });
  try {
    database.script('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new StoreError('held', 'another process holds this store', { cause: error });
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  return cause instanceof Error && 'errcode' in cause && cause.errcode === 5;
}
