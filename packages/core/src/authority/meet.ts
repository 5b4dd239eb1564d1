/** The meet of authorities: what all of them hold. */
import type { Authority } from './authority.js';

/**
 * A meet is kept as its factors: an access, or a region, lies inside a meet iff it lies inside every factor, so nothing is
 * multiplied out and each refusal still knows its layer. The empty meet holds everything.
 */
export interface Meet {
  readonly factors: readonly Authority[];
}

/** The meet of everything given, in the order in which layers name a refusal. */
export function meet(...parts: readonly (Authority | Meet)[]): Meet {
  return Object.freeze({
    factors: Object.freeze(parts.flatMap((part) => ('factors' in part ? part.factors : [part]))),
  });
}
