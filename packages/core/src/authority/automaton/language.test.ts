/** Languages: what is built, told apart, sampled, listed and printed. */
import { describe, expect, test } from 'vitest';
import {
  TooManyStates,
  anything,
  charset,
  complement,
  coveredGap,
  coversBelow,
  finite,
  includes,
  intersect,
  isAll,
  isEmpty,
  languageOf,
  maxPrinted,
  meetsBelow,
  minus,
  nothing,
  pattern,
  print,
  sample,
  union,
  unionAll,
} from './index.js';

const under = (prefix: string) => languageOf(pattern.sequence(pattern.literal(prefix), pattern.anything));
const words = (...list: string[]) => languageOf(pattern.words(list));

describe('a language', () => {
  test('is one object however it was built', () => {
    const one = languageOf(pattern.either(pattern.literal('ab'), pattern.literal('ac')));
    const two = languageOf(pattern.sequence(pattern.literal('a'), pattern.chars(charset([[0x62, 0x63]]))));
    expect(one).toBe(two);
    expect(one).toBe(words('ac', 'ab', 'ac'));
    expect(one.id).toBe(two.id);
  });

  test('never holds a text with a lone surrogate, not even the language of every text', () => {
    expect(anything.test('a\ud83d\ude00')).toBe(true);
    for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800', 'x\ud83d'])
      expect(anything.test(text)).toBe(false);
  });

  test('counts a character outside the basic plane once', () => {
    const one = languageOf(pattern.anyChar);
    expect(one.test('😀')).toBe(true);
    expect(one.test('😀😀')).toBe(false);
  });

  test('matches line breaks and U+0000 as any character', () => {
    expect(under('a').test('a\r\n\u2028\u0000')).toBe(true);
  });

  test('under folding matches each character with its partners of the same simple folding', () => {
    const folded = languageOf(pattern.literal('Masks'), { fold: true });
    for (const text of ['masks', 'MASKS', 'ma\u017fK\u017f', 'MAS\u212aS'])
      expect(folded.test(text)).toBe(true);
    expect(languageOf(pattern.words(['ß']), { fold: true }).test('ss')).toBe(false);
    expect(languageOf(pattern.words(['k', 'K']), { fold: true })).toBe(
      languageOf(pattern.literal('k'), { fold: true }),
    );
  });

  test('[P.authority.state-cap] that needs too many states is refused while it is built', () => {
    const tail = Array.from({ length: 24 }, () => pattern.anyChar);
    const wide = pattern.sequence(pattern.anything, pattern.literal('a'), ...tail);
    expect(() => languageOf(wide)).toThrow(TooManyStates);
  });

  test('of thousands of words stays small and exact', () => {
    const list = Array.from({ length: 3000 }, (_, i) => `user${i}@corp.example`);
    const language = words(...list);
    expect(language.test('user2999@corp.example')).toBe(true);
    expect(language.test('user3000@corp.example')).toBe(false);
    expect(finite(language, 3000)).toHaveLength(3000);
  });
});

describe('operations on languages', () => {
  test('know the empty and the full language', () => {
    const a = under('a');
    expect(isEmpty(intersect(a, under('b')))).toBe(true);
    expect(isAll(union(a, complement(a)))).toBe(true);
    expect(minus(a, a)).toBe(nothing);
    expect(unionAll([])).toBe(nothing);
    expect(complement(complement(a))).toBe(a);
  });

  test('see inclusion that no single part shows', () => {
    const digits = unionAll(Array.from('0123456789', (digit) => under(`a${digit}`)));
    expect(includes(digits, under('a5x'))).toBe(true);
    expect(includes(digits, under('a'))).toBe(false);
    expect(includes(under('a'), digits)).toBe(true);
  });
});

describe('examples of a language', () => {
  test('are shortest, and printable where possible', () => {
    expect(sample(minus(under('/data/'), words('/data/')))).toBe('/data/a');
    expect(sample(languageOf(pattern.chars(charset([[0, 0x1f]]))))).toBe('\u0000');
    expect(sample(nothing)).toBeUndefined();
  });

  test('list everything when there is little, and nothing when there is more than asked for', () => {
    expect(finite(words('b', 'a', 'aa'), 3)).toEqual(['a', 'b', 'aa']);
    expect(finite(words('b', 'a', 'aa'), 2)).toBeUndefined();
    expect(finite(under('a'), 1000)).toBeUndefined();
    expect(finite(nothing, 0)).toEqual([]);
  });

  test('are printed for people, at bounded length', () => {
    expect(print(words('a', 'b'))).toBe('"a" or "b"');
    expect(print(nothing)).toBe('no text');
    expect(print(complement(words('a')))).toBe('any text except "a"');
    expect(print(under('db-'))).toBe('text like /db-.*/');
    const long = languageOf(pattern.sequence(pattern.literal('x'.repeat(500)), pattern.anything));
    expect(print(long).length).toBeLessThanOrEqual(maxPrinted);
  });
});

describe('what lies beneath a prefix', () => {
  const tail = languageOf(
    pattern.either(pattern.empty, pattern.sequence(pattern.literal('/'), pattern.anything)),
  );

  test('is covered by several languages together', () => {
    const exact = words('/a');
    expect(coversBelow([exact, under('/a/')], '/a', tail)).toBe(true);
    expect(coversBelow([under('/a/')], '/a', tail)).toBe(false);
    expect(coveredGap([under('/a/')], '/a', tail)).toBe('');
    expect(coveredGap([exact, under('/a/b')], '/a', tail)).toBe('/');
  });

  test('meets a language that reaches into it', () => {
    const env = languageOf(pattern.sequence(pattern.anything, pattern.literal('/.env')));
    expect(meetsBelow(env, '/a', tail)).toBe(true);
    expect(meetsBelow(words('/b/.env'), '/a', tail)).toBe(false);
  });
});
