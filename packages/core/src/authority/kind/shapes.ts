/** Sets of values by their type, to say what a position can hold. */
import type { Language } from '../automaton/index.js';
import { anyArrays, clause, complement, valueSet } from './algebra.js';
import type { NumberSet } from './number-set.js';
import type { ValueSet } from './set-types.js';

/** A missing value only. */
export const missingSet: ValueSet = valueSet({ missing: true });
/** Every value that is there; spreads of any elements included. */
export const presentSet: ValueSet = complement(missingSet);
/** Every object. */
export const objectSet: ValueSet = valueSet({ objects: true });
/** `null` only. */
export const nullSet: ValueSet = valueSet({ null: true });
/** `true` and `false`. */
export const booleanSet: ValueSet = valueSet({ true: true, false: true });
/** Every array. */
export const arraySet: ValueSet = valueSet({ arrays: anyArrays });

/** The texts of a language. */
export function textSet(text: Language): ValueSet {
  return valueSet({ text });
}

/** The numbers of a set. */
export function numberSet(numbers: NumberSet): ValueSet {
  return valueSet({ numbers });
}

/** Arrays of at least `min` and at most `max` elements, each of them in the set. */
export function arraysOf(element: ValueSet, min: number = 0, max: number = Infinity): ValueSet {
  return valueSet({ arrays: [clause({ all: element, min, max })] });
}

/** Spreads each of whose elements is in the set, `missing` included where the set has it. */
export function spreadsOf(element: ValueSet): ValueSet {
  return valueSet({ spreads: [clause({ all: element })] });
}
