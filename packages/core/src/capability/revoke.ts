/** Revocation: what is revoked authorises nothing any more. Not attenuation, which leaves less. */
import type { CapId, ExecutorId, KeyId, SessionId } from '../ground/index.js';
import type { Capability } from './manifest.js';

/** One thing that was revoked, with everything derived from it. */
export type Revocation =
  | { readonly kind: 'capability'; readonly id: CapId }
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'executor'; readonly id: ExecutorId }
  | { readonly kind: 'key'; readonly id: KeyId };

/** Everything revoked. INVARIANT(S000.revoked-is-not-attenuated): only grows; in force when `revoke` returns. */
export class Revocations {
  readonly #revoked = new Set<string>();
  readonly #listeners = new Set<(revocation: Revocation) => void>();

  /** `known` are those of earlier runs, as a store loads them; nobody is told of them. */
  constructor(known: Iterable<Revocation> = []) {
    for (const revocation of known) this.#revoked.add(keyOf(revocation));
  }

  /** Revokes for good. False if it was revoked before. */
  revoke(revocation: Revocation): boolean {
    const key = keyOf(revocation);
    if (this.#revoked.has(key)) return false;
    this.#revoked.add(key);
    for (const listener of this.#listeners) listener(revocation);
    return true;
  }

  /** Whether exactly this was revoked. */
  has(revocation: Revocation): boolean {
    return this.#revoked.has(keyOf(revocation));
  }

  /** Whether a capability was revoked: itself, its session, its credential, or any executor whose authority it intersects. */
  covers(capability: Capability): boolean {
    if (this.#revoked.size === 0) return false;
    const { id, session, key, epochs } = capability;
    const own: readonly Revocation[] = [
      { kind: 'capability', id },
      { kind: 'session', id: session },
      { kind: 'key', id: key },
    ];
    if (own.some((each) => this.has(each))) return true;
    return [...epochs.keys()].some((executor) => this.has({ kind: 'executor', id: executor }));
  }

  /** Tells of later revocations, after they are in force: a store keeps them, running turns lose their powers. Ends by calling the answer. */
  subscribe(listener: (revocation: Revocation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function keyOf({ kind, id }: Revocation): string {
  return `${kind}:${id}`;
}
