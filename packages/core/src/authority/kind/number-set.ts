/** Sets of JSON numbers (finite doubles; `-0` is `0`): an exact Boolean algebra of intervals, integers apart from the rest. */
import {
  type Order,
  fractionAtLeast,
  fractions,
  integerAtLeast,
  integers,
  nextDown,
  nextUp,
} from './double.js';

/**
 * `[lo, hi, lo, hi, …]` each: closed intervals of integers, and of doubles that are no integers; ends are members,
 * ascending, no two touch. Canonical: equal sets have equal arrays.
 */
export interface NumberSet {
  readonly integers: readonly number[];
  readonly fractions: readonly number[];
}

/** Bounds of one interval; all given ones hold. Finite numbers. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly integer?: boolean | undefined;
}

function set(whole: readonly number[], rest: readonly number[]): NumberSet {
  return Object.freeze({ integers: Object.freeze(whole), fractions: Object.freeze(rest) });
}

/** No number. */
export const noNumber: NumberSet = set([], []);
/** Every number. */
export const anyNumber: NumberSet = set(
  [integers.least, integers.greatest],
  [fractions.least, fractions.greatest],
);

/** The numbers within bounds; may be empty. */
export function interval(bounds: Bounds): NumberSet {
  const lo = Math.max(
    bounds.min ?? -Number.MAX_VALUE,
    bounds.above === undefined ? -Infinity : nextUp(bounds.above),
  );
  const hi = Math.min(
    bounds.max ?? Number.MAX_VALUE,
    bounds.below === undefined ? Infinity : nextDown(bounds.below),
  );
  const whole = clean([integerAtLeast(lo), -integerAtLeast(-hi) + 0]);
  const rest = bounds.integer === true ? [] : clean([fractionAtLeast(lo), -fractionAtLeast(-hi)]);
  return set(whole, rest);
}

/** Exactly these numbers. */
export function points(values: readonly number[]): NumberSet {
  return values.reduce((sum, value) => unionNumbers(sum, interval({ min: value, max: value })), noNumber);
}

function clean(pair: readonly [number, number]): number[] {
  return pair[0] <= pair[1] && Number.isFinite(pair[0]) && Number.isFinite(pair[1]) ? [...pair] : [];
}

/** Whether the number is in the set. */
export function hasNumber(numbers: NumberSet, value: number): boolean {
  const parts = Number.isInteger(value) ? numbers.integers : numbers.fractions;
  for (let i = 0; i < parts.length; i += 2) {
    if (value <= (parts[i + 1] ?? 0)) return value >= (parts[i] ?? 0);
  }
  return false;
}

/** In both. */
export function intersectNumbers(a: NumberSet, b: NumberSet): NumberSet {
  if (a === b || b === anyNumber) return a;
  if (a === anyNumber) return b;
  return set(meet(a.integers, b.integers), meet(a.fractions, b.fractions));
}

/** Every number outside. */
export function complementNumbers(a: NumberSet): NumberSet {
  if (a === anyNumber) return noNumber;
  if (a === noNumber) return anyNumber;
  return set(gaps(a.integers, integers), gaps(a.fractions, fractions));
}

/** In either. */
export function unionNumbers(a: NumberSet, b: NumberSet): NumberSet {
  if (a === b || b === noNumber) return a;
  if (a === noNumber) return b;
  return complementNumbers(intersectNumbers(complementNumbers(a), complementNumbers(b)));
}

/** Whether there is no member. */
export function noNumbers(a: NumberSet): boolean {
  return a.integers.length === 0 && a.fractions.length === 0;
}

/** Whether both have the same members. */
export function sameNumbers(a: NumberSet, b: NumberSet): boolean {
  return a === b || (sameList(a.integers, b.integers) && sameList(a.fractions, b.fractions));
}

function sameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function meet(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const endA = a[i + 1] ?? 0;
    const endB = b[j + 1] ?? 0;
    const lo = Math.max(a[i] ?? 0, b[j] ?? 0);
    const hi = Math.min(endA, endB);
    if (lo <= hi) out.push(lo, hi);
    if (endA <= endB) i += 2;
    if (endB <= endA) j += 2;
  }
  return out;
}

function gaps(a: readonly number[], order: Order): number[] {
  const out: number[] = [];
  let from = order.least;
  for (let i = 0; i < a.length; i += 2) {
    const to = order.previous(a[i] ?? 0);
    if (from <= to && Number.isFinite(to)) out.push(from, to);
    from = order.next(a[i + 1] ?? 0);
  }
  if (from <= order.greatest) out.push(from, order.greatest);
  return out;
}

/** All members, ascending within integers and then within the rest, when there are at most `limit`; else undefined. */
export function listNumbers(a: NumberSet, limit: number): readonly number[] | undefined {
  const found: number[] = [];
  for (const [parts, order] of [[a.integers, integers] as const, [a.fractions, fractions] as const]) {
    for (let i = 0; i < parts.length; i += 2) {
      const hi = parts[i + 1] ?? 0;
      for (let x = parts[i] ?? 0; x <= hi; x = order.next(x)) {
        if (found.push(x) > limit) return undefined;
      }
    }
  }
  return Object.freeze(found);
}

/** A member that is easy to read, or undefined: an integer next to 0 if there is one, else a fraction of few digits. */
export function sampleNumber(a: NumberSet): number | undefined {
  let best: number | undefined;
  for (let i = 0; i < a.integers.length; i += 2) {
    const near = Math.min(Math.max(0, a.integers[i] ?? 0), a.integers[i + 1] ?? 0);
    if (best === undefined || Math.abs(near) < Math.abs(best)) best = near;
  }
  if (best !== undefined) return best;
  const [lo, hi] = a.fractions;
  return lo === undefined || hi === undefined ? undefined : shortFraction(lo, hi);
}

function shortFraction(lo: number, hi: number): number {
  const middle = lo / 2 + hi / 2;
  for (let digits = 1; digits <= 17; digits++) {
    const candidate = Number(middle.toPrecision(digits));
    if (candidate >= lo && candidate <= hi && !Number.isInteger(candidate)) return candidate;
  }
  return lo;
}
