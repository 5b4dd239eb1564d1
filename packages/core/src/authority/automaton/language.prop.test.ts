/** Languages against a naive matcher of patterns, and their laws. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Language,
  type Pattern,
  anything,
  charset,
  complement,
  coveredGap,
  coversBelow,
  finite,
  foldOrbit,
  includes,
  intersect,
  isEmpty,
  languageOf,
  meetsBelow,
  minus,
  nothing,
  pattern,
  residue,
  sample,
  union,
} from './index.js';

const letters = ['a', 'b', 'k', 'K', 'é', '😀', '\n'];
const text = fc
  .array(fc.constantFrom(...letters, 'z', '\u212a'), { maxLength: 6 })
  .map((chars) => chars.join(''));
const word = fc.array(fc.constantFrom(...letters), { maxLength: 3 }).map((chars) => chars.join(''));

const expression: fc.Arbitrary<Pattern> = fc.letrec<{ pattern: Pattern }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    word.map((each) => pattern.literal(each)),
    fc.array(word, { maxLength: 3 }).map((list) => pattern.words(list)),
    fc.constantFrom(pattern.anyChar, pattern.anything, pattern.empty, pattern.none),
    fc.constant(pattern.chars(charset([[0x61, 0x6b]]))),
    fc.array(tie('pattern'), { maxLength: 3 }).map((parts) => pattern.sequence(...parts)),
    fc.array(tie('pattern'), { maxLength: 3 }).map((parts) => pattern.either(...parts)),
    tie('pattern').map((of) => pattern.star(of)),
    fc.tuple(tie('pattern'), fc.nat(3)).map(([of, times]) => pattern.upTo(of, times)),
  ),
})).pattern;
const language = expression.map((each) => languageOf(each));

/** Ends of all matches of the pattern that begin at a place, by plain search. */
function ends(of: Pattern, chars: readonly string[], from: number, fold: boolean): Set<number> {
  const through = (parts: readonly Pattern[]): Set<number> =>
    parts.reduce(
      (at, part) => new Set([...at].flatMap((each) => [...ends(part, chars, each, fold)])),
      new Set([from]),
    );
  const repeated = (inner: Pattern, times: number): Set<number> => {
    const found = new Set([from]);
    let last = new Set([from]);
    for (let i = 0; i < times; i++) {
      last = new Set([...last].flatMap((each) => [...ends(inner, chars, each, fold)]));
      for (const each of last) found.add(each);
    }
    return found;
  };
  switch (of.op) {
    case 'none':
      return new Set();
    case 'chars': {
      const char = chars[from];
      const own = char === undefined ? [] : fold ? foldOrbit(char.codePointAt(0)!) : [char.codePointAt(0)!];
      const hit = own.some((point) => inSet(of.set, point));
      return new Set(hit ? [from + 1] : []);
    }
    case 'sequence':
      return through(of.parts);
    case 'either':
      return new Set(of.parts.flatMap((part) => [...ends(part, chars, from, fold)]));
    case 'star':
      return repeated(of.of, chars.length + 1);
    case 'upTo':
      return repeated(of.of, of.times);
    case 'words':
      return new Set(of.words.flatMap((each) => [...ends(pattern.literal(each), chars, from, fold)]));
    case 'within':
      break;
  }
  const within = of.language;
  return new Set(chars.flatMap((_, i) => (within.test(chars.slice(from, i + 1).join('')) ? [i + 1] : [])));
}

function inSet(set: readonly number[], point: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (set[i]! <= point && point <= set[i + 1]!) return true;
  return false;
}

function matches(of: Pattern, whole: string, fold: boolean): boolean {
  const chars = Array.from(whole);
  return ends(of, chars, 0, fold).has(chars.length);
}

