/** Box cover by recursive subtraction: whether a product lies in a union of products, with the tree that proves it. */
import { and, isEmpty, minus } from '../kind/index.js';
import { type Around, pointOutside } from './point.js';
import { type Product, keysOutside, productsMeet, withSet } from './product.js';
import type { Space } from './space.js';
import type { Steps } from './steps.js';

/** A product that may take part in a cover, under the name that proofs call it by. */
export interface Coverer {
  readonly ref: string;
  /** Undefined: it holds nothing. */
  readonly product: Product | undefined;
  /** False only where it is seen at once that nothing of a product is in it. */
  mayMeet?(piece: Product): boolean;
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
export function subtract(space: Space, piece: Product, coverers: readonly Coverer[], steps: Steps): Cut {
  const meeting = meetingIn(space, piece, coverers, steps);
  if ('kind' in meeting) return meeting;
  const point = meeting.length < manyMeeting ? undefined : pointOutside(space, piece, meeting);
  return point === undefined ? cutOut(space, piece, meeting, steps) : { kind: 'gap', gap: point };
}

/** What meets the piece, what sticks out least first; or the answer, where one covers it. */
function meetingIn(
  space: Space,
  piece: Product,
  coverers: readonly Coverer[],
  steps: Steps,
): readonly Meeting[] | Cut {
  steps.spend(1 + (coverers.length >> 6));
  const meeting: Meeting[] = [];
  for (const coverer of coverers) {
    if (coverer.mayMeet?.(piece) === false) continue;
    const { product, ref } = coverer;
    if (product === undefined || !productsMeet(piece, product)) continue;
    const outside = keysOutside(product, piece, (key) => space.universe(key));
    if (outside.length === 0) return { kind: 'covered', tree: { by: ref, rest: [] } };
    meeting.push({ coverer, product, outside });
  }
  steps.spend(meeting.length);
  return meeting.sort((a, b) => a.outside.length - b.outside.length);
}

function cutOut(space: Space, piece: Product, [first, ...others]: readonly Meeting[], steps: Steps): Cut {
  if (first === undefined) return { kind: 'gap', gap: piece };
  const point = others.length < manyMeeting ? undefined : pointOutside(space, piece, [first, ...others]);
  if (point !== undefined) return { kind: 'gap', gap: point };
  const remaining = others.map(({ coverer }) => coverer);
  return around(space, piece, { ...first, remaining }, steps);
}

/** From so many products on that meet a piece, single points are looked at first. */
const manyMeeting = 24;

interface Meeting extends Around {
  readonly coverer: Coverer;
}

/** What sticks out of the first coverer, key by key, has to be covered by the others. */
function around(
  space: Space,
  piece: Product,
  { coverer, product, outside, remaining }: Meeting & { readonly remaining: readonly Coverer[] },
  steps: Steps,
): Cut {
  const rest: (readonly [string, CoverTree])[] = [];
  let inner: Product | undefined = piece;
  for (const key of outside) {
    const cut: Halves = inner === undefined ? noHalves : halves(space, inner, key, product);
    const found: Cut | undefined = cut.outside && subtractPart(space, cut.outside, remaining, steps);
    if (found?.kind === 'gap') return found;
    rest.push([key, found?.tree ?? nothingLeft]);
    inner = cut.inside;
  }
  return { kind: 'covered', tree: { by: coverer.ref, rest } };
}

/** As {@link subtract}, without a look at single points: that is worth its while once a piece. */
function subtractPart(space: Space, piece: Product, coverers: readonly Coverer[], steps: Steps): Cut {
  const meeting = meetingIn(space, piece, coverers, steps);
  return 'kind' in meeting ? meeting : cutOut(space, piece, meeting, steps);
}

/** A product cut in one key; a half that holds nothing is undefined. */
export interface Halves {
  readonly inside: Product | undefined;
  readonly outside: Product | undefined;
}

const noHalves: Halves = { inside: undefined, outside: undefined };

/** Cuts a product by what another one holds in a key. */
export function halves(space: Space, product: Product, key: string, by: Product): Halves {
  const set = by.get(key);
  if (set === undefined) return { inside: product, outside: undefined };
  const own = space.at(product, key);
  const within = and(own, set);
  const left = minus(own, set);
  return {
    inside: isEmpty(within) ? undefined : space.settled(withSet(product, key, within)),
    outside: isEmpty(left) ? undefined : space.settled(withSet(product, key, left)),
  };
}

/** Nothing sticks out there: positions hang together. */
const nothingLeft: CoverTree = Object.freeze({ by: '', rest: Object.freeze([]) });
