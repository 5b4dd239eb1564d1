/** Other spellings of paths: each means the path that it is a spelling of. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intersect, isEmpty, languageOf, minus, pattern, sample } from '../automaton/index.js';
import { canonicalPath } from './path-value.js';
import { spellingsOf } from './path-spelling.js';

const segment = fc.constantFrom('a', 'b', 'a.b', '...', '.x', 'ü');
const path = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const context = fc.option(path, { nil: undefined }).map((root) => ({
  case: 'sensitive' as const,
  platform: 'posix' as const,
  ...(root === undefined ? {} : { root }),
}));

describe('[P.kind.path-lexical] spellings of a path', () => {
  test('mean that path', () => {
    fc.assert(
      fc.property(
        path,
        context,
        fc.constantFrom('', '/', 'a', './', '../', '/a/b', 'x/'),
        (target, ctx, start) => {
          const begun = languageOf(pattern.sequence(pattern.literal(start), pattern.anything));
          let left = intersect(spellingsOf(target, ctx), begun);
          for (let count = 0; count < 12 && !isEmpty(left); count++) {
            const text = sample(left) ?? '';
            expect(canonicalPath(text, ctx)).toEqual({ ok: true, path: target });
            left = minus(left, languageOf(pattern.words([text])));
          }
        },
      ),
    );
  });

  test.each([
    ['/e', '/d/', '/d/../e'],
    ['/d/x', '/d/s', '/d/s/../../d/x'],
    ['/d', '/d/s', '/d/s/..'],
    ['/', '/d/', '/d/..'],
  ])('%s has one that begins with %s', (target, start, spelled) => {
    const ctx = { case: 'sensitive', platform: 'posix', root: '/d' } as const;
    expect(canonicalPath(spelled, ctx)).toEqual({ ok: true, path: target });
    const begun = languageOf(pattern.sequence(pattern.literal(start), pattern.anything));
    expect(isEmpty(intersect(spellingsOf(target, ctx), begun))).toBe(false);
  });
});
