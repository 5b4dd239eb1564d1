/** Sets in words. */
import { describe, expect, test } from 'vitest';
import { doc, readContext } from '../../../../../test/constraints.js';
import type { Json } from '../../ground/index.js';
import { type ReadContext, compileConstraint, printSet, readConstraint } from './index.js';

function print(value: Json, changes: Partial<ReadContext> = {}): string {
  const ctx = readContext(changes);
  const constraint = readConstraint(doc(value), ctx);
  const sets = constraint === undefined ? [] : compileConstraint(constraint, ctx);
  return sets.map((views) => [...views.values()].map(printSet).join(' and ')).join(' or ');
}

describe('a set in words', () => {
  test('lists scalars and says nothing about lists of them', () => {
    expect(print(['a', 1, true, null])).toBe('"a" or 1 or true or null');
    expect(print({ optional: ['a'] })).toBe('"a" or absent');
  });

  test('names everything, presence and absence', () => {
    expect(['any', 'present', 'absent'].map((word) => print(word))).toEqual([
      'any value or absent',
      'any value',
      'absent',
    ]);
  });

  test('shows paths as globs', () => {
    const onPath = { place: 'path' } as const;
    expect(print(['/data/**', '/etc/hosts', 'src/*'], onPath)).toBe('/data/** or /proj/src/* or /etc/hosts');
    expect(print('/**', onPath)).toBe('/**');
    expect(print('/Data/**', { ...onPath, polarity: 'refuse' })).toContain('/data/** in any case');
    expect(print('**/.env', onPath)).toMatch(/^text /u);
  });

  test('shows paths of win32 as globs, and addresses as people write them', () => {
    const win = { place: 'path', path: { case: 'insensitive', platform: 'win32' } } as const;
    expect(print(['C:\\Data\\**', 'd:/**'], win)).toBe('d:/** or c:/data/** in any case');
    expect(print(['10.0.0.1', '::1'], { place: 'host' })).toBe('10.0.0.1 or [::1]');
    expect(print('private', { place: 'host' })).toBe('private addresses');
    expect(print('**.a.example', { place: 'host' })).toMatch(/^text /u);
  });

  test('shows bounds, lengths and elements', () => {
    expect(print({ min: 0, max: 10, integer: true })).toBe('integers 0 to 10');
    expect(print({ items: ['a'], minItems: 1 })).toBe('lists of "a" of at least 1');
  });
});
