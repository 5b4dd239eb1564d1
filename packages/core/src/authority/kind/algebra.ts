/** Boolean algebra of sets of values, arrays included: exact, by structural recursion (POLICY section 4, arrays). */
import { TooManyStates } from '../automaton/index.js';
import {
  andLeaves,
  anyLeaves,
  leavesEmpty,
  leavesInclude,
  leavesMeet,
  noLeaves,
  notLeaves,
  orLeaves,
} from './leaves.js';
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';

/** Most clauses that a set of arrays may have. */
const maxClauses = 512;

const anyClause: Clause = Object.freeze({
  leaves: undefined,
  someLeaf: Object.freeze([]),
  all: undefined,
  some: Object.freeze([]),
  min: 0,
  max: Infinity,
});
/** Every list. */
export const anyArrays: ArraySet = Object.freeze([anyClause]);
/** No list. */
export const noArrays: ArraySet = Object.freeze([]);

/** A clause from the conditions given. */
export function clause(conditions: Partial<Clause>): Clause {
  return Object.freeze({ ...anyClause, ...conditions });
}

/** A set from its parts; parts not given are empty. */
export function valueSet(parts: Partial<ValueSet>): ValueSet {
  return Object.freeze({ ...noLeaves, missing: false, arrays: noArrays, spreads: noArrays, ...parts });
}

/** No value. */
export const nothingSet: ValueSet = valueSet({});
/** Every value, missing included. */
export const everythingSet: ValueSet = valueSet({
  ...anyLeaves,
  missing: true,
  arrays: anyArrays,
  spreads: anyArrays,
});
/** Everything that can be an element of an array. */
export const anyElement: ValueSet = valueSet({ ...anyLeaves, arrays: anyArrays });

/** Whether elements may be missing: in spreads alone. */
type Of = 'arrays' | 'spreads';

/** In both. Throws TooManyStates past a limit, as every operation here that builds. */
export function and(a: ValueSet, b: ValueSet): ValueSet {
  if (a === b || b === everythingSet || a === nothingSet) return a;
  if (a === everythingSet || b === nothingSet) return b;
  return valueSet({
    ...andLeaves(a, b),
    missing: a.missing && b.missing,
    arrays: andArrays(a.arrays, b.arrays, 'arrays'),
    spreads: andArrays(a.spreads, b.spreads, 'spreads'),
  });
}

/** In either. */
export function or(a: ValueSet, b: ValueSet): ValueSet {
  if (a === b || b === nothingSet || a === everythingSet) return a;
  if (a === nothingSet || b === everythingSet) return b;
  return valueSet({
    ...orLeaves(a, b),
    missing: a.missing || b.missing,
    arrays: orArrays(a.arrays, b.arrays),
    spreads: orArrays(a.spreads, b.spreads),
  });
}

/** Every value outside. */
export function complement(a: ValueSet): ValueSet {
  return minus(everythingSet, a);
}

/** In the first and not in the second. */
export function minus(a: ValueSet, b: ValueSet): ValueSet {
  if (a === b || a === nothingSet || b === everythingSet) return nothingSet;
  if (b === nothingSet) return a;
  return valueSet({
    ...andLeaves(a, notLeaves(b)),
    missing: a.missing && !b.missing,
    arrays: minusArrays(a.arrays, b.arrays, 'arrays'),
    spreads: minusArrays(a.spreads, b.spreads, 'spreads'),
  });
}

/** Whether there is no member. */
export function isEmpty(a: ValueSet): boolean {
  if (a.missing || !leavesEmpty(a)) return false;
  return arraysEmpty(a.arrays, 'arrays') && arraysEmpty(a.spreads, 'spreads');
}

/** Whether every member of `small` is in `big`. */
export function includes(big: ValueSet, small: ValueSet): boolean {
  if (big === small || big === everythingSet || small === nothingSet) return true;
  if ((small.missing && !big.missing) || !leavesInclude(big, small)) return false;
  return (
    arraysInclude(big.arrays, small.arrays, 'arrays') && arraysInclude(big.spreads, small.spreads, 'spreads')
  );
}

