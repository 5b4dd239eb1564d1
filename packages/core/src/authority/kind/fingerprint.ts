/** A text that tells sets apart: equal texts mean the same set, as long as the sets live. */
import type { NumberSet } from './number-set.js';
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';

const known = new WeakMap<ValueSet, string>();

/** The fingerprint of a set. Sets with the same members may have different ones; never the other way round. */
export function fingerprint(set: ValueSet): string {
  const before = known.get(set);
  if (before !== undefined) return before;
  const made = `${leavesOf(set)}${set.missing ? '?' : ''}${arraysOf(set.arrays, set)}/${arraysOf(set.spreads, set)}`;
  known.set(set, made);
  return made;
}

function leavesOf(set: Leaves): string {
  const flags = Number(set.null) + 2 * Number(set.true) + 4 * Number(set.false) + 8 * Number(set.objects);
  return `${flags}${numbersOf(set.numbers)}.${set.text.id}`;
}

const numbers = new WeakMap<NumberSet, string>();

function numbersOf(set: NumberSet): string {
  const before = numbers.get(set);
  if (before !== undefined) return before;
  const made = `;${set.integers.join()};${set.fractions.join()}`;
  numbers.set(set, made);
  return made;
}

function arraysOf(set: ArraySet, own: Leaves): string {
  return set.length === 0 ? '' : `[${set.map((clause) => clauseOf(clause, own)).join('|')}]`;
}

function clauseOf(clause: Clause, own: Leaves): string {
  const { leaves, someLeaf, all, some, min, max } = clause;
  const within = leaves === undefined ? '' : isSame(leaves, own) ? '=' : leavesOf(leaves);
  if (all === undefined && someLeaf.length === 0 && some.length === 0 && min === 0 && max === Infinity)
    return within;
  const every = all === undefined ? '' : fingerprint(all);
  return `${within}!${someLeaf.map(leavesOf).join('&')}!${every}!${some.map(fingerprint).join('&')}!${min}!${max}`;
}

/** The very same parts: lists that belong to a set by their elements. */
function isSame(a: Leaves, b: Leaves): boolean {
  return (
    a.text === b.text &&
    a.numbers === b.numbers &&
    a.objects === b.objects &&
    a.null === b.null &&
    a.true === b.true &&
    a.false === b.false
  );
}
