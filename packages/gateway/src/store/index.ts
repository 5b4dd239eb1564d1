/** The store: audit chain, generations, keys, pins and revocations, durable in one folder. */
export { type StorePaths, storePaths } from './folder.js';
export {
  type PinStore,
  type ReadRecord,
  type SkillStore,
  type Store,
  StoreError,
  type StoredGeneration,
  type StoredKey,
  type StoredPin,
  type StoredSkill,
} from './ports.js';
export {
  type StoredAuthority,
  readAuthority,
  readRecords,
  readStoredGeneration,
  verifyStore,
} from './reading.js';
export { memoryStore, openStore } from './store.js';
export { SecretFolder, secretFault } from './secrets.js';
export { type StoredTokens, TokenFolder } from './tokens.js';
