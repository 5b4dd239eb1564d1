/** Box cover by recursive subtraction: whether a product lies in a union of products, with the tree that proves it. */
import { type ValueSet, and, isEmpty } from '../kind/index.js';
import { type Product, keysOutside, productsMeet, remainder, withSet } from './product.js';
import type { Space } from './space.js';
import type { Steps } from './steps.js';

/** A product that may take part in a cover, under the name that proofs call it by. */
export interface Coverer {
  readonly ref: string;
  readonly product: Product;
}

/**
 * A proof that a product lies in a union. The product named by `by` covers all of it but what sticks out: in each key of
 * `rest`, in this order, the part outside is proved by its own tree, and what goes on to the next key is the part inside.
 */
export interface CoverTree {
  readonly by: string;
  readonly rest: readonly (readonly [key: string, tree: CoverTree])[];
}

/** Covered, with the tree; or a product outside every coverer, never empty. */
export type Cut =
  | { readonly kind: 'covered'; readonly tree: CoverTree }
  | { readonly kind: 'gap'; readonly gap: Product };

/** Subtracts. Exact. Throws OutOfSteps and TooManyStates. */
export function subtract(
  space: Space,
  piece: Product,
  coverers: readonly Coverer[],
  steps: Steps,
): Cut {
  steps.spend(1 + (coverers.length >> 3));
  const meeting: Meeting[] = [];
  for (const coverer of coverers) {
    if (!productsMeet(piece, coverer.product)) continue;
    const outside = keysOutside(coverer.product, piece, (key) => space.universe(key));
    if (outside.length === 0) return { kind: 'covered', tree: { by: coverer.ref, rest: [] } };
    meeting.push({ coverer, outside });
  }
  const [first, ...others] = meeting.sort((a, b) => a.outside.length - b.outside.length);
  if (first === undefined) return { kind: 'gap', gap: piece };
  const remaining = others.map(({ coverer }) => coverer);
  return around(space, piece, { ...first, remaining }, steps);
}

interface Meeting {
  readonly coverer: Coverer;
  /** Keys in which the piece sticks out. */
  readonly outside: readonly string[];
}

/** What sticks out of the first coverer, key by key, has to be covered by the others. */
function around(
  space: Space,
  piece: Product,
  { coverer, outside, remaining }: Meeting & { readonly remaining: readonly Coverer[] },
  steps: Steps,
): Cut {
  const rest: (readonly [string, CoverTree])[] = [];
  let inner: Product | undefined = piece;
  for (const key of outside) {
    const cover = coverer.product.get(key);
    const own: ValueSet | undefined = inner && space.at(inner, key);
    const left = own && remainder(own, cover);
    const part: Product | undefined = inner && left && space.settled(withSet(inner, key, left));
    const cut = part && subtract(space, part, remaining, steps);
    if (cut?.kind === 'gap') return cut;
    rest.push([key, cut?.tree ?? nothingLeft]);
    const within: ValueSet | undefined = own && cover && and(own, cover);
    inner = inner && within && !isEmpty(within) ? space.settled(withSet(inner, key, within)) : undefined;
  }
  return { kind: 'covered', tree: { by: coverer.ref, rest } };
}

/** Nothing sticks out there: positions hang together. */
const nothingLeft: CoverTree = Object.freeze({ by: '', rest: Object.freeze([]) });
