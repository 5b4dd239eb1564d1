/** Path globs against a plain matcher, segment by segment. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContext } from '../../../../../test/constraints.js';
import { coversBelow, foldOrbit, includes, meetsBelow } from '../automaton/index.js';
import { allPaths, below, canonicalPath, childrenOf, escapeGlob, globLanguage } from './index.js';
import { parseGlob } from './path-glob.js';

const ctx = readContext().path;
const chars = ['a', 'b', 'B', '.', 's', 'ſ', '[', '-'];

const name = fc
  .array(fc.constantFrom(...chars), { minLength: 1, maxLength: 3 })
  .map((list) => list.join(''))
  .filter((each) => each !== '.' && each !== '..');
const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join('/')}`);

const piece = fc.oneof(
  { arbitrary: fc.constantFrom(...chars), weight: 4 },
  { arbitrary: fc.constantFrom('*', '?'), weight: 2 },
  {
    arbitrary: fc.tuple(name, fc.constantFrom('', 'a', 'b/a', '*', '{a,s}b')).map(([a, b]) => `{${a},${b}}`),
    weight: 1,
  },
);
const segment = fc.oneof(
  { arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((list) => list.join('')), weight: 4 },
  { arbitrary: fc.constantFrom('**', '*'), weight: 1 },
);
const glob = fc
  .tuple(
    fc.constantFrom('/', '**/', ''),
    fc.array(segment, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '/'),
  )
  .map(([start, list, end]) => `${start}${list.join('/')}${end}`)
  .filter((text) => !('fault' in parseGlob(text)));

/** Alternatives of the first innermost-from-the-left brace, one at a time. */
function expand(text: string): string[] {
  const open = text.indexOf('{');
  if (open < 0) return [text];
  let depth = 0;
  const cuts = [open];
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}') depth--;
    if ((text[i] === ',' && depth === 1) || depth === 0) cuts.push(i);
    if (depth === 0) break;
  }
  const end = cuts.at(-1)!;
  return cuts
    .slice(0, -1)
    .flatMap((cut, i) =>
      expand(text.slice(0, open) + text.slice(cut + 1, cuts[i + 1]) + text.slice(end + 1)),
    );
}

function sameChar(a: string, b: string, fold: boolean): boolean {
  return fold ? foldOrbit(a.codePointAt(0)!)[0] === foldOrbit(b.codePointAt(0)!)[0] : a === b;
}

function segmentHolds(pattern: readonly string[], own: readonly string[], fold: boolean): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return own.length === 0;
  if (first === '*')
    return segmentHolds(rest, own, fold) || (own.length > 0 && segmentHolds(pattern, own.slice(1), fold));
  const char = own[0];
  if (char === undefined || (first !== '?' && !sameChar(first, char, fold))) return false;
  return segmentHolds(rest, own.slice(1), fold);
}

function pathHolds(pattern: readonly string[], names: readonly string[], fold: boolean): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return names.length === 0;
  if (first === '**')
    return pathHolds(rest, names, fold) || (names.length > 0 && pathHolds(pattern, names.slice(1), fold));
  const own = names[0];
  return (
    own !== undefined &&
    segmentHolds(Array.from(first), Array.from(own), fold) &&
    pathHolds(rest, names.slice(1), fold)
  );
}

function matches(text: string, whole: string, fold: boolean): boolean {
  return expand(text).some((each) => {
    const absolute = each.startsWith('/') || each.startsWith('**/') ? each : `/proj/${each}`;
    const pattern = absolute.split('/').filter((part) => part !== '');
    return pathHolds(
      pattern,
      whole.split('/').filter((part) => part !== ''),
      fold,
    );
  });
}

describe('path globs', () => {
  test('[P.kind.path-glob] match exactly the paths that a plain matcher does', () => {
    fc.assert(
      fc.property(
        glob,
        fc.boolean(),
        fc.array(path, { minLength: 10, maxLength: 20 }),
        (text, fold, list) => {
          const language = globLanguage(text, ctx, fold);
          for (const each of [...list, ...list.map((own) => (own === '/' ? '/proj' : `/proj${own}`))]) {
            expect(language.test(each), `${text} on ${each}`).toBe(matches(text, each, fold));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('match canonical paths only', () => {
    fc.assert(
      fc.property(glob, fc.boolean(), (text, fold) => {
        expect(includes(allPaths, globLanguage(text, ctx, fold))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('match a path exactly when it is escaped', () => {
    const odd = fc
      .array(fc.constantFrom('a', '*', '?', '{', '}', ',', '\\', '!', '~', '@', '('), {
        minLength: 1,
        maxLength: 6,
      })
      .map((list) => `/${list.join('')}`);
    fc.assert(
      fc.property(odd, (own) => {
        const language = globLanguage(escapeGlob(own), ctx, false);
        expect(language.test(own)).toBe(true);
        expect(language.test(`${own}a`)).toBe(false);
      }),
    );
  });
});

describe('canonical paths', () => {
  const messy = fc
    .array(fc.constantFrom('a', 'b.c', '.', '..', '', '...', '..a'), { maxLength: 6 })
    .map((parts) => parts.join('/'))
    .filter((text) => text !== '');

  test('[P.kind.path-lexical] are in the domain that globs match over, and stay as they are', () => {
    fc.assert(
      fc.property(messy, (text) => {
        const read = canonicalPath(text, ctx);
        expect(read.ok).toBe(true);
        if (!read.ok) return;
        expect(allPaths.test(read.path)).toBe(true);
        expect(canonicalPath(read.path, ctx)).toEqual(read);
      }),
    );
  });
});

describe('regions of paths', () => {
  test('[P.authority.extent] below a path: itself and what begins with it and a slash; its children: one step', () => {
    fc.assert(
      fc.property(path, path, (base, other) => {
        const inside = other === base || other.startsWith(base === '/' ? '/' : `${base}/`);
        const exact = globLanguage(escapeGlob(other), ctx, false);
        const region = below(base);
        expect(meetsBelow(exact, region.prefix, region.tail)).toBe(inside);
        const children = childrenOf(base);
        const depth = (text: string): number => text.split('/').filter((part) => part !== '').length;
        const child = inside && depth(other) === depth(base) + 1;
        expect(meetsBelow(exact, children.prefix, children.tail)).toBe(child);
        const whole = globLanguage(base === '/' ? '/**' : `${escapeGlob(base)}/**`, ctx, false);
        expect(coversBelow([whole], region.prefix, region.tail)).toBe(true);
      }),
    );
  });
});
