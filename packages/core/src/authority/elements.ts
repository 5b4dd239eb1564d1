/**
 * A list as the region of its elements: it lies inside an authority when every element does, each perhaps by another rule
 * (POLICY section 3: a raw array is one value that must hold in every element). An empty list lies where some element could.
 */
import { type Json, isJsonArray } from '../ground/index.js';
import type { Access } from './access.js';
import { type Bucket, type Level, type Rule, bucketOf, levels, lower } from './authority.js';
import type { Box } from './box.js';
import {
  type Missing,
  type ValueSet,
  Spread,
  and,
  anyElement,
  byElement,
  isByElement,
  isEmpty,
  meets,
  minus,
  missingSet,
  or,
} from './kind/index.js';
import type { Held } from './region.js';

/** Most combinations of elements of several lists that are looked at; beyond, one rule has to hold the lists whole. */
const mostCombinations = 4096;

/** What holds an access. */
export interface HeldBy {
  readonly level: Level;
  readonly rules: readonly Rule[];
}

/** An access with elements in the place of its lists, and the rules that may be asked about it. */
export interface TakenApart {
  readonly points: readonly Access[];
  /** Keys whose lists are empty: they stand for some element, whichever. */
  readonly empty: ReadonlySet<string>;
  /** The bucket with the allow rules that tell those lists by their elements alone. */
  readonly bucket: Bucket;
}

/** Takes the lists of an access apart; undefined where that says nothing new. Never for a list that is too long. */
export function takeApart(bucket: Bucket, access: Access): TakenApart | undefined {
  if (access.lists !== true) return undefined;
  let points: readonly Access[] = [access];
  const apart = new Set<string>();
  const empty = new Set<string>();
  for (const keys of argumentsIn(bucket)) {
    const lists = [...keys].map((key) => [key, leavesOf(access.fields[key])] as const);
    const length = Math.min(...lists.map(([, list]) => list?.length ?? Infinity));
    if (lists.some(([, list]) => list?.length !== length)) continue;
    for (const key of keys) (length === 0 ? empty : apart).add(key);
    if (length === 0) continue;
    if (points.length * length > mostCombinations) return undefined;
    points = points.flatMap((point) =>
      Array.from({ length }, (_, at) => ({ ...point, fields: withElements(point.fields, lists, at) })),
    );
  }
  if (points.length < 2 && empty.size === 0) return undefined;
  const told = bucket.allow.filter(({ box }) => tellsByElement(box, apart) && tellsByElement(box, empty));
  return { points, empty, bucket: bucketOf(told, bucket.ask, bucket.deny) };
}

function tellsByElement(box: Box, keys: ReadonlySet<string>): boolean {
  return box.fields.every(({ key, set }) => !keys.has(key) || isByElement(set));
}

/** The freest level at which rules hold every point, with these rules; undefined where some point is held by none. */
export function allowsApart(
  { points, empty, bucket }: TakenApart,
  allows: (bucket: Bucket, point: Access) => HeldBy | undefined,
): HeldBy | undefined {
  let level: Level = 'permit';
  const used = new Set<Rule>();
  for (const point of points) {
    const held = empty.size === 0 ? allows(bucket, point) : allowsSome(bucket, point, empty);
    if (held === undefined) return undefined;
    level = lower(level, held.level);
    for (const rule of held.rules) used.add(rule);
  }
  return { level, rules: [...used] };
}

/** The freest level at which some element in the place of each empty list is allowed, asked for no less, and not denied. */
function allowsSome(bucket: Bucket, point: Access, empty: ReadonlySet<string>): HeldBy | undefined {
  for (const level of levels) {
    const against = [...bucket.deny, ...bucket.ask.filter((rule) => lower(rule.level, level) !== level)]
      .filter(({ box }) => box.meetsBut(point, empty))
      .map(({ box }) => setsAt(box, point, empty));
    const rules = bucket.allow.filter(
      (rule) =>
        lower(rule.level, level) === level &&
        rule.box.holdsBut(point, empty) &&
        escapes(setsAt(rule.box, point, empty), against),
    );
    if (rules.length > 0) return { level, rules };
  }
  return undefined;
}

type Sets = ReadonlyMap<string, ValueSet>;

function setsAt(box: Box, point: Access, keys: ReadonlySet<string>): Sets {
  return new Map([...keys].map((key) => [key, elementAt(box.setOf(key), point.fields[key])]));
}

/** What a set says of an element; only what is read through a list may be missing in one. */
function elementAt(set: ValueSet | undefined, held: Held | undefined): ValueSet {
  const every = held instanceof Spread ? everyElement : anyElement;
  return set === undefined ? every : and(byElement(set), every);
}

const everyElement: ValueSet = or(anyElement, missingSet);

/** Whether some choice of values is outside all of the products. */
function escapes(sets: Sets, against: readonly Sets[]): boolean {
  if ([...sets.values()].some(isEmpty)) return false;
  const [first, ...rest] = against.filter((other) =>
    [...sets].every(([key, set]) => meets(set, at(other, key))),
  );
  if (first === undefined) return true;
  return [...sets].some(([key, set]) => escapes(new Map([...sets, [key, minus(set, at(first, key))]]), rest));
}

function at(sets: Sets, key: string): ValueSet {
  return sets.get(key) ?? anyElement;
}

function withElements(
  fields: Access['fields'],
  lists: readonly (readonly [string, readonly (Json | Missing)[] | undefined])[],
  index: number,
): Access['fields'] {
  const changed: Record<string, Held> = { ...fields };
  Object.setPrototypeOf(changed, null);
  for (const [key, list] of lists) {
    const element = list?.[index];
    if (element !== undefined) changed[key] = element;
  }
  return changed;
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
function leavesOf(held: Held | undefined): readonly (Json | Missing)[] | undefined {
  if (held instanceof Spread) return held.elements.flatMap(leaves);
  return isList(held) ? leaves(held) : undefined;
}

/** Whether a value is a list, or was read through one. */
export function isListed(held: Held | undefined): boolean {
  return held instanceof Spread || isList(held);
}

function isList(held: Held | undefined): held is readonly Json[] {
  return Array.isArray(held);
}

function leaves(value: Json | Missing): readonly (Json | Missing)[] {
  return typeof value === 'object' && value !== null && isJsonArray(value) ? value.flatMap(leaves) : [value];
}
