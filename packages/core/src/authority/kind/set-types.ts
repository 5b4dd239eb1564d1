/** Shapes of sets of values: a disjoint sum over the types of JSON, exact and closed under Boolean operations. */
import type { Language } from '../automaton/index.js';
import type { NumberSet } from './number-set.js';

/** A set of values that are no arrays (JSON scalars and objects). Objects are in it all or not at all. */
export interface Leaves {
  readonly null: boolean;
  readonly true: boolean;
  readonly false: boolean;
  readonly numbers: NumberSet;
  readonly text: Language;
  readonly objects: boolean;
}

/**
 * A set of lists: those that meet every condition given. The *leaves* of a list are the values in it that are no
 * arrays, at any depth of nested arrays; an empty list has none.
 */
export interface Clause {
  /** Every leaf is in it; undefined: no condition. */
  readonly leaves: Leaves | undefined;
  /** For each: at least one leaf is in it. */
  readonly someLeaf: readonly Leaves[];
  /** Every direct element is in it; undefined: no condition. */
  readonly all: ValueSet | undefined;
  /** For each: at least one direct element is in it. */
  readonly some: readonly ValueSet[];
  /** Least and greatest number of direct elements; `max` may be Infinity. */
  readonly min: number;
  readonly max: number;
}

/** A union of clauses; none: the empty set. Clauses may overlap. */
export type ArraySet = readonly Clause[];

/** A set of {@link Value}s. Elements of arrays are never missing, elements of spreads may be; neither is a spread. */
export interface ValueSet extends Leaves {
  readonly missing: boolean;
  readonly arrays: ArraySet;
  readonly spreads: ArraySet;
}
