/** Freezes over the chain. */
import type { Clock } from '@pawl/core';
import type { FreezeTable } from './ports.js';
import { freezeRow, readFreeze } from './row.js';
import type { Table } from './table.js';

/** The port over a store's rows. */
export function freezeTable(table: Table, clock: Clock): FreezeTable {
  return {
    list: async () =>
      table
        .ofKind('freeze')
        .map(readFreeze)
        .sort((a, b) => a.at - b.at)
        .map(({ name }) => name),
    freeze: (name) =>
      table.exclusively(async () => {
        if (table.text('freeze', name) !== undefined) return;
        await table.change('frozen', { name }, [freezeRow({ name, at: Math.round(clock.wall()) })]);
      }),
    lift: (name) =>
      table.exclusively(async () => {
        if (table.text('freeze', name) === undefined) return;
        await table.change('thawed', { name }, [{ kind: 'freeze', id: name, text: null }]);
      }),
  };
}
