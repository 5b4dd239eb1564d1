/** Sets of Unicode scalar values as sorted disjoint intervals. */

/**
 * `[lo, hi, lo, hi, …]`, both ends included, ascending, disjoint, not touching, without surrogates; intervals on the two
 * sides of the surrogate gap are kept apart. Canonical: equal sets have equal arrays.
 */
export type Charset = readonly number[];

/** Largest code point. */
export const lastCodePoint = 0x10ffff;
/** First and last surrogate: no scalar values, in no set. */
export const firstSurrogate = 0xd800;
export const lastSurrogate = 0xdfff;

/** Every scalar value. */
export const anyChar: Charset = Object.freeze([0, firstSurrogate - 1, lastSurrogate + 1, lastCodePoint]);
/** No scalar value. */
export const noChar: Charset = Object.freeze([]);

/** The set of one scalar value. */
export function single(codePoint: number): Charset {
  return charset([[codePoint, codePoint]]);
}

/** The union of inclusive ranges, in any order, overlapping or not; surrogates in them are left out. */
export function charset(ranges: Iterable<readonly [number, number]>): Charset {
  const parts: (readonly [number, number])[] = [];
  for (const [lo, hi] of ranges) {
    if (lo > hi) continue;
    if (hi < firstSurrogate || lo > lastSurrogate) parts.push([lo, hi]);
    else parts.push([lo, firstSurrogate - 1], [lastSurrogate + 1, hi]);
  }
  parts.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [lo, hi] of parts) {
    if (lo > hi) continue;
    const end = out.at(-1);
    if (end !== undefined && lo <= end + 1) out[out.length - 1] = Math.max(end, hi);
    else out.push(lo, hi);
  }
  return Object.freeze(out);
}

/** The intervals as pairs. */
export function* intervals(set: Charset): Generator<readonly [number, number]> {
  for (let i = 0; i < set.length; i += 2) yield [set[i] ?? 0, set[i + 1] ?? 0];
}

/** Whether the scalar value is in the set. */
export function hasChar(set: Charset, codePoint: number): boolean {
  let low = 0;
  let high = set.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (codePoint > (set[2 * middle + 1] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && codePoint >= (set[2 * low] ?? 0);
}

/** In either. */
export function unionChars(a: Charset, b: Charset): Charset {
  return charset([...intervals(a), ...intervals(b)]);
}

/** Every scalar value outside the set. */
export function complementChars(set: Charset): Charset {
  const gaps: [number, number][] = [];
  let from = 0;
  for (const [lo, hi] of intervals(set)) {
    gaps.push([from, lo - 1]);
    from = hi + 1;
  }
  gaps.push([from, lastCodePoint]);
  return charset(gaps);
}

/** In both. */
export function intersectChars(a: Charset, b: Charset): Charset {
  return complementChars(unionChars(complementChars(a), complementChars(b)));
}

/** In the first and not in the second. */
export function minusChars(a: Charset, b: Charset): Charset {
  return intersectChars(a, complementChars(b));
}
