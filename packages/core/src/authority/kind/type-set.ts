/** All values of one JSON type, as schemas name types. */
import { anyArrays, valueSet } from './algebra.js';
import { anyLeaves } from './leaves.js';
import type { ValueSet } from './set-types.js';

const sets = {
  null: valueSet({ null: true }),
  boolean: valueSet({ true: true, false: true }),
  integer: valueSet({ numbers: anyLeaves.numbers }),
  number: valueSet({ numbers: anyLeaves.numbers }),
  string: valueSet({ text: anyLeaves.text }),
  array: valueSet({ arrays: anyArrays }),
  object: valueSet({ objects: true }),
} as const;

/** The set of a type; `integer` is that of every number. */
export function typeSet(type: keyof typeof sets): ValueSet {
  return sets[type];
}
