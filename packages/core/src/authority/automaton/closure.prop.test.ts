/** Questions about whole languages against what they say of each text. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Language,
  type Pattern,
  coveredTexts,
  includes,
  intersect,
  isEmpty,
  languageOf,
  meetingTexts,
  overlaps,
  pattern,
} from './index.js';

const letters = ['a', 'b', '/', 'é', '😀'];
const text = fc.array(fc.constantFrom(...letters, 'z'), { maxLength: 4 }).map((chars) => chars.join(''));
const word = fc.array(fc.constantFrom(...letters), { maxLength: 3 }).map((chars) => chars.join(''));
const language: fc.Arbitrary<Language> = fc
  .letrec<{ pattern: Pattern }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small' },
      word.map((each) => pattern.literal(each)),
      fc.constantFrom(pattern.anyChar, pattern.anything, pattern.empty, pattern.none),
      fc.array(tie('pattern'), { maxLength: 3 }).map((parts) => pattern.sequence(...parts)),
      fc.array(tie('pattern'), { maxLength: 3 }).map((parts) => pattern.either(...parts)),
      tie('pattern').map((of) => pattern.star(of)),
    ),
  }))
  .pattern.map((each) => languageOf(each));

function behind(prefix: string, tail: Language): Language {
  return languageOf(pattern.sequence(pattern.literal(prefix), pattern.within(tail)));
}

describe('texts before a tail', () => {
  test('[P.authority.extent] are covered when every end of the tail behind them is in the language, and meet it when some is', () => {
    fc.assert(
      fc.property(language, language, fc.array(text, { minLength: 5, maxLength: 15 }), (of, tail, texts) => {
        const [covered, meeting] = [coveredTexts(of, tail), meetingTexts(of, tail)];
        for (const each of texts) {
          const ends = behind(each, tail);
          expect([each, covered.test(each)]).toEqual([each, includes(of, ends)]);
          expect([each, meeting.test(each)]).toEqual([each, !isEmpty(intersect(of, ends))]);
        }
        if (!isEmpty(tail)) expect(includes(meeting, covered)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('overlapping', () => {
  test('[P.authority.boolean-algebra] is having a text in common, in either order', () => {
    let apart = 0;
    fc.assert(
      fc.property(word, language, word, language, (one, a, two, b) => {
        const [left, right] = [behind(one, a), behind(two, b)];
        const common = !isEmpty(intersect(left, right));
        if (!common) apart += 1;
        expect(overlaps(left, right)).toBe(common);
        expect(overlaps(right, left)).toBe(common);
        expect(overlaps(left, left)).toBe(!isEmpty(left));
      }),
      { numRuns: 400 },
    );
    expect(apart).toBeGreaterThan(20);
  });
});
