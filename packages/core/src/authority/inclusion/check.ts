/**
 * Checks proofs of inclusion. It finds nothing and searches nothing: it works out by itself what has to be shown, and follows
 * each tree with the operations of the kinds alone.
 */
import { type Bucket, type Level, levels } from '../authority.js';
import { includes } from '../kind/index.js';
import { type Product, andProduct, wholeProduct } from './product.js';
import type { LevelProof, PieceProof, Question } from './prove.js';
import { foldersOf, reaching, regionGap } from './region-cover.js';
import { type Present, type Side, presentIn, sideAt } from './side.js';
import type { Space } from './space.js';
import type { Steps } from './steps.js';
import { type CoverTree, type Halves, halves } from './subtract.js';

/** Whether the proofs show that NEW holds nothing in the shape that OLD does not. Throws OutOfSteps and TooManyStates. */
export function checkProof(
  space: Space,
  { next, old }: Question,
  proofs: readonly LevelProof[],
  steps: Steps,
): boolean {
  if (next === undefined) return true;
  let before: LevelSides | undefined;
  for (const level of levels) {
    const sides = sidesAt(space, next, old ?? [], level);
    const same = before !== undefined && refsOf(before) === refsOf(sides);
    const proof = proofs.find((each) => each.level === level);
    if (!same && (proof === undefined || !checkLevel(space, sides, proof, steps))) return false;
    before = sides;
  }
  return true;
}

interface LevelSides {
  readonly next: Side;
  readonly old: Side;
}

function sidesAt(space: Space, next: readonly Bucket[], old: readonly Bucket[], level: Level): LevelSides {
  return {
    next: sideAt({ space, side: 'next' }, next, level),
    old: old.length === 0 ? [{ allow: [], takeaways: [] }] : sideAt({ space, side: 'old' }, old, level),
  };
}

function refsOf({ next, old }: LevelSides): string {
  const refs = (side: Side): readonly (readonly string[])[] =>
    side.map(({ allow, takeaways }) => [...allow, ...takeaways].map(({ ref }) => ref));
  return JSON.stringify([refs(next), refs(old)]);
}

function checkLevel(space: Space, sides: LevelSides, proof: LevelProof, steps: Steps): boolean {
  const folders = foldersOf(space);
  if (proof.regions === true)
    return folders !== undefined && regionGap(space, folders, sides, steps) === undefined;
  const regions = [...space.shape.regions.values()].filter((extent) => extent !== 'all');
  const asPoints = folders !== undefined || regions.length === 0;
  const turn = asPoints ? presentIn : (side: Side): Side<Present> => reaching(space, side);
  const [next, old] = [turn(sides.next), turn(sides.old)];
  const pieces = piecesIn(space, next);
  const proofs = new Map(proof.pieces.map((piece) => [piece.of, piece]));
  // Of what names a folder of entries points say nothing.
  const byEntries = folders?.reach === 'children' && hasOpenNamed(next, old);
  const about: About = { space, next, old, folders: folders !== undefined, steps };
  if (byEntries) return false;
  return pieces.every(({ of, product }) => {
    const own = proofs.get(of);
    return own !== undefined && checkPiece(about, product, own);
  });
}

interface About {
  readonly space: Space;
  readonly next: Side<Present>;
  readonly old: Side<Present>;
  /** Whether accesses hold folders with what they reach. */
  readonly folders: boolean;
  readonly steps: Steps;
}

/** Whether OLD takes something away by name that NEW does not take away in the same way. */
function hasOpenNamed(next: Side<Present>, old: Side<Present>): boolean {
  const standing = new Set(next.flatMap(({ takeaways }) => takeaways.map(({ print }) => print)));
  return old.some(({ takeaways }) => takeaways.some(({ named, print }) => named && !standing.has(print)));
}

/** One rule of each authority of NEW, in every combination that holds something. */
function piecesIn(
  space: Space,
  side: Side<Present>,
): readonly { readonly of: string; readonly product: Product }[] {
  let pieces: readonly { readonly refs: readonly string[]; readonly product: Product }[] = [
    { refs: [], product: wholeProduct },
  ];
  for (const { allow } of side) {
    pieces = pieces.flatMap(({ refs, product }) =>
      allow.flatMap((entry) => {
        const both = andProduct(product, entry.product);
        const settled = both && space.settled(both);
        return settled === undefined ? [] : [{ refs: [...refs, entry.ref], product: settled }];
      }),
    );
  }
  return pieces.map(({ refs, product }) => ({ of: refs.join(' '), product }));
}

function checkPiece(about: About, piece: Product, { allowed, kept }: PieceProof): boolean {
  const { next, old, folders } = about;
  const taken = next.flatMap(({ takeaways }) => takeaways);
  const covering = folders ? taken.filter(({ named }) => !named) : taken;
  if (allowed.length !== old.length) return false;
  const isAllowed = old.every(({ allow }, at) => {
    const tree = allowed[at];
    return tree !== undefined && follows(about, piece, tree, [...allow, ...covering]);
  });
  return (
    isAllowed && old.every(({ takeaways }) => takeaways.every((each) => isKept(about, piece, each, kept)))
  );
}

/** What OLD takes away is taken away by NEW: as it stands, or because nothing of the piece is left in it. */
function isKept(about: About, piece: Product, takeaway: Present, kept: PieceProof['kept']): boolean {
  const { space, next, folders } = about;
  const taken = next.flatMap(({ takeaways }) => takeaways);
  const fitting = taken.filter(({ named }) => !folders || takeaway.named || !named);
  if (fitting.some((own) => isWithin(space, takeaway.product, own.product))) return true;
  const both = andProduct(piece, takeaway.product);
  const overlap = both && space.settled(both);
  if (overlap === undefined) return true;
  const tree = kept.find(([ref]) => ref === takeaway.ref)?.[1];
  return tree !== undefined && follows(about, overlap, tree, fitting);
}

function isWithin(space: Space, small: Product, big: Product): boolean {
  return [...big].every(([key, set]) => includes(set, space.at(small, key)));
}

/** Follows a tree: what the named product does not cover has a tree of its own, key by key. */
function follows(about: About, piece: Product, tree: CoverTree, coverers: readonly Present[]): boolean {
  const { space, steps } = about;
  steps.spend();
  const coverer = coverers.find(({ ref }) => ref === tree.by);
  if (coverer === undefined) return false;
  const named = new Set(tree.rest.map(([key]) => key));
  for (const [key, set] of coverer.product) {
    if (!named.has(key) && !includes(set, space.at(piece, key))) return false;
  }
  let inner: Product | undefined = piece;
  for (const [key, rest] of tree.rest) {
    const cut: Halves = inner === undefined ? nothing : halves(space, inner, key, coverer.product);
    if (cut.outside !== undefined && !follows(about, cut.outside, rest, coverers)) return false;
    inner = cut.inside;
  }
  return true;
}

const nothing: Halves = { inside: undefined, outside: undefined };
