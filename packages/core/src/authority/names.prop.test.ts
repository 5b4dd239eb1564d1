/** Names that patterns tell apart, against matching each name with each pattern. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameCells } from './names.js';

const letters = 'ab_';
const pattern = fc
  .array(fc.constantFrom('a', 'b', '_', '*'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
const name = fc
  .array(fc.constantFrom(...Array.from(letters)), { minLength: 1, maxLength: 7 })
  .map((chars) => chars.join(''));

function matching(patterns: readonly string[], text: string): string {
  return patterns
    .map((each) => Number(new RegExp(`^${each.replaceAll('*', '.*')}$`, 'u').test(text)))
    .join('');
}

describe('kinds of names', () => {
  test('[P.includes.exact] each name that can be matches the patterns as exactly one of the cells does', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 6 }),
        fc.array(name, { minLength: 20, maxLength: 40 }),
        (patterns, names) => {
          const cells = nameCells(patterns, letters) ?? [];
          const kinds = cells.map((cell) => matching(patterns, cell));
          expect(new Set(kinds).size).toBe(kinds.length);
          for (const each of names) expect(kinds).toContain(matching(patterns, each));
          for (const cell of cells) expect(cell).toMatch(/^[ab_]+$/u);
        },
      ),
    );
  });

  test('patterns that are met independently make each combination', () => {
    const patterns = Array.from('abcdef', (letter) => `*${letter}*`);
    expect(nameCells(patterns, 'abcdefg')).toHaveLength(64);
  });
});
