/** Whether an authority holds an access, at which level, and by which rules: every dispatch asks this. */
import type { Access } from './access.js';
import { type Authority, type Bucket, type Level, type Rule, bucketOf, levels, lower } from './authority.js';
import { allowsApart, takeApart } from './elements.js';
import type { Meet } from './meet.js';
import { Region } from './region.js';

/** The access is inside; `rules` are all those that give it its level, at least one of an authority with rules. */
export interface Held {
  readonly level: Level;
  readonly rules: readonly Rule[];
}

/** The access is outside: nothing allows it, or `denial` takes it away. */
export interface Outside {
  readonly level: undefined;
  readonly authority: Authority;
  readonly access: Access;
  readonly bucket: Bucket | undefined;
  readonly denial: Rule | undefined;
}

/** The answer for one access, or for all accesses of a call. */
export type Answer = Held | Outside;

const freest: Held = Object.freeze({ level: 'permit', rules: Object.freeze([]) });

/** One access against one authority. Pure; the order of rules never changes the level. */
export function admits(authority: Authority, access: Access): Answer {
  const bucket = authority.bucket(access.tool, access.verb);
  if (bucket === undefined) return outside(authority, access, bucket, undefined);
  const denial = denialOf(bucket, access);
  if (denial !== undefined) return outside(authority, access, bucket, denial);
  const held =
    access.lists === true
      ? allowsLists(bucket, access)
      : access.regions.length === 0
        ? allowsPoint(bucket, access)
        : allowsRegion(bucket, access);
  if (held === undefined) return outside(authority, access, bucket, undefined);
  return bucket.ask.length === 0 ? held : capped(bucket, access, held);
}

/**
 * All accesses of one call against a meet. The level is the lowest; the first authority, in the order of the meet, that leaves
 * any access outside names the refusal: by its denial where one meets any access, else by the first access outside.
 */
export function admitsAll(authorities: Meet, accesses: readonly Access[]): Answer {
  let answer = freest;
  for (const authority of authorities.factors) {
    for (const access of accesses) {
      const one = admits(authority, access);
      if (one.level === undefined) return one.denial === undefined ? deniedOr(one, accesses) : one;
      answer = join(answer, one);
    }
  }
  return answer;
}

/** Another access of the same call that a denial meets; otherwise the one given. */
function deniedOr(found: Outside, accesses: readonly Access[]): Outside {
  const { authority } = found;
  for (const access of accesses) {
    const bucket = authority.bucket(access.tool, access.verb);
    const denial = bucket && denialOf(bucket, access);
    if (denial !== undefined) return outside(authority, access, bucket, denial);
  }
  return found;
}

function join(a: Held, b: Held): Held {
  if (a === freest) return b;
  return { level: lower(a.level, b.level), rules: [...new Set([...a.rules, ...b.rules])] };
}

/** The first denial that meets the access. Lists of rules are frozen; engines walk those fast by index only. */
function denialOf({ deny }: Bucket, access: Access): Rule | undefined {
  for (let i = 0; i < deny.length; i++) {
    const rule = deny[i];
    if (rule?.box.meets(access) === true) return rule;
  }
  return undefined;
}

/** Lists whole by one rule, or their elements each by its own where that is freer. */
function allowsLists(bucket: Bucket, access: Access): Held | undefined {
  const whole = allows(bucket, access);
  const apart = takeApart(bucket, access);
  if (apart === undefined) return whole;
  const byElement = allowsApart(apart, allows);
  if (apart.empty.size === 0) return freer(whole, byElement);
  const told = new Set(apart.bucket.allow);
  const others = bucketOf(
    bucket.allow.filter((rule) => !told.has(rule)),
    bucket.ask,
    bucket.deny,
  );
  return freer(allows(others, access), byElement);
}

function freer(a: Held | undefined, b: Held | undefined): Held | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return lower(a.level, b.level) === b.level ? a : b;
}

/** One bucket's allow rules over one access, its lists taken whole. */
export function allows(bucket: Bucket, access: Access): Held | undefined {
  return access.regions.length === 0 ? allowsPoint(bucket, access) : allowsRegion(bucket, access);
}

function allowsPoint({ allow }: Bucket, access: Access): Held | undefined {
  let held: { readonly level: Level; readonly rules: Rule[] } | undefined;
  for (let i = 0; i < allow.length; i++) {
    const rule = allow[i];
    if (rule === undefined || (held !== undefined && rule.level !== held.level)) break;
    if (!rule.box.holdsPoint(access)) continue;
    if (held === undefined) held = { level: rule.level, rules: [rule] };
    else held.rules.push(rule);
  }
  return held;
}

/**
 * A region may be covered by several rules together. With one region field the cover is exact: the rules that hold in all
 * other fields are joined in that one. With more, one rule has to hold the whole.
 */
function allowsRegion(bucket: Bucket, access: Access): Held | undefined {
  const { rules, heldBy } = allowedBy(bucket, access);
  for (const level of levels) {
    const free = rules.filter((rule) => lower(rule.level, level) === level);
    if (heldBy(free)) return { level, rules: free };
  }
  return undefined;
}

/** The allow rules that hold an access, alone or, as far as it is a region, together; and which of them suffice. */
export function allowedBy(
  { allow }: Bucket,
  access: Access,
): { readonly rules: readonly Rule[]; readonly heldBy: (rules: readonly Rule[]) => boolean } {
  const [key, second] = access.regions;
  const joined = key !== undefined && second === undefined;
  const skip = joined ? new Set([key]) : new Set<string>();
  const rules = allow.filter((rule) => rule.box.holdsBut(access, skip));
  const heldBy = (some: readonly Rule[]): boolean =>
    some.length > 0 && (!joined || coveredBy(some, access, key));
  return { rules, heldBy };
}

/** The freest level that the `ask` list leaves to an access. */
export function capOf({ ask }: Bucket, access: Access): Level {
  let level: Level = 'permit';
  for (const rule of ask) if (rule.box.meets(access)) level = lower(level, rule.level);
  return level;
}

function coveredBy(rules: readonly Rule[], access: Access, key: string): boolean {
  const region = access.fields[key];
  const sets = rules.map((rule) => rule.box.setOf(key));
  if (sets.includes(undefined)) return true;
  if (!(region instanceof Region)) return false;
  if (region.extent === 'all') return rules.some((rule) => rule.box.takesAll(key));
  return region.inside(sets.filter((set) => set !== undefined));
}

function outside(
  authority: Authority,
  access: Access,
  bucket: Bucket | undefined,
  denial: Rule | undefined,
): Outside {
  return { level: undefined, authority, access, bucket, denial };
}

function capped(bucket: Bucket, access: Access, held: Held): Held {
  const level = lower(held.level, capOf(bucket, access));
  return level === held.level ? held : { level, rules: held.rules };
}
