/** Sets of numbers as few intervals with plain bounds, as schemas state them. */
import { fractions, integers, nextDown, nextUp } from './double.js';
import {
  type Bounds,
  type NumberSet,
  complementNumbers,
  intersectNumbers,
  interval,
  listNumbers,
  sameNumbers,
  unionNumbers,
} from './number-set.js';

/** One interval; all given bounds hold. At most one of `min` and `above`, and of `max` and `below`. */
export type NumberRange = Bounds;

/** Most numbers that are left out of the middle of an interval. */
const mostHoles = 16;

/** Intervals whose union is exactly the set; undefined where that takes more than `most`. None: the empty set. */
export function numberRanges(a: NumberSet, most: number): readonly NumberRange[] | undefined {
  const real = pairs(a.fractions).flatMap(([lo, hi]) => realRanges(a, lo, hi));
  const covered = real.map(interval);
  const rest = covered.reduce((left, one) => intersectNumbers(left, complementNumbers(one)), a);
  const whole = pairs(rest.integers).map(([lo, hi]) => ({
    integer: true,
    ...(lo === integers.least ? {} : { min: lo }),
    ...(hi === integers.greatest ? {} : { max: hi }),
  }));
  const all = [...real, ...whole];
  if (all.length > most) return undefined;
  const [first, ...others] = all.map(interval);
  const union =
    first === undefined ? intersectNumbers(a, complementNumbers(a)) : others.reduce(unionNumbers, first);
  return sameNumbers(union, a) ? all : undefined;
}

/** One interval of fractions with the integers between them, cut where an integer is left out. */
function realRanges(a: NumberSet, lo: number, hi: number): readonly NumberRange[] {
  const outside = intersectNumbers(complementNumbers(a), interval({ min: lo, max: hi, integer: true }));
  const cuts = listNumbers(outside, mostHoles) ?? [];
  const starts = [lowest(a, lo), ...cuts.map((at) => ({ above: at }))];
  const ends = [...cuts.map((at) => ({ below: at })), highest(a, hi)];
  return starts.map((start, at) => ({ ...start, ...ends[at] }));
}

function lowest(a: NumberSet, fraction: number): NumberRange {
  const out = nextDown(fraction);
  if (!Number.isInteger(out)) return shorter(out, fraction) ? { above: out } : { min: fraction };
  const whole = pairs(a.integers).find(([from, to]) => from <= out && out <= to);
  if (whole === undefined) return { above: out };
  if (fraction !== fractions.least) return { min: out };
  return whole[0] === integers.least ? {} : { min: whole[0] };
}

function highest(a: NumberSet, fraction: number): NumberRange {
  const out = nextUp(fraction);
  if (!Number.isInteger(out)) return shorter(out, fraction) ? { below: out } : { max: fraction };
  const whole = pairs(a.integers).find(([from, to]) => from <= out && out <= to);
  if (whole === undefined) return { below: out };
  if (fraction !== fractions.greatest) return { max: out };
  return whole[1] === integers.greatest ? {} : { max: whole[1] };
}

function shorter(a: number, b: number): boolean {
  return `${a}`.length < `${b}`.length;
}

function pairs(parts: readonly number[]): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  for (let i = 0; i < parts.length; i += 2) out.push([parts[i] ?? 0, parts[i + 1] ?? 0]);
  return out;
}
