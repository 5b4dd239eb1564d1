/** Sets of characters against plain sets of code points. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Charset,
  anyChar,
  charset,
  complementChars,
  hasChar,
  intersectChars,
  minusChars,
  noChar,
  unionChars,
} from './charset.js';

const edges = [
  0, 1, 0x40, 0x41, 0x7f, 0xd7fe, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xe001, 0xffff, 0x10000, 0x10fffe, 0x10ffff,
];
const point = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 0x10ffff }));
const set: fc.Arbitrary<Charset> = fc
  .array(fc.tuple(point, point), { maxLength: 5 })
  .map((pairs) => charset(pairs));

describe('sets of characters', () => {
  test('[P.authority.boolean-algebra] obey the Boolean laws by identity of content', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        expect(unionChars(a, b)).toEqual(unionChars(b, a));
        expect(intersectChars(a, unionChars(b, c))).toEqual(
          unionChars(intersectChars(a, b), intersectChars(a, c)),
        );
        expect(complementChars(complementChars(a))).toEqual(a);
        expect(complementChars(unionChars(a, b))).toEqual(
          intersectChars(complementChars(a), complementChars(b)),
        );
        expect(unionChars(a, complementChars(a))).toEqual(anyChar);
        expect(intersectChars(a, complementChars(a))).toEqual(noChar);
        expect(unionChars(minusChars(a, b), intersectChars(a, b))).toEqual(a);
      }),
    );
  });

  test('hold a character exactly when one of their ranges does, and surrogates never', () => {
    const ranges = fc.array(fc.tuple(point, point), { maxLength: 5 });
    fc.assert(
      fc.property(ranges, point, (pairs, at) => {
        const surrogate = at >= 0xd800 && at <= 0xdfff;
        const inside = pairs.some(([lo, hi]) => lo <= at && at <= hi);
        expect(hasChar(charset(pairs), at)).toBe(inside && !surrogate);
      }),
    );
  });
});
