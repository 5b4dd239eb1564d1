/** Revocations over the chain. */
import type { RevocationStore } from './ports.js';
import { readRevocation, revocationId, revocationRow } from './row.js';
import type { Table } from './table.js';

/** The port over a store's rows. */
export function revocationStore(table: Table): RevocationStore {
  return {
    list: async () =>
      table
        .ofKind('revocation')
        .map(readRevocation)
        .sort((a, b) => a.at - b.at),
    add: (revocation) =>
      table.exclusively(async () => {
        if (table.text('revocation', revocationId(revocation)) !== undefined) return;
        const { subject, id } = revocation;
        await table.change('revoked', { subject, id }, [revocationRow(revocation)]);
      }),
  };
}