/** Whether some value is in both. Builds no automaton. */
export function meets(a: ValueSet, b: ValueSet): boolean {
  if (a === b) return !isEmpty(a);
  if ((a.missing && b.missing) || leavesMeet(a, b)) return true;
  return arraysMeet(a.arrays, b.arrays, 'arrays') || arraysMeet(a.spreads, b.spreads, 'spreads');
}

function arraysMeet(a: ArraySet, b: ArraySet, of: Of): boolean {
  return a.some((one) => b.some((two) => !clauseEmpty(both(one, two), of)));
}

/** Whether both have the same members. */
export function equal(a: ValueSet, b: ValueSet): boolean {
  return a === b || (includes(a, b) && includes(b, a));
}

function arraysInclude(big: ArraySet, small: ArraySet, of: Of): boolean {
  return big === small || arraysEmpty(minusArrays(small, big, of), of);
}

/** In both. */
export function andArrays(a: ArraySet, b: ArraySet, of: Of): ArraySet {
  if (a === b || b === anyArrays || a.length === 0) return a;
  if (a === anyArrays || b.length === 0) return b;
  return tidy(
    a.flatMap((one) => b.map((two) => both(one, two))),
    of,
  );
}

/** In either. */
export function orArrays(a: ArraySet, b: ArraySet): ArraySet {
  if (a === b || a === anyArrays || b.length === 0) return a;
  if (b === anyArrays || a.length === 0) return b;
  return capped(b.reduce<ArraySet>(added, a));
}

/** In the first and not in the second. */
export function minusArrays(a: ArraySet, b: ArraySet, of: Of): ArraySet {
  if (b === anyArrays) return noArrays;
  return b.reduce((rest, one) => andArrays(rest, outside(one, of), of), a);
}

/** Whether there is no member. */
export function arraysEmpty(a: ArraySet, of: Of): boolean {
  return a.every((one) => clauseEmpty(one, of));
}

function both(a: Clause, b: Clause): Clause {
  const leaves =
    a.leaves === undefined || b.leaves === undefined ? (a.leaves ?? b.leaves) : andLeaves(a.leaves, b.leaves);
  const all = a.all === undefined || b.all === undefined ? (a.all ?? b.all) : and(a.all, b.all);
  return clause({
    leaves,
    someLeaf: needed(
      [...a.someLeaf, ...b.someLeaf],
      (one) => (leaves === undefined ? one : andLeaves(one, leaves)),
      leavesInclude,
    ),
    all,
    some: needed([...a.some, ...b.some], (one) => (all === undefined ? one : and(one, all)), includes),
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
  });
}

/** The needs, each within what may be there at all, without those that another one implies. */
function needed<T>(
  needs: readonly T[],
  within: (need: T) => T,
  includes: (big: T, small: T) => boolean,
): readonly T[] {
  const kept: T[] = [];
  for (const each of needs) {
    const need = within(each);
    if (kept.some((other) => includes(need, other))) continue;
    const open = kept.filter((other) => !includes(other, need));
    kept.splice(0, kept.length, ...open, need);
  }
  return kept;
}

/** The lists that fail a condition of the clause, one clause a condition. */
function outside(a: Clause, of: Of): ArraySet {
  const failing: Partial<Clause>[] = [];
  if (a.min > 0) failing.push({ max: a.min - 1 });
  if (a.max < Infinity) failing.push({ min: a.max + 1 });
  if (a.leaves !== undefined) failing.push({ someLeaf: [notLeaves(a.leaves)] });
  for (const leaves of a.someLeaf) failing.push({ leaves: notLeaves(leaves) });
  if (a.all !== undefined) failing.push({ some: [elementOutside(a.all, of)] });
  for (const element of a.some) failing.push({ all: elementOutside(element, of) });
  return failing.map(clause);
}

function elementOutside(a: ValueSet, of: Of): ValueSet {
  const rest = minus(anyElement, a);
  return of === 'spreads' && !a.missing ? valueSet({ ...rest, missing: true }) : rest;
}

/** Drops empty clauses and those that another one includes at sight. */
function tidy(clauses: readonly Clause[], of: Of): ArraySet {
  let kept: readonly Clause[] = [];
  for (const one of clauses) if (!clauseEmpty(one, of)) kept = added(kept, one);
  return capped(kept);
}

