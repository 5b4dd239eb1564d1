/** Languages of canonical absolute paths: `/`, or segments each after a `/`; never `.`, `..`, empty, or with U+0000. Of win32: behind a drive. */
import {
  type Charset,
  type Language,
  type Pattern,
  charset,
  complementChars,
  languageOf,
  pattern,
  single,
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
