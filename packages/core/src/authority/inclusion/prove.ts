/** Whether everything that NEW holds in a shape is held by OLD, at every level: a proof, or an access that is gained. */
import type { Bucket, Level } from '../authority.js';
import { type Product, andProduct, wholeProduct } from './product.js';
import { type Folders, foldersOf, reaching, regionGap } from './region-cover.js';
import { type Entry, type Side, distinctLevels, sideAt } from './side.js';
import type { Space } from './space.js';
import type { Steps } from './steps.js';
import { type CoverTree, subtract } from './subtract.js';

/** What proves one level: for each piece of NEW, in order, the trees of its obligations. */
export interface LevelProof {
  readonly level: Level;
  readonly pieces: readonly PieceProof[];
  /** Set where folders had to be compared as a whole: the checker compares them again. */
  readonly regions?: true;
}

/** One piece of NEW: a rule of its policy within its limits. */
export interface PieceProof {
  /** The rules that it is made of. */
  readonly of: string;
  /** For each authority of OLD: that it allows the piece. */
  readonly allowed: readonly CoverTree[];
  /** For each thing that OLD takes away and NEW does not take away as it stands: that the overlap is taken away. */
  readonly kept: readonly (readonly [ref: string, tree: CoverTree])[];
}

/** A gained access: all points of `gap` are held by NEW at `level` and not by OLD. */
export interface Gain {
  readonly level: Level;
  readonly gap: Product;
  /** Path in the document of the rule that holds it. */
  readonly rule: string;
}

/** The answer for one shape. */
export type Verdict =
  | { readonly kind: 'included'; readonly proof: readonly LevelProof[] }
  | { readonly kind: 'gained'; readonly gain: Gain };

/** The buckets of both sides for the verb of the shape; undefined: that side holds nothing there. */
export interface Question {
  readonly next: readonly Bucket[] | undefined;
  readonly old: readonly Bucket[] | undefined;
}

/** Compares. Exact. Throws OutOfSteps and TooManyStates, and then nothing is known. */
export function prove(space: Space, { next, old }: Question, steps: Steps): Verdict {
  const proof: LevelProof[] = [];
  if (next === undefined) return { kind: 'included', proof };
  for (const level of distinctLevels([...next, ...(old ?? [])])) {
    const held = sideAt({ space, side: 'next' }, next, level);
    const against = old === undefined ? nothingHeld : sideAt({ space, side: 'old' }, old, level);
    const found = proveLevel(space, held, against, { level, steps });
    if (!('pieces' in found)) return { kind: 'gained', gain: found };
    proof.push(found);
  }
  return { kind: 'included', proof };
}

const nothingHeld: Side = [{ allow: [], takeaways: [] }];

interface Asked {
  readonly level: Level;
  readonly steps: Steps;
}

function proveLevel(space: Space, next: Side, old: Side, { level, steps }: Asked): LevelProof | Gain {
  const folders = foldersOf(space);
  const several = folders === undefined && hasReach(space);
  const sides = several ? { next: reaching(space, next), old: reaching(space, old) } : { next, old };
  const byPoints = pointProof(space, sides, folders, steps);
  if ('pieces' in byPoints) return { level, pieces: byPoints.pieces };
  if (folders === undefined) return { level, ...byPoints };
  const gap = regionGap(space, folders, sides, steps);
  return gap === undefined ? { level, pieces: [], regions: true } : { level, ...gap };
}

type ByPoints = { readonly pieces: readonly PieceProof[] } | { readonly rule: string; readonly gap: Product };

interface Proving {
  readonly space: Space;
  readonly old: Side;
  readonly taken: TakenAway;
  /** For each authority of OLD its allow rules by fingerprint: a rule that stands in both needs no search. */
  readonly standing: readonly ReadonlyMap<string, string>[];
  /** Points say nothing here. */
  readonly blind: boolean;
  readonly steps: Steps;
}

/** Of folders points alone say "included", never "gained". */
function pointProof(
  space: Space,
  { next, old }: { readonly next: Side; readonly old: Side },
  folders: Folders | undefined,
  steps: Steps,
): ByPoints {
  const pieces: PieceProof[] = [];
  const taken = takenAway(next, old, folders !== undefined);
  const standing = old.map(({ allow }) => new Map(allow.map(({ print, ref }) => [print, ref])));
  // What names the folder of entries is no entry itself.
  const blind = folders?.reach === 'children' && taken.open.some(({ named }) => named);
  for (const piece of piecesOf(next)) {
    const found = provePiece({ space, old, taken, standing, blind, steps }, piece);
    if (found === undefined) continue;
    if ('gap' in found) return { rule: piece.entries[0]?.rule.rule ?? '', gap: found.gap };
    pieces.push(found);
  }
  return { pieces };
}

