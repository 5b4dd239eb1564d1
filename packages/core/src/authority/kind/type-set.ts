/** All values of one JSON type, as schemas name types. */
import { anyArrays, valueSet } from './algebra.js';
import { anyLeaves } from './leaves.js';
import type { ValueSet } from './set-types.js';

/** Names of JSON types in schemas. */
export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

const sets: Readonly<Record<TypeName, ValueSet>> = {
  null: valueSet({ null: true }),
  boolean: valueSet({ true: true, false: true }),
  integer: valueSet({ numbers: anyLeaves.numbers }),
  number: valueSet({ numbers: anyLeaves.numbers }),
  string: valueSet({ text: anyLeaves.text }),
  array: valueSet({ arrays: anyArrays }),
  object: valueSet({ objects: true }),
};

/** The set of a type; `integer` is that of every number. */
export function typeSet(type: TypeName): ValueSet {
  return sets[type];
}
