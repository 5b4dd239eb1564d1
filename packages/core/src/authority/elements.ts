/**
 * A list as the region of its elements: it lies inside an authority when every element does, each perhaps by another rule
 * (POLICY section 3: a raw array is one value that must hold in every element).
 */
import { type Json, isJsonArray } from '../ground/index.js';
import type { Access } from './access.js';
import { type Bucket, type Level, type Rule, levels, lower } from './authority.js';
import { type Missing, Spread } from './kind/index.js';
import type { Held } from './region.js';

/** Most combinations of elements of several lists that are looked at; beyond, one rule has to hold the lists whole. */
const mostCombinations = 4096;

/** The freest level at which rules hold every element, with these rules; undefined where none is, or no list is long enough. */
export function allowsElements(
  bucket: Bucket,
  access: Access,
): { readonly level: Level; readonly rules: readonly Rule[] } | undefined {
  const points = pointsOf(bucket, access);
  if (points === undefined) return undefined;
  for (const level of levels) {
    const used = coveringRules(
      bucket.allow.filter((rule) => lower(rule.level, level) === level),
      points,
    );
    if (used !== undefined) return { level, rules: used };
  }
  return undefined;
}

function coveringRules(rules: readonly Rule[], points: readonly Access[]): readonly Rule[] | undefined {
  const used = new Set<Rule>();
  for (const point of points) {
    const holding = rules.filter((rule) => rule.box.holdsPoint(point));
    if (holding.length === 0) return undefined;
    for (const rule of holding) used.add(rule);
  }
  return [...used];
}

/** The access with each combination of elements in the place of its lists; undefined where there is nothing to take apart. */
export function pointsOf(bucket: Bucket, access: Access): readonly Access[] | undefined {
  if (!holdsLists(access)) return undefined;
  let points: readonly Access[] = [access];
  let split = false;
  for (const keys of argumentsIn(bucket)) {
    const lists = [...keys].map((key) => [key, elementsOf(access.fields[key])] as const);
    const length = Math.min(...lists.map(([, list]) => list?.length ?? 0));
    if (length < 1 || lists.some(([, list]) => list?.length !== length)) continue;
    if (points.length * length > mostCombinations) return undefined;
    split ||= length > 1;
    points = points.flatMap((point) =>
      Array.from({ length }, (_, at) => ({
        ...point,
        fields: withElements(point.fields, lists, at),
      })),
    );
  }
  return split ? points : undefined;
}

function withElements(
  fields: Access['fields'],
  lists: readonly (readonly [string, readonly (Json | Missing)[] | undefined])[],
  at: number,
): Access['fields'] {
  const changed: Record<string, Held> = { ...fields };
  // oxlint-disable-next-line unicorn/no-null -- no key is inherited
  Object.setPrototypeOf(changed, null);
  for (const [key, list] of lists) {
    const element = list?.[at];
    if (element !== undefined) changed[key] = element;
  }
  return changed;
}

/** Whether any field is a list; asked of nearly every call that no rule admits, so it allocates nothing. */
function holdsLists({ fields }: Access): boolean {
  for (const key in fields) {
    const held = fields[key];
    if (typeof held === 'object' && (Array.isArray(held) || held instanceof Spread)) return true;
  }
  return false;
}

/** The keys of each argument that rules look at: as sent, and in the views of kinds. */
function argumentsIn({ allow }: Bucket): readonly ReadonlySet<string>[] {
  const found = new Map<string, Set<string>>();
  for (const { box } of allow) {
    for (const { key, path } of box.fields) {
      if (path === undefined) continue;
      const name = JSON.stringify(path);
      const keys = found.get(name) ?? new Set();
      found.set(name, keys.add(key));
    }
  }
  return [...found.values()];
}

/** The values in a list that are no lists, at any depth; undefined for what is no list. */
function elementsOf(held: Held | undefined): readonly (Json | Missing)[] | undefined {
  if (held instanceof Spread) return held.elements.flatMap(leaves);
  return isList(held) ? leaves(held) : undefined;
}

function isList(held: Held | undefined): held is readonly Json[] {
  return Array.isArray(held);
}

function leaves(value: Json | Missing): readonly (Json | Missing)[] {
  return typeof value === 'object' && value !== null && isJsonArray(value) ? value.flatMap(leaves) : [value];
}
