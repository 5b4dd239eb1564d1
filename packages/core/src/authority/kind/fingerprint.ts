/** A text that tells sets apart: equal texts mean the same set, as long as the sets live. */
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';

const known = new WeakMap<ValueSet, string>();

/** The fingerprint of a set. Sets with the same members may have different ones; never the other way round. */
export function fingerprint(set: ValueSet): string {
  const before = known.get(set);
  if (before !== undefined) return before;
  const made = `${leavesOf(set)}${set.missing ? '?' : ''}${arraysOf(set.arrays)}/${arraysOf(set.spreads)}`;
  known.set(set, made);
  return made;
}

function leavesOf(set: Leaves): string {
  const flags = [set.null, set.true, set.false, set.objects].map(Number).join('');
  const { integers, fractions } = set.numbers;
  return `${flags};${integers.join()};${fractions.join()};${set.text.id}`;
}

function arraysOf(set: ArraySet): string {
  return set.length === 0 ? '' : `[${set.map(clauseOf).join('|')}]`;
}

function clauseOf(clause: Clause): string {
  return [
    clause.leaves === undefined ? '' : leavesOf(clause.leaves),
    clause.someLeaf.map(leavesOf).join('&'),
    clause.all === undefined ? '' : fingerprint(clause.all),
    clause.some.map(fingerprint).join('&'),
    clause.min,
    clause.max,
  ].join('!');
}
