/** Whether two boxes have anything in common, as far as their fields say. */
import type { Box, FieldSet } from './box.js';
import { type ValueSet, meets } from './kind/index.js';

/** False only where no access lies in both: some field that both constrain has no value in common. Builds no automaton. */
export function areJoint(a: Box, b: Box): boolean {
  return a.fields.every((one) => b.fields.every((two) => one.key !== two.key || meets(held(one), two.set)));
}

/** An access holds one value in a field of its connector; lists stand in raw arguments only. */
function held({ path, set }: FieldSet): ValueSet {
  return path === undefined ? { ...set, arrays: [], spreads: [] } : set;
}
