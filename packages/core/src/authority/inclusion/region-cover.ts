/**
 * Folders with all that their accesses reach, compared exactly. A folder may be covered by several rules together and is met
 * by a denial of anything it reaches, so points do not tell. Arguments and other fields are cut into cells in which each rule
 * holds as a whole or not at all; in a cell folders are languages.
 */
import { type Language, intersect, isEmpty, minus, nothing, unionAll } from '../automaton/index.js';
import { type Reach, foldersInside, foldersMeeting, meets, textSet } from '../kind/index.js';
import { type Product, keysOutside, productsMeet, wholeProduct, withSet } from './product.js';
import type { Rule } from '../authority.js';
import { type Factor, type Present, type Side, type SpaceSide, presentIn } from './side.js';
import { halves } from './subtract.js';
import type { Space } from './space.js';
import type { Steps } from './steps.js';

/** The one field of the shape that holds folders, and how far they reach. */
export interface Folders {
  readonly key: string;
  readonly reach: Reach;
}

/** The folder field of a shape that has one and no other region; undefined otherwise. */
export function foldersOf({ shape }: Space): Folders | undefined {
  const [only, second] = shape.regions;
  if (only === undefined || second !== undefined) return undefined;
  const [key, reach] = only;
  return reach === 'all' ? undefined : { key, reach };
}

/** Folders that NEW holds and OLD does not, or undefined. Exact. Throws OutOfSteps and TooManyStates. */
export function regionGap(
  space: Space,
  folders: Folders,
  sides: { readonly next: Side; readonly old: Side },
  steps: Steps,
): { readonly gap: Product; readonly rule: string } | undefined {
  const [next, old] = [presentIn(sides.next), presentIn(sides.old)];
  return cellGap({ space, folders, next, old, steps }, wholeProduct);
}

interface Comparing {
  readonly space: Space;
  readonly folders: Folders;
  readonly next: Side<Present>;
  readonly old: Side<Present>;
  readonly steps: Steps;
}

function cellGap(about: Comparing, cell: Product): ReturnType<typeof regionGap> {
  about.steps.spend();
  const { space } = about;
  const split = splitting(about, cell);
  if (split === undefined) return leafGap(about, cell);
  const { inside, outside } = halves(space, cell, split.key, split.entry.product);
  const found = inside && cellGap(about, inside);
  return found ?? (outside && cellGap(about, outside));
}

/** A rule that holds in a part of the cell only, and the key that says in which. */
function splitting(
  { space, folders, next, old }: Comparing,
  cell: Product,
): { key: string; entry: Present } | undefined {
  for (const { allow, takeaways } of [...next, ...old]) {
    for (const entry of [...allow, ...takeaways]) {
      const others = withoutKey(entry.product, folders.key);
      if (!productsMeet(cell, others)) continue;
      const [key] = keysOutside(others, cell, (at) => space.universe(at));
      if (key !== undefined) return { key, entry };
    }
  }
  return undefined;
}

function withoutKey(product: Product, key: string): Product {
  if (!product.has(key)) return product;
  const others = new Map(product);
  others.delete(key);
  return others;
}

function leafGap(about: Comparing, cell: Product): ReturnType<typeof regionGap> {
  const { space, folders, next, old } = about;
  const held = next.map((factor) => heldIn(about, cell, factor)).reduce(intersect);
  if (isEmpty(held)) return undefined;
  for (const factor of old) {
    const gained = minus(held, heldIn(about, cell, factor));
    if (isEmpty(gained)) continue;
    const set = textSet(gained);
    const gap = space.settled(withSet(cell, folders.key, set));
    const allow = next[0]?.allow ?? [];
    const rule = allow.find(({ product }) => meets(space.at(product, folders.key), set));
    if (gap !== undefined) return { gap, rule: rule?.rule.rule ?? '' };
  }
  return undefined;
}

/** The folders that one authority holds in a cell. */
function heldIn(about: Comparing, cell: Product, { allow, takeaways }: Factor<Present>): Language {
  const { space, folders } = about;
  const { platform } = space.shape.paths;
  const texts = (entries: readonly Present[]): Language =>
    unionAll(entries.map(({ product }) => space.at(product, folders.key).text));
  const here = (entry: Present): boolean => productsMeet(cell, withoutKey(entry.product, folders.key));
  const allowed = texts(allow.filter(here));
  if (allowed === nothing) return nothing;
  const against = takeaways.filter(here);
  const below = texts(against.filter(({ named }) => !named));
  const named = texts(against.filter((entry) => entry.named));
  const inside = foldersInside(allowed, folders.reach, platform);
  return minus(minus(inside, foldersMeeting(below, folders.reach, platform)), named);
}

/** A side in which folders stand for what they reach: exact where one rule alone has to hold all regions of an access. */
export function reaching(space: Space, side: Side): Side<Present> {
  const turn = (entry: Present, inside: boolean): readonly Present[] => {
    const product = new Map(entry.product);
    for (const [key, reach] of space.shape.regions) {
      const set = product.get(key);
      if (reach === 'all' || set === undefined || (entry.named && !inside)) continue;
      const ask = inside ? foldersInside : foldersMeeting;
      const text = ask(set.text, reach, space.shape.paths.platform);
      if (isEmpty(text)) return [];
      product.set(key, textSet(text));
    }
    return [{ ...entry, product }];
  };
  return presentIn(side).map(({ allow, takeaways }) => ({
    allow: allow.flatMap((entry) => turn(entry, true)),
    takeaways: takeaways.flatMap((entry) => turn(entry, false)),
  }));
}

/** Regions of limits as products: what of the accesses of a shape, with all that they reach, meets one of the rules. */
export function reachingMeets({ space, side }: SpaceSide, rules: readonly Rule[]): readonly Present[] {
  const entries = rules.flatMap((rule, at): readonly Present[] => {
    const product = space.refusing(rule.box, side);
    const named = rule.box.judgesNamed(space.shape.namedOnly);
    return product === undefined ? [] : [{ ref: `limit.${at}`, rule, product, print: '', named }];
  });
  return reaching(space, [{ allow: [], takeaways: entries }])[0]?.takeaways ?? [];
}
