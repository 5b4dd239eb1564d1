/** Identity: who presents what, and whom that stands for. */
export type { Credential } from './credential.js';
export { type IssuedKey, authenticate, issueKey, keyIdOf } from './key.js';
export {
  type KeyFile,
  printKeyFile,
  readKeyFile,
  writeKeyFile,
} from './key-file.js';
