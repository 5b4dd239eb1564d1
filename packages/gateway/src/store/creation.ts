/** The first record of a store: who it is and which keys are its own. */
import { type StoreId, canonicalJson, recordText } from '@pawl/core';
import type { Entry } from './backend.js';
import { type Seal, fingerprint } from './seal.js';

/** The record, and the row that it chains. */
export function creation(id: StoreId, seal: Seal, at: number): Entry {
  const { publicKey } = seal;
  const facts = { id, publicKey, digestKey: fingerprint(seal.digestKey), createdAt: at };
  const record = recordText({ type: 'event', event: 'store_created', data: { id, publicKey } });
  return { at, record, rows: [{ kind: 'store', id: 'store', text: canonicalJson(facts) }] };
}
