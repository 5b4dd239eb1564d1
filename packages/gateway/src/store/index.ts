/** The store: audit chain, generations, keys, pins and revocations, durable in one folder. */
export { type StorePaths, storePaths } from './folder.js';
export {
  type GenerationStore,
  type KeyStore,
  type PinStore,
  type ReadRecord,
  type RecordQuery,
  type RevocationStore,
  type Store,
  StoreError,
  type StoreErrorCode,
  type StoredGeneration,
  type StoredKey,
  type StoredPin,
  type StoredRevocation,
} from './ports.js';
export { readRecords, verifyStore } from './reading.js';
export { type StorePowers, memoryStore, openStore } from './store.js';
