/** Sets of values by what they are, to say what a position can hold. */
import { clause, complement, valueSet } from './algebra.js';
import type { ValueSet } from './set-types.js';

/** A missing value only. */
export const missingSet: ValueSet = valueSet({ missing: true });
/** Every value that is there; spreads of any elements included. */
export const presentSet: ValueSet = complement(missingSet);

/** Arrays of at least `min` and at most `max` elements, each of them in the set. */
export function arraysOf(element: ValueSet, min: number = 0, max: number = Infinity): ValueSet {
  return valueSet({ arrays: [clause({ all: element, min, max })] });
}
