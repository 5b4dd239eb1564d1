/** Languages of canonical absolute paths: `/`, or segments each after a `/`; never `.`, `..`, empty, or with U+0000. Of win32: behind a drive. */
import {
  type Charset,
  type Language,
  type Pattern,
  anything,
  charset,
  complementChars,
  coveredTexts,
  intersect,
  languageOf,
  meetingTexts,
  minus,
  pattern,
  single,
  union,
  unionChars,
} from '../automaton/index.js';
import type { PathContext } from './context.js';
import { allDrivePaths, beneathOnDrive, directlyOnDrive, drivePaths } from './path-win32.js';

const slash = 0x2f;
const dot = 0x2e;

/** A character of a segment. */
export const segmentChar: Charset = complementChars(
  charset([
    [0, 0],
    [slash, slash],
  ]),
);
const noDot = complementChars(unionChars(complementChars(segmentChar), single(dot)));

const rest = pattern.star(pattern.chars(segmentChar));
const dots = pattern.chars(single(dot));
/** Any segment. */
const anySegment: Pattern = pattern.either(
  pattern.sequence(pattern.chars(noDot), rest),
  pattern.sequence(dots, pattern.chars(noDot), rest),
  pattern.sequence(dots, dots, pattern.chars(segmentChar), rest),
);

const separator = pattern.chars(single(slash));
/** `/` and any segment. */
export const step: Pattern = pattern.sequence(separator, anySegment);
/** `/` and this segment. */
export function stepOf(segment: Pattern): Pattern {
  return pattern.sequence(separator, segment);
}

/** Any canonical absolute path. */
export const anyPath: Pattern = pattern.either(separator, pattern.plus(step));
/** Every canonical absolute path. */
export const allPaths: Language = languageOf(anyPath);

/** What may follow a path that is not `/`, to stay at it or beneath it. */
export const beneath: Language = languageOf(pattern.star(step));
/** `/` and one segment. */
export const directly: Language = languageOf(step);

/** Paths as one prefix and what may follow it. */
export interface PathRegion {
  readonly prefix: string;
  readonly tail: Language;
}

/** The canonical path itself and everything beneath it. */
export function below(path: string): PathRegion {
  const onDrive = !path.startsWith('/');
  if (path.endsWith('/')) return { prefix: path.slice(0, -1), tail: onDrive ? drivePaths : allPaths };
  return { prefix: path, tail: onDrive ? beneathOnDrive : beneath };
}

/** The direct entries of the canonical path, without itself. */
export function childrenOf(path: string): PathRegion {
  const tail = path.startsWith('/') ? directly : directlyOnDrive;
  return { prefix: path.endsWith('/') ? path.slice(0, -1) : path, tail };
}

/** Every canonical absolute path of the platform. */
export function pathsOn(platform: PathContext['platform']): Language {
  return platform === 'win32' ? allDrivePaths : allPaths;
}

/** How far a folder's access reaches: itself and all beneath it, or its direct entries. */
export type Reach = 'subtree' | 'children';

/** The paths whose whole reach is in the language. Throws TooManyStates, as {@link foldersMeeting}. */
export function foldersInside(texts: Language, reach: Reach, platform: PathContext['platform']): Language {
  return foldersWhere(coveredTexts, { texts, reach, platform });
}

/** The paths some of whose reach is in the language. */
export function foldersMeeting(texts: Language, reach: Reach, platform: PathContext['platform']): Language {
  return foldersWhere(meetingTexts, { texts, reach, platform });
}

/** Tops end with the separator that what is beneath them begins with, so they are asked without it. */
function foldersWhere(
  ask: (language: Language, tail: Language) => Language,
  about: {
    readonly texts: Language;
    readonly reach: Reach;
    readonly platform: PathContext['platform'];
  },
): Language {
  const { texts, reach, platform } = about;
  const folder = below(platform === 'win32' ? 'c:/x' : '/x').tail;
  const top = below(platform === 'win32' ? 'c:/' : '/').tail;
  const entries = childrenOf(platform === 'win32' ? 'c:/x' : '/x').tail;
  const universe = pathsOn(platform);
  const tops = endingInSeparator(universe);
  const [ofFolder, ofTop] = reach === 'subtree' ? [folder, top] : [entries, entries];
  const beneathTop = pattern.sequence(pattern.within(ask(texts, ofTop)), separator);
  return union(
    intersect(ask(texts, ofFolder), minus(universe, tops)),
    intersect(languageOf(beneathTop), tops),
  );
}

function endingInSeparator(universe: Language): Language {
  return intersect(universe, languageOf(pattern.sequence(pattern.within(anything), separator)));
}
