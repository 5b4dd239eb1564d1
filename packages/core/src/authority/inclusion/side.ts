/** One side of a comparison in the space of a shape: what each authority of a meet allows, and what takes away. */
import type { Meet } from '../meet.js';
import { type Bucket, type Level, type Rule, lower } from '../authority.js';
import type { Verb } from '../region.js';
import type { ToolName } from '../../ground/index.js';
import type { Box, FieldSet } from '../box.js';
import { fingerprint } from '../kind/index.js';
import type { Product } from './product.js';
import type { Space } from './space.js';

/** A rule as a product of the space. */
export interface Entry {
  /** Unique in its side: `0.allow.3`: factor, list, place in the list. */
  readonly ref: string;
  readonly rule: Rule;
  readonly product: Product;
  /** Equal for rules that are the same box, of either side. */
  readonly print: string;
  /** Of a denial or an ask: of a region it judges only the value named. */
  readonly named: boolean;
}

/** One authority of a meet at one level. */
export interface Factor {
  readonly allow: readonly Entry[];
  /** Denials, and asks that cap below the level. */
  readonly takeaways: readonly Entry[];
}

/** All authorities of a meet at one level; an access is inside iff it is inside each. */
export type Side = readonly Factor[];

/** The buckets of a meet for one (tool, verb); undefined where one of its authorities allows nothing there. */
export function bucketsOf(meet: Meet, tool: ToolName, verb: Verb): readonly Bucket[] | undefined {
  const buckets = meet.factors.map((authority) => authority.bucket(tool, verb));
  const known = buckets.filter((bucket) => bucket !== undefined);
  return known.length === buckets.length ? known : undefined;
}

/** A side at a level. */
export function sideAt(space: Space, buckets: readonly Bucket[], level: Level): Side {
  const free = (rule: Rule): boolean => lower(rule.level, level) === level;
  return buckets.map((bucket, factor) => ({
    allow: entries(space, `${factor}.allow`, bucket.allow, free),
    takeaways: [
      ...entries(space, `${factor}.deny`, bucket.deny, () => true),
      ...entries(space, `${factor}.ask`, bucket.ask, (rule) => !free(rule)),
    ],
  }));
}

function entries(
  space: Space,
  list: string,
  rules: readonly Rule[],
  counts: (rule: Rule) => boolean,
): readonly Entry[] {
  const allows = list.endsWith('allow');
  const found: Entry[] = [];
  for (const [at, rule] of rules.entries()) {
    const product = counts(rule) ? productOf(space, rule.box, allows) : undefined;
    if (product === undefined) continue;
    const named = !allows && rule.box.judgesNamed(space.shape.namedOnly);
    found.push({ ref: `${list}.${at}`, rule, product, print: boxPrint(rule.box), named });
  }
  return found;
}

function productOf(space: Space, box: Box, allows: boolean): Product | undefined {
  return allows ? space.allowing(box) : space.refusing(box);
}

const prints = new WeakMap<Box, string>();

/** The same for boxes that hold the same accesses for the same reasons. */
export function boxPrint(box: Box): string {
  const known = prints.get(box);
  if (known !== undefined) return known;
  const cover = box.cover === undefined ? '' : JSON.stringify(box.cover.paths);
  const flags = `${Number(box.judgesNamed(false))}${Number(box.judgesNamed(true))}`;
  const print = `${flags}${cover}${box.fields.map(fieldPrint).sort().join(';')}`;
  prints.set(box, print);
  return print;
}

function fieldPrint({ key, set, ifCarried, whole }: FieldSet): string {
  return `${key}=${fingerprint(set)}${Number(ifCarried)}${Number(whole === true)}`;
}

/** The levels at which the nested sets of the buckets differ, the freest first. */
export function distinctLevels(buckets: readonly Bucket[]): readonly Level[] {
  const named = new Set<Level>(
    buckets.flatMap(({ allow, ask }) => [...allow, ...ask].map(({ level }) => level)),
  );
  return (['permit', 'session', 'once'] as const).filter((level) => level === 'permit' || named.has(level));
}
