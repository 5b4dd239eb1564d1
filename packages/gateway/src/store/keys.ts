/** Credentials over the chain. */
import type { KeyId } from '@pawl/core';
import { type KeyStore, StoreError, type StoredKey } from './ports.js';
import { keyRow, readKey } from './row.js';
import type { Table } from './table.js';

/** Whether somebody could present it at that time. */
export function isValidKey({ revokedAt, expiresAt = Infinity }: StoredKey, at: number): boolean {
  return revokedAt === undefined && expiresAt > at;
}

/** The port over a store's rows. */
export function keyStore(table: Table): KeyStore {
  const find = (id: KeyId): StoredKey | undefined => {
    const text = table.text('key', id);
    return text === undefined ? undefined : readKey(text);
  };
  return {
    find,
    valid: (at) =>
      table
        .ofKind('key')
        .map(readKey)
        .filter((key) => isValidKey(key, at)),
    list: async () =>
      table
        .ofKind('key')
        .map(readKey)
        .sort((a, b) => a.issuedAt - b.issuedAt),
    issue: (key) =>
      table.exclusively(async () => {
        if (find(key.id) !== undefined) throw new StoreError('conflict', `the key ${key.id} exists`);
        const { salt: _, hash: __, ...shown } = key;
        await table.change('key_issued', { ...shown }, [keyRow(key)]);
      }),
    revoke: (id, at) =>
      table.exclusively(async () => {
        const key = find(id);
        if (key === undefined || key.revokedAt !== undefined) return false;
        await table.change('key_revoked', { id }, [keyRow({ ...key, revokedAt: at })]);
        return true;
      }),
  };
}
