/** One side of a comparison in the space of a shape: what each authority of a meet allows, and what takes away. */
import type { Meet } from '../meet.js';
import { type Bucket, type Level, type Rule, lower } from '../authority.js';
import type { Verb } from '../region.js';
import type { ToolName } from '../../ground/index.js';
import type { Product } from './product.js';
import type { SideName } from './shape.js';
import type { Space } from './space.js';

/** A rule as a product of the space. */
export interface Entry {
  /** Unique in its side: `0.allow.3`: factor, list, place in the list. */
  readonly ref: string;
  readonly rule: Rule;
  /** Of no access of the shape: undefined. Made when first asked for, since what stands in both sides is never looked at. */
  readonly product: Product | undefined;
  /** Equal for rules that are the same box, of either side. */
  readonly print: string;
  /** Of a denial or an ask: of a region it judges only the value named. */
  readonly named: boolean;
  /** False only where it is seen at once that the rule holds nothing of a product. */
  mayMeet?(piece: Product): boolean;
}

/** A rule that some access of the shape can meet. */
export interface Present extends Entry {
  readonly product: Product;
}

/** One authority of a meet at one level. */
export interface Factor<E extends Entry = Entry> {
  readonly allow: readonly E[];
  /** Denials, and asks that cap below the level. */
  readonly takeaways: readonly E[];
}

/** All authorities of a meet at one level; an access is inside iff it is inside each. */
export type Side<E extends Entry = Entry> = readonly Factor<E>[];

/** The side without rules that no access of the shape can meet. */
export function presentIn(side: Side): Side<Present> {
  return side.map(({ allow, takeaways }) => ({
    allow: allow.flatMap(present),
    takeaways: takeaways.flatMap(present),
  }));
}

function present({ ref, rule, product, print, named }: Entry): readonly Present[] {
  return product === undefined ? [] : [{ ref, rule, product, print, named }];
}

/** The buckets of a meet for one (tool, verb); undefined where one of its authorities allows nothing there. */
export function bucketsOf(meet: Meet, tool: ToolName, verb: Verb): readonly Bucket[] | undefined {
  const buckets = meet.factors.map((authority) => authority.bucket(tool, verb));
  const known = buckets.filter((bucket) => bucket !== undefined);
  return known.length === buckets.length ? known : undefined;
}

/** A space, and the side whose rules are turned into products of it. */
export interface SpaceSide {
  readonly space: Space;
  readonly side: SideName;
}

/** A side at a level. */
export function sideAt({ space, side }: SpaceSide, buckets: readonly Bucket[], level: Level): Side {
  const free = (rule: Rule): boolean => lower(rule.level, level) === level;
  return buckets.map((bucket, factor) => ({
    allow: entries({ space, side }, `${factor}.allow`, bucket.allow, free),
    takeaways: [
      ...entries({ space, side }, `${factor}.deny`, bucket.deny, () => true),
      ...entries({ space, side }, `${factor}.ask`, bucket.ask, (rule) => !free(rule)),
    ],
  }));
}

function entries(
  of: SpaceSide,
  list: string,
  rules: readonly Rule[],
  counts: (rule: Rule) => boolean,
): readonly Entry[] {
  const allows = list.endsWith('allow');
  return rules.flatMap((rule, at) =>
    counts(rule) ? [new RuleEntry(of, rule, `${list}.${at}`, allows)] : [],
  );
}

class RuleEntry implements Entry {
  readonly ref: string;
  readonly rule: Rule;
  readonly print: string;
  readonly named: boolean;
  readonly #of: SpaceSide;
  readonly #allows: boolean;
  #product: Product | 'none' | undefined;

  constructor(of: SpaceSide, rule: Rule, ref: string, allows: boolean) {
    this.ref = ref;
    this.rule = rule;
    this.print = rule.box.print;
    this.named = !allows && rule.box.judgesNamed(of.space.shape.namedOnly);
    this.#of = of;
    this.#allows = allows;
  }

  mayMeet(piece: Product): boolean {
    if (this.#product !== undefined) return true;
    const { space } = this.#of;
    return this.rule.box.fields.every((field) => space.mayMeet(field, piece.get(field.key)));
  }

  get product(): Product | undefined {
    const { box } = this.rule;
    const { space, side } = this.#of;
    this.#product ??= (this.#allows ? space.allowing(box, side) : space.refusing(box, side)) ?? 'none';
    return this.#product === 'none' ? undefined : this.#product;
  }
}

/** The levels at which the nested sets of the buckets differ, the freest first. */
export function distinctLevels(buckets: readonly Bucket[]): readonly Level[] {
  const named = new Set<Level>(
    buckets.flatMap(({ allow, ask }) => [...allow, ...ask].map(({ level }) => level)),
  );
  return (['permit', 'session', 'once'] as const).filter((level) => level === 'permit' || named.has(level));
}
