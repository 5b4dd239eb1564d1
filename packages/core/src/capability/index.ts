/** Capability: authority by name, pinned to a generation, until it is revoked, expires, or an epoch moves. */
export { type AliveContext, deadReason, movedReason } from './alive.js';
export {
  type Capability,
  type CapabilityInit,
  type Lifeline,
  type Pinned,
  mintCapability,
  pinTo,
} from './manifest.js';
export { type RevocableSession, type Revocation, Revocations } from './revoke.js';
