/** Identity: who presents what, and whom that stands for. */
export type { Credential } from './credential.js';
export { type IssuedKey, type KeyHolder, type KeyRecord, authenticate, issueKey, keyIdOf } from './key.js';
export {
  type KeyFile,
  type KeyFileResult,
  parseKeyFile,
  printKeyFile,
  readKeyFile,
  writeKeyFile,
} from './key-file.js';