describe('languages', () => {
  test('hold exactly the texts that a plain search of the pattern finds', () => {
    fc.assert(
      fc.property(
        expression,
        fc.boolean(),
        fc.array(text, { minLength: 5, maxLength: 20 }),
        (of, fold, texts) => {
          const built = languageOf(of, { fold });
          for (const each of texts) expect(built.test(each)).toBe(matches(of, each, fold));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('[P.authority.boolean-algebra] obey the Boolean laws, and equal languages are one object', () => {
    fc.assert(
      fc.property(language, language, language, (a, b, c) => {
        expect(union(a, b)).toBe(union(b, a));
        expect(intersect(a, union(b, c))).toBe(union(intersect(a, b), intersect(a, c)));
        expect(union(a, intersect(b, c))).toBe(intersect(union(a, b), union(a, c)));
        expect(complement(union(a, b))).toBe(intersect(complement(a), complement(b)));
        expect(minus(a, b)).toBe(intersect(a, complement(b)));
        expect(union(a, complement(a))).toBe(anything);
        expect(intersect(a, complement(a))).toBe(nothing);
        expect(includes(a, b)).toBe(isEmpty(minus(b, a)));
      }),
      { numRuns: 150 },
    );
  });

  test('[P.authority.boolean-algebra] sample a member, and have no sample exactly when they are empty', () => {
    fc.assert(
      fc.property(language, language, (a, b) => {
        const rest = minus(a, b);
        const found = sample(rest);
        expect(found === undefined).toBe(isEmpty(rest));
        if (found !== undefined) expect(a.test(found) && !b.test(found)).toBe(true);
      }),
    );
  });

  test('list all members when they are few', () => {
    fc.assert(
      fc.property(language, (a) => {
        const members = finite(a, 50);
        if (members === undefined) return;
        expect(languageOf(pattern.words(members))).toBe(a);
      }),
    );
  });

  test('embed into patterns', () => {
    fc.assert(
      fc.property(expression, (of) => {
        const built = languageOf(of);
        expect(languageOf(pattern.within(built))).toBe(built);
        expect(languageOf(pattern.sequence(pattern.literal('b'), pattern.within(built)))).toBe(
          languageOf(pattern.sequence(pattern.literal('b'), of)),
        );
      }),
    );
  });
});

describe('residues', () => {
  test('are all of the language behind its longest prefix', () => {
    fc.assert(
      fc.property(word, language, fc.array(text), (start, tail, texts) => {
        const whole = languageOf(pattern.sequence(pattern.literal(start), pattern.within(tail)));
        const { prefix, rest } = residue(whole);
        expect(languageOf(pattern.sequence(pattern.literal(prefix), pattern.within(rest)))).toBe(whole);
        if (!isEmpty(whole)) expect(prefix.startsWith(start)).toBe(true);
        for (const each of texts)
          expect(rest.test(`${prefix}${each}`, prefix.length)).toBe(whole.test(`${prefix}${each}`));
      }),
      { numRuns: 300 },
    );
  });

  test('are the same language behind different prefixes', () => {
    const under = (folder: string): Language =>
      languageOf(pattern.sequence(pattern.literal(folder), pattern.anything));
    expect(residue(under('/a/'))).toEqual({ prefix: '/a/', rest: anything });
    expect(residue(under('/b/c/')).rest).toBe(anything);
    expect(residue(nothing)).toEqual({ prefix: '', rest: nothing });
  });
});

describe('lazy questions', () => {
  const below = (prefix: string, tail: Language): Language =>
    languageOf(pattern.sequence(pattern.literal(prefix), pattern.within(tail)));

  test('[P.authority.extent] agree with the automata that they do not build', () => {
    fc.assert(
      fc.property(fc.array(language, { maxLength: 3 }), word, language, (list, prefix, tail) => {
        const whole = below(prefix, tail);
        const together = list.reduce(union, nothing);
        expect(coversBelow(list, prefix, tail)).toBe(includes(together, whole));
        for (const each of list)
          expect(meetsBelow(each, prefix, tail)).toBe(!isEmpty(intersect(each, whole)));
        const gap = coveredGap(list, prefix, tail);
        expect(gap === undefined).toBe(includes(together, whole));
        if (gap !== undefined) {
          expect(tail.test(gap)).toBe(true);
          expect(together.test(prefix + gap)).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });
});
