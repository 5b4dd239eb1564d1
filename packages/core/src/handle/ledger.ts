/** The ledger of handles: every living one of all sessions, and the latest dead ones, so that the audit can say why. */
import type { Capability } from '../capability/index.js';
import type { DeadReason, Digest, Handle, SessionId } from '../ground/index.js';
import { handleHash } from './mint.js';
import type { Mount } from './opening.js';

/** A living handle. */
export interface Lease {
  readonly session: SessionId;
  readonly mount: Mount;
}

/** A dead one. */
export interface Grave {
  readonly session: SessionId;
  readonly reason: DeadReason;
  /** What the handle stood for, for the audit. */
  readonly capability: Capability;
}

/** What is known of a handle. At most one of the two. */
export interface Found {
  readonly lease: Lease | undefined;
  readonly grave: Grave | undefined;
}

/** Dead handles that are remembered; older ones are `unknown`. */
const maxGraves = 16_384;
/** Stands for a handle that is missing: has the length of one and is none. */
const noHandle = `/object/${'0'.repeat(26)}`;

/** Keyed by salted hashes: how long a lookup takes says nothing about the characters of any handle. */
export class Ledger {
  readonly #salt: Uint8Array;
  readonly #leases = new Map<Digest, Lease>();
  readonly #graves = new Map<Digest, Grave>();

  /** The salt is secret, and the ledger's from now on. */
  constructor(salt: Uint8Array) {
    this.#salt = salt;
  }

  /** What may be written down of a handle. */
  hash(handle: Handle | undefined): Digest {
    return handleHash(this.#salt, handle ?? noHandle);
  }

  /** Enters a living handle. */
  lease(handle: Handle, lease: Lease): void {
    this.#leases.set(this.hash(handle), lease);
  }

  /** Ends a handle. */
  bury(handle: Handle, reason: DeadReason): void {
    const hash = this.hash(handle);
    const lease = this.#leases.get(hash);
    if (lease === undefined) return;
    this.#leases.delete(hash);
    this.#graves.set(hash, { session: lease.session, reason, capability: lease.mount.capability });
    for (const oldest of this.#graves.keys()) {
      if (this.#graves.size <= maxGraves) return;
      this.#graves.delete(oldest);
    }
  }

  /** One hash and two lookups, whatever the handle. */
  find(handle: Handle | undefined): Found {
    const hash = this.hash(handle);
    return { lease: this.#leases.get(hash), grave: this.#graves.get(hash) };
  }
}
