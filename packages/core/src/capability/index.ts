/** Capability: authority by name, pinned to a generation, until it is revoked, expires, or an epoch moves. */
export { deadReason, movedReason } from './alive.js';
export {
  type Delegated,
  type DelegationCertificate,
  type DelegationRequest,
  type Delegator,
  delegate,
} from './delegate.js';
export { type FrozenName, Freezes, everything, isMeant } from './freeze.js';
export {
  type Ancestor,
  type Capability,
  type Lifeline,
  type Pinned,
  mintCapability,
  pinTo,
} from './manifest.js';
export { type Revocation, Revocations } from './revoke.js';
