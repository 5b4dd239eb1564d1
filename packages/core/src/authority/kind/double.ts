/** Finite doubles in their order: what lies next to one, also among integers and among fractions alone. */

/** The least and greatest of a discrete kind of numbers, and the neighbours of a member (infinite past the ends). */
export interface Order {
  readonly least: number;
  readonly greatest: number;
  next(x: number): number;
  previous(x: number): number;
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The least double above x; Infinity above the greatest finite one. */
export function nextUp(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  float[0] = x;
  bits[0] = (bits[0] ?? 0n) + (x > 0 ? 1n : -1n);
  return (float[0] ?? 0) + 0;
}

/** The greatest double below x. */
export function nextDown(x: number): number {
  return -nextUp(-x) + 0;
}

/** From here on every double is an integer. */
const allIntegers = 2 ** 52;
/** The greatest double that is no integer. */
const greatestFraction = allIntegers - 0.5;

/** The integers among the finite doubles. */
export const integers: Order = {
  least: -Number.MAX_VALUE,
  greatest: Number.MAX_VALUE,
  next: (x) => Math.ceil(nextUp(x)) + 0,
  previous: (x) => Math.floor(nextDown(x)) + 0,
};

/** The finite doubles that are no integers. */
export const fractions: Order = {
  least: -greatestFraction,
  greatest: greatestFraction,
  next: (x) => fractionAtLeast(nextUp(x)),
  previous: (x) => -fractionAtLeast(nextUp(-x)),
};

/** The least integer not below x. */
export function integerAtLeast(x: number): number {
  return Math.ceil(x) + 0;
}

/** The least non-integer not below x; Infinity: none. */
export function fractionAtLeast(x: number): number {
  if (x > greatestFraction) return Infinity;
  if (x < -greatestFraction) return -greatestFraction;
  return Number.isInteger(x) ? nextUp(x) : x;
}
