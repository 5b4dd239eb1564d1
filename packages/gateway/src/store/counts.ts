/** Counts of named limits over the chain. */
import type { CountStore } from './ports.js';
import { readCount } from './row.js';
import type { Table } from './table.js';

/** The port over a store's rows. */
export function countStore(table: Table): CountStore {
  return { list: async () => table.ofKind('count').map(readCount) };
}