function hasReach({ shape }: Space): boolean {
  return [...shape.regions.values()].some((extent) => extent !== 'all');
}

/** A rule of NEW within its limits: one allow rule of each authority. */
export interface Piece {
  readonly entries: readonly Entry[];
}

/** Every way to take one allow rule of each authority. Some hold nothing. */
export function piecesOf(side: Side): readonly Piece[] {
  let pieces: readonly Piece[] = [{ entries: [] }];
  for (const { allow } of side)
    pieces = pieces.flatMap(({ entries }) => allow.map((entry) => ({ entries: [...entries, entry] })));
  return pieces;
}

/** The name of a piece in proofs. */
function pieceRef({ entries }: Piece): string {
  return entries.map(({ ref }) => ref).join(' ');
}

/** What a piece holds; undefined: nothing. */
export function pieceProduct(space: Space, { entries }: Piece): Product | undefined {
  let product: Product | undefined = wholeProduct;
  for (const entry of entries) {
    const own = entry.product;
    const both: Product | undefined = product && own && andProduct(product, own);
    product = both && (entries.length > 1 ? space.settled(both) : both);
  }
  return product;
}

/** What both sides take away. */
interface TakenAway {
  /** Of NEW: covers whatever it meets. Named ones cover only what OLD takes away by name too, where there are folders. */
  readonly covering: readonly Entry[];
  readonly coveringNamed: readonly Entry[];
  /** Of OLD, those that NEW does not take away as they stand. */
  readonly open: readonly Entry[];
}

/** A takeaway of OLD that stands in NEW too needs no proof. */
function takenAway(next: Side, old: Side, reach: boolean): TakenAway {
  const all = next.flatMap(({ takeaways }) => takeaways);
  const standing = new Set(all.map(({ print }) => print));
  return {
    covering: reach ? all.filter(({ named }) => !named) : all,
    coveringNamed: all,
    open: old.flatMap(({ takeaways }) => takeaways).filter(({ print }) => !standing.has(print)),
  };
}

/** Undefined for a piece that holds nothing. */
function provePiece(about: Proving, piece: Piece): PieceProof | { readonly gap: Product } | undefined {
  const of = pieceRef(piece);
  const same = standingTrees(about, piece);
  if (same !== undefined && about.taken.open.length === 0) return { of, allowed: same, kept: [] };
  const product = pieceProduct(about.space, piece);
  if (product === undefined) return undefined;
  if (about.blind) return { gap: product };
  const allowed = same ?? allowedTrees(about, product);
  if ('gap' in allowed) return allowed;
  const kept = keptTrees(about, product);
  return 'gap' in kept ? kept : { of, allowed, kept };
}

/** The trees of a piece whose rules stand in every authority of OLD; undefined where some does not. */
function standingTrees({ old, standing }: Proving, { entries }: Piece): readonly CoverTree[] | undefined {
  const refs = old.map((_, at) => standing[at]?.get(entries[at]?.print ?? ''));
  const found = refs.filter((ref) => ref !== undefined);
  return found.length === old.length ? found.map((by) => ({ by, rest: [] })) : undefined;
}

function allowedTrees({ space, old, taken, steps }: Proving, product: Product): readonly CoverTree[] | Gap {
  const trees: CoverTree[] = [];
  for (const { allow } of old) {
    const cut = subtract(space, product, [...allow, ...taken.covering], steps);
    if (cut.kind === 'gap') return cut;
    trees.push(cut.tree);
  }
  return trees;
}

interface Gap {
  readonly gap: Product;
}

function keptTrees({ space, taken, steps }: Proving, product: Product): PieceProof['kept'] | Gap {
  const kept: (readonly [string, CoverTree])[] = [];
  for (const takeaway of taken.open) {
    const both = takeaway.product && andProduct(product, takeaway.product);
    const overlap = both && space.settled(both);
    if (overlap === undefined) continue;
    const coverers = takeaway.named ? taken.coveringNamed : taken.covering;
    const cut = subtract(space, overlap, coverers, steps);
    if (cut.kind === 'gap') return cut;
    kept.push([takeaway.ref, cut.tree]);
  }
  return kept;
}
