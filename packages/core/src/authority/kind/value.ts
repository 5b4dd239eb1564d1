/** Values at a position of a call, as constraints judge them. */
import type { Json } from '../../ground/index.js';

/** What stands at a position that the call leaves out. */
export const missing: unique symbol = Symbol('missing');
/** Type of {@link missing}. */
export type Missing = typeof missing;

/**
 * Several values read through at least one array on the way (`args.items.sku`), in order; flat: a path through two
 * arrays gives one spread. An element is missing where the array's object lacks the member. No elements: an empty array.
 */
export class Spread {
  readonly elements: readonly (Json | Missing)[];
  constructor(elements: readonly (Json | Missing)[]) {
    this.elements = elements;
    Object.freeze(this);
  }
}

/** Anything that can stand at a position of a call. */
export type Value = Json | Missing | Spread;

/** A JSON value without parts. `1` and `1.0` are the same scalar, `-0` is `0`. */
export type Scalar = null | boolean | number | string;
