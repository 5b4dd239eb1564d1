/** Whether a capability still authorises: a comparison of numbers and hashes, never of authorities. */
import type { DeadReason } from '../ground/index.js';
import type { Snapshot } from '../policy/index.js';
import type { Lifeline, Pinned } from './manifest.js';
import type { Revocations } from './revoke.js';

/** What aliveness depends on beside the snapshot. */
export interface AliveContext {
  readonly revocations: Revocations;
  /** Monotonic, milliseconds. */
  readonly now: number;
  /** On the same clock: dead from then on. */
  readonly expiresAt: number;
}

/**
 * Why the capability does not authorise under the snapshot, or undefined while it lives. Revocation first, then expiry, then
 * the generation.
 */
export function deadReason(
  capability: Lifeline,
  snapshot: Snapshot,
  { revocations, now, expiresAt }: AliveContext,
): DeadReason | undefined {
  if (revocations.covers(capability)) return 'revoked';
  if (now >= expiresAt) return 'expired';
  return movedReason(capability, snapshot);
}

/**
 * INVARIANT(S000.generation-compared): the snapshot is of the same store and is the pinned generation or comes after it on one
 * chain (else `generation_not_pinned`), and no epoch moved (else `generation_widened`: authority may have grown). Within an epoch
 * every step of the chain is a proven attenuation, so this is enough (DESIGN section 5.4). Costs the same whatever the policy's size.
 */
export function movedReason({ generation, epochs }: Pinned, snapshot: Snapshot): DeadReason | undefined {
  const { number, store } = snapshot.generation;
  const onChain =
    store === generation.store &&
    number >= generation.number &&
    snapshot.lineage.get(generation.number) === generation.hash;
  if (!onChain) return 'generation_not_pinned';
  for (const [executor, epoch] of epochs) {
    if ((snapshot.epochs.get(executor) ?? 0) !== epoch) return 'generation_widened';
  }
  return undefined;
}
