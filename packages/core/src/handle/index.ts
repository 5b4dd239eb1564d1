/** Handle: tools as a session knows them, by unguessable names. */
export { type Located, type Locator, locatorOf, noSuchCapMessage } from './locator.js';
export { handleHash, mintHandle } from './mint.js';
export { opaqueName, readableName } from './name.js';
export { type Entry, type Mounted, Registry, type RegistryTable } from './registry.js';
export { type Mount, type Opening, type Session, Sessions, type SessionsOptions } from './session.js';
