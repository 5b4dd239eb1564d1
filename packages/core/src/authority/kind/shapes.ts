/** Sets of values by what they are, to say what a position can hold. */
import { clause, complement, valueSet } from './algebra.js';
import { type Language, anything, languageOf, nothing, pattern } from '../automaton/index.js';
import { anyLeaves, noLeaves, scalarLeaves } from './leaves.js';
import { interval } from './number-set.js';
import type { ValueSet } from './set-types.js';
import type { Scalar } from './value.js';

/** A missing value only. */
export const missingSet: ValueSet = valueSet({ missing: true });
/** Every value that is there; spreads of any elements included. */
export const presentSet: ValueSet = complement(missingSet);

/** Left out; of what is read through arrays, by all of them. */
export const absentSet: ValueSet = valueSet({ missing: true, spreads: [clause({ all: missingSet })] });
/** Every scalar. */
export const anyScalar: ValueSet = valueSet({ ...anyLeaves, objects: false });
/** Every whole number. */
export const integerSet: ValueSet = valueSet({ numbers: interval({ integer: true }) });

/** Arrays of at least `min` and at most `max` elements, each of them in the set. */
export function arraysOf(element: ValueSet, min: number = 0, max: number = Infinity): ValueSet {
  return valueSet({ arrays: [clause({ all: element, min, max })] });
}

/** A missing value, objects, and lists of objects at any depth. */
export const objectsOnly: ValueSet = valueSet({
  missing: true,
  objects: true,
  arrays: [clause({ leaves: Object.freeze({ ...noLeaves, objects: true }) })],
});

/** The set, and lists of values read through arrays each of which is in it. */
export function spreadOut(set: ValueSet): ValueSet {
  return valueSet({ ...set, spreads: [clause({ all: set })] });
}

/** The set without lists of values read through arrays. */
export function noSpreads(set: ValueSet): ValueSet {
  return set.spreads.length === 0 ? set : valueSet({ ...set, spreads: [] });
}

/** The set, with every text where it has one: what another view of its values can have. Of a set without lists. */
export function anyTextOf(set: ValueSet): ValueSet {
  return set.text === nothing || set.text === anything ? set : valueSet({ ...set, text: anything });
}

/** Exactly these scalars. */
export function scalarSet(values: readonly Scalar[]): ValueSet {
  const texts = values.filter((value) => typeof value === 'string');
  return valueSet(scalarLeaves(values, languageOf(pattern.words(texts))));
}

/** The texts of a language. */
export function textSet(text: Language): ValueSet {
  return valueSet({ text });
}
