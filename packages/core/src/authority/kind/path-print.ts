/** Languages of paths as globs, for people. */
import { type Charset, type Language, branches, foldOrbit, intervals } from '../automaton/index.js';
import { escapeGlob } from './path-glob.js';
import { allPaths, beneath, directly } from './path-language.js';
import { beneathOnDrive, directlyOnDrive, drivePaths } from './path-win32.js';

const maxGlobs = 8;
const maxSteps = 400;
/** There a backslash is a separator, and a drive, which comes first, is written small and matches in any case. */
const onDrive = /^[a-z]:/u;

const tails: ReadonlyMap<Language, string> = new Map([
  [allPaths, '/**'],
  [beneath, '/**'],
  [directly, '/*'],
  [drivePaths, '/**'],
  [beneathOnDrive, '/**'],
  [directlyOnDrive, '/*'],
]);

/**
 * The language as a few globs joined by "or"; undefined when it is no union of single paths, whole folders and their direct
 * entries. Where every letter matches in all its cases, letters are shown small and the text says so. Not to be parsed.
 */
export function printPaths(language: Language): string | undefined {
  const found = globsOf(language);
  if (found === undefined || found.globs.length === 0) return undefined;
  const { globs, cases } = found;
  if (!cases.has('all')) return globs.join(' or ');
  return cases.has('one') ? undefined : `${globs.join(' or ')} in any case`;
}

interface Found {
  readonly globs: readonly string[];
  readonly cases: ReadonlySet<Letter['cases']>;
}

function globsOf(language: Language): Found | undefined {
  const globs: string[] = [];
  const work: (readonly [text: string, rest: Language])[] = [['', language]];
  const cases = new Set<Letter['cases']>();
  for (const [text, rest] of work) {
    const tail = tailOf(text, rest);
    if (tail !== undefined) {
      globs.push(text + tail);
      continue;
    }
    if (rest.test('')) globs.push(text);
    for (const { chars, rest: behind } of branches(rest)) {
      const letter = letterOf(chars);
      if (letter === undefined) return undefined;
      if (text !== '' || letter.char === '/') cases.add(letter.cases);
      work.push([text + (onDrive.test(text) ? letter.char : escapeGlob(letter.char)), behind]);
    }
    if (globs.length > maxGlobs || work.length > maxSteps) return undefined;
  }
  return { globs, cases };
}

/** What stands for all that may follow; all paths of a tree at its top only, where no slash is before them. */
function tailOf(text: string, rest: Language): string | undefined {
  if (rest === allPaths && text !== '') return undefined;
  if (rest === drivePaths && !text.endsWith(':')) return undefined;
  return tails.get(rest);
}

interface Letter {
  readonly char: string;
  /** Whether the set holds one case of the letter, or all; `none`: it has no other case. */
  readonly cases: 'none' | 'one' | 'all';
}

/** The letter that the characters are, in one case or in all of them; undefined: they are more. */
function letterOf(chars: Charset): Letter | undefined {
  const points = [...intervals(chars)].flatMap(([lo, hi]) => (lo === hi ? [lo] : [lo, hi]));
  const [first] = points;
  if (first === undefined) return undefined;
  const orbit = foldOrbit(first);
  const char = String.fromCodePoint(first);
  if (points.length === 1) return { char, cases: orbit.length > 1 ? 'one' : 'none' };
  return orbit.join() === points.join() ? { char: char.toLowerCase(), cases: 'all' } : undefined;
}
