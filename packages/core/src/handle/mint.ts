/** Handles: unguessable names, and the only form in which one may be written down. */
import { type Digest, type Entropy, type Handle, base32, handleFrom, hmacSha256 } from '../ground/index.js';

/** A fresh handle from 128 random bits. */
export function mintHandle(entropy: Entropy): Handle {
  return handleFrom(base32(entropy.bytes(16)));
}

/** What logs and audit records may hold of a handle, or of a text in its place. The salt is secret and new in every process. */
export function handleHash(salt: Uint8Array, handle: string): Digest {
  return hmacSha256(salt, handle);
}
