/** Folders whose reach is in a language, or meets it, against the reach of each folder. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContext } from '../../../../../test/constraints.js';
import {
  type Language,
  includes,
  intersect,
  isEmpty,
  languageOf,
  minus,
  pattern,
  union,
} from '../automaton/index.js';
import {
  type PathContext,
  type Reach,
  below,
  canonicalPath,
  childrenOf,
  foldersInside,
  foldersMeeting,
  globLanguage,
} from './index.js';
import { pathsOn } from './path-language.js';

const names = ['a', 'b', 'k', '.env', 'a b'];
const globs = [
  '**',
  '*',
  'a',
  'a/**',
  'a/*',
  '*/k',
  '**/k',
  '**/k/**',
  '{a,b}/**',
  'a/b/*',
  '*/*/**',
  'a*',
  'k/a',
];

function context(platform: PathContext['platform']): PathContext {
  return { ...readContext().path, platform, root: top(platform) };
}

function top(platform: PathContext['platform']): string {
  return platform === 'win32' ? 'c:/' : '/';
}

function globOn(glob: string, platform: PathContext['platform']): Language {
  return globLanguage(`${top(platform)}${glob}`, context(platform), false);
}

const platform = fc.constantFrom<PathContext['platform']>('posix', 'win32');
const about = fc.record({ on: platform, far: fc.constantFrom<Reach>('subtree', 'children') });
const chosen = fc.uniqueArray(fc.constantFrom(...globs), { minLength: 1, maxLength: 4 });
const segments = fc.array(fc.constantFrom(...names), { maxLength: 4 });

describe('folders', () => {
  test('[P.authority.extent] are inside when all that they reach is in the language, and meet it when some is', () => {
    const seen = { inside: 0, meeting: 0, neither: 0 };
    fc.assert(
      fc.property(
        about,
        chosen,
        chosen,
        fc.array(segments, { minLength: 4, maxLength: 8 }),
        ({ on, far }, some, less, folders) => {
          const join = (list: readonly string[]): Language =>
            list.map((each) => globOn(each, on)).reduce(union);
          const texts = minus(join(some), join(less.slice(1).length === 0 ? ['a/b/a b'] : less.slice(1)));
          const [inside, meeting] = [foldersInside(texts, far, on), foldersMeeting(texts, far, on)];
          expect(includes(pathsOn(on), union(inside, meeting))).toBe(true);
          for (const list of folders) {
            const folder = `${top(on)}${list.join('/')}`;
            const { prefix, tail } = far === 'subtree' ? below(folder) : childrenOf(folder);
            const reached = languageOf(pattern.sequence(pattern.literal(prefix), pattern.within(tail)));
            const [all, any] = [includes(texts, reached), !isEmpty(intersect(texts, reached))];
            expect([folder, inside.test(folder)]).toEqual([folder, all]);
            expect([folder, meeting.test(folder)]).toEqual([folder, any]);
            seen[all ? 'inside' : any ? 'meeting' : 'neither'] += 1;
          }
        },
      ),
      { numRuns: 80 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  test('[P.authority.extent] reach what a walk down from them finds', () => {
    fc.assert(
      fc.property(
        about,
        chosen,
        segments,
        fc.array(fc.constantFrom(...names), { maxLength: 3 }),
        ({ on, far }, some, list, deeper) => {
          const texts = some.map((each) => globOn(each, on)).reduce(union);
          const folder = `${top(on)}${list.join('/')}`;
          const found = canonicalPath([folder, ...deeper].join('/').replaceAll('//', '/'), context(on));
          if (!found.ok || (far === 'children' && deeper.length !== 1)) return;
          if (foldersInside(texts, far, on).test(folder)) expect(texts.test(found.path)).toBe(true);
          if (texts.test(found.path)) expect(foldersMeeting(texts, far, on).test(folder)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