function added(kept: readonly Clause[], one: Clause): readonly Clause[] {
  if (kept.some((two) => implied(one, two))) return kept;
  return [...kept.filter((two) => !implied(two, one)), one];
}

function capped(clauses: ArraySet): ArraySet {
  if (clauses.length > maxClauses) throw new TooManyStates(maxClauses, 'kinds of lists');
  return Object.freeze(clauses);
}

/** Whether each condition of `big` follows from one of `small`; false may also mean "not seen at once". */
function implied(small: Clause, big: Clause): boolean {
  return (
    small.min >= big.min &&
    small.max <= big.max &&
    (big.leaves === undefined || (small.leaves !== undefined && leavesInclude(big.leaves, small.leaves))) &&
    big.someLeaf.every((one) => small.someLeaf.some((two) => leavesInclude(one, two))) &&
    (big.all === undefined || (small.all !== undefined && includes(big.all, small.all))) &&
    big.some.every((one) => small.some.some((two) => includes(one, two)))
  );
}

/** The conditions on single elements: what every element is in, and what some element must be in. */
export interface Elements {
  readonly every: ValueSet;
  readonly needs: readonly ValueSet[];
}

/** Turns conditions on leaves into conditions on direct elements. */
export function elementsOf(a: Clause, of: Of): Elements {
  const all = a.all ?? (of === 'spreads' ? valueSet({ ...anyElement, missing: true }) : anyElement);
  const every = a.leaves === undefined ? all : and(all, everyLeaf(a.leaves));
  return { every, needs: [...a.some, ...a.someLeaf.map(someLeaf)] };
}

function everyLeaf(leaves: Leaves): ValueSet {
  return valueSet({ ...leaves, arrays: [clause({ leaves })] });
}

function someLeaf(leaves: Leaves): ValueSet {
  return valueSet({ ...leaves, arrays: [clause({ someLeaf: [leaves] })] });
}

const known = { arrays: new WeakMap<Clause, boolean>(), spreads: new WeakMap<Clause, boolean>() };

function clauseEmpty(a: Clause, of: Of): boolean {
  const memo = known[of].get(a);
  if (memo !== undefined) return memo;
  const empty = a.min > a.max || (onlyLeaves(a) ? leafClauseEmpty(a) : groupsFor(a, of) === undefined);
  known[of].set(a, empty);
  return empty;
}

function onlyLeaves(a: Clause): boolean {
  return a.all === undefined && a.some.length === 0;
}

/** An element may be an array that holds all leaves needed, and an empty array has no leaf: lengths hardly matter. */
function leafClauseEmpty(a: Clause): boolean {
  if (a.someLeaf.length > 0 && a.max === 0) return true;
  return a.someLeaf.some((one) => leavesEmpty(andLeaves(one, a.leaves ?? anyLeaves)));
}

/**
 * Sets of single elements that together meet every need of the clause, at most `max` of them; undefined: there are none,
 * the clause is empty. Fewer than `min`: filled up with any element that is in `every`.
 */
export function groupsFor(a: Clause, of: Of): readonly ValueSet[] | undefined {
  if (a.min > a.max) return undefined;
  const { every, needs } = elementsOf(a, of);
  if (needs.length === 0 && a.min === 0) return [];
  if (isEmpty(every)) return undefined;
  return grouped(needs, [], every, a.max);
}

/** Puts each need into a group of its own or, where that would be too many, together with others. */
function grouped(
  needs: readonly ValueSet[],
  groups: readonly ValueSet[],
  every: ValueSet,
  max: number,
): readonly ValueSet[] | undefined {
  const [need, ...rest] = needs;
  if (need === undefined) return groups;
  const alone = and(every, need);
  if (isEmpty(alone)) return undefined;
  if (groups.length < max) {
    const found = grouped(rest, [...groups, alone], every, max);
    if (found !== undefined || groups.length + needs.length <= max) return found;
  }
  for (const [i, group] of groups.entries()) {
    const joined = and(group, need);
    if (isEmpty(joined)) continue;
    const found = grouped(rest, groups.with(i, joined), every, max);
    if (found !== undefined) return found;
  }
  return undefined;
}
