/** Sets that treat a list as its elements: there a list is the region of the values in it, and says nothing of its own. */
import { anyArrays, noArrays, valueSet } from './algebra.js';
import { anyLeaves, leavesEmpty, orLeaves, sameLeaves } from './leaves.js';
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';

/** Whether lists belong to the set by their elements alone: all of them in it, or, of a refusing set, some of them. */
export function isByElement(set: ValueSet): boolean {
  const before = known.get(set);
  if (before !== undefined) return before;
  const made = arraysByElement(set.arrays, set) && spreadsByElement(set);
  known.set(set, made);
  return made;
}

const known = new WeakMap<ValueSet, boolean>();

function arraysByElement(arrays: ArraySet, leaves: Leaves): boolean {
  if (arrays === anyArrays) return sameLeaves(leaves, anyLeaves);
  if (arrays.length === 0) return leavesEmpty(leaves);
  const [only, second] = arrays;
  return second === undefined && only !== undefined && isLifted(only, leaves);
}

function isLifted(clause: Clause, leaves: Leaves): boolean {
  if (clause.all !== undefined || clause.some.length > 0 || clause.min > 0 || clause.max < Infinity)
    return false;
  const [some, more] = clause.someLeaf;
  if (clause.leaves === undefined) return more === undefined && sameLeaves(some ?? anyLeaves, leaves);
  return some === undefined && sameLeaves(clause.leaves, leaves);
}

/** Every spread, or those all or some of whose elements are in the set itself. */
function spreadsByElement({ spreads, ...set }: ValueSet): boolean {
  if (spreads === anyArrays || spreads.length === 0) return true;
  const [only, second] = spreads;
  if (only === undefined || second !== undefined) return false;
  const elements = elementsAsked(only);
  return elements !== undefined && sameLeaves(elements, set) && arraysByElement(elements.arrays, set);
}

/** What all, or some, direct elements have to be in, if that is all that is asked. */
function elementsAsked({ leaves, someLeaf, all, some, min, max }: Clause): ValueSet | undefined {
  if (leaves !== undefined || someLeaf.length > 0 || min > 0 || max < Infinity) return undefined;
  const asked = all === undefined ? some : [all, ...some];
  return asked.length === 1 ? asked[0] : undefined;
}

/** The values of the set that are no lists. */
export function byElement(set: ValueSet): ValueSet {
  if (set.arrays.length === 0 && set.spreads.length === 0) return set;
  const before = reduced.get(set);
  if (before !== undefined) return before;
  const made = valueSet({ ...set, arrays: noArrays, spreads: noArrays });
  reduced.set(set, made);
  return made;
}

const reduced = new WeakMap<ValueSet, ValueSet>();

/** The values that can stand in a position itself, or in a list there. */
export function elementsOf(set: ValueSet): ValueSet {
  const inner = [...set.arrays, ...set.spreads].map(leavesOfClause);
  const missing = set.missing || set.spreads.some(({ all }) => all === undefined || all.missing);
  const all = inner.reduce<Leaves>(orLeaves, set);
  return valueSet({ ...leavesOnly(all), missing });
}

function leavesOfClause({ leaves, all }: Clause): Leaves {
  if (leaves !== undefined) return leaves;
  return all === undefined ? anyLeaves : elementsOf(all);
}

function leavesOnly({ null: nil, true: yes, false: no, numbers, text, objects }: Leaves): Leaves {
  return { null: nil, true: yes, false: no, numbers, text, objects };
}
