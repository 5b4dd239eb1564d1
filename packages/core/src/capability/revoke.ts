/** Revocation: what is revoked authorises nothing any more. Not attenuation, which leaves less. */
import type { CapId, ExecutorId, KeyId, SessionId } from '../ground/index.js';
import type { Ancestor, Lifeline } from './manifest.js';

/** One thing that was revoked, with everything derived from it. */
export type Revocation =
  | { readonly kind: 'capability'; readonly id: CapId }
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'executor'; readonly id: ExecutorId }
  | { readonly kind: 'key'; readonly id: KeyId };

/** What a session hangs on. */
export interface RevocableSession {
  readonly id: SessionId;
  readonly key: KeyId;
  readonly executors: Iterable<ExecutorId>;
}

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

  /** How many were revoked; another number says that something was. */
  get size(): number {
    return this.#revoked.size;
  }

  /**
   * Whether a capability was revoked: itself, its session, its credential, an executor whose authority it intersects, or what it
   * was derived from.
   */
  covers({ id, session, key, epochs, ancestors = [] }: Lifeline): boolean {
    if (this.size === 0) return false;
    return (
      this.has({ kind: 'capability', id }) ||
      ancestors.some((from) => this.#coversAncestor(from)) ||
      this.coversSession({ id: session, key, executors: epochs.keys() })
    );
  }

  #coversAncestor({ id, session }: Ancestor): boolean {
    return this.has({ kind: 'capability', id }) || this.has({ kind: 'session', id: session });
  }

  /** Whether everything of a session was revoked: itself, its credential, or one of the executors. */
  coversSession({ id, key, executors }: RevocableSession): boolean {
    if (this.size === 0) return false;
    if (this.has({ kind: 'session', id }) || this.has({ kind: 'key', id: key })) return true;
    for (const executor of executors) if (this.has({ kind: 'executor', id: executor })) return true;
    return false;
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
