/** Simple case folding against the regular expressions of the engine, which use it under the flags `iu`. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charset, complementChars, hasChar, single } from './charset.js';
import { foldClosure, foldOrbit } from './fold.js';

const cased =
  /\p{Changes_When_Casefolded}|\p{Changes_When_Lowercased}|\p{Changes_When_Uppercased}|\p{Cased}/u;
const unassigned = /\p{Cn}/u;

function casedPoints(): number[] {
  const found: number[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point === 0xd800) point = 0xe000;
    if (cased.test(String.fromCodePoint(point))) found.push(point);
  }
  return found;
}

function same(a: number, b: number): boolean {
  return new RegExp(`^\\u{${a.toString(16)}}$`, 'iu').test(String.fromCodePoint(b));
}

describe('simple case folding', () => {
  test('[P.kind.polarity] joins exactly the characters that the engine compares as equal', () => {
    const points = casedPoints();
    const all = points.map((point) => String.fromCodePoint(point)).join('');
    for (const point of points) {
      const known = foldOrbit(point).filter((each) => !unassigned.test(String.fromCodePoint(each)));
      const matched = all.match(new RegExp(`\\u{${point.toString(16)}}`, 'giu')) ?? [];
      const expected = matched.map((char) => char.codePointAt(0) ?? 0).sort((a, b) => a - b);
      expect(known, point.toString(16)).toEqual(expected);
    }
  });

  test('joins no two characters at random that the engine tells apart', () => {
    const point = fc.integer({ min: 0, max: 0x10ffff }).filter((each) => each < 0xd800 || each > 0xdfff);
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(foldOrbit(a).includes(b)).toBe(same(a, b));
        expect(foldOrbit(a).includes(a)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('takes the Kelvin sign for k, the long s for s, and all three sigmas for each other', () => {
    expect(foldOrbit(0x6b)).toEqual([0x4b, 0x6b, 0x212a]);
    expect(foldOrbit(0x73)).toEqual([0x53, 0x73, 0x17f]);
    expect(foldOrbit(0x3c3)).toEqual([0x3a3, 0x3c2, 0x3c3]);
  });

  test('does not expand: ß is not ss, and the dotted capital I has no partner', () => {
    expect(foldOrbit(0xdf)).toEqual([0xdf, 0x1e9e]);
    expect(foldOrbit(0x130)).toEqual([0x130]);
  });

  test('closes a set of characters and nothing more', () => {
    const set = charset([[0x61, 0x7a]]);
    const closed = foldClosure(set);
    expect(hasChar(closed, 0x41)).toBe(true);
    expect(hasChar(closed, 0x212a)).toBe(true);
    expect(hasChar(closed, 0x5f)).toBe(false);
    expect(foldClosure(closed)).toEqual(closed);
    const noSlash = complementChars(single(0x2f));
    expect(foldClosure(noSlash)).toBe(noSlash);
  });
});
