/** Paths of win32 (POLICY section 4, path, win32): canonical text `c:/Users/x`, forwarded as `C:\Users\x`. */

import {
  type Charset,
  type Language,
  type Pattern,
  charset,
  complementChars,
  intersect,
  languageOf,
  minus,
  pattern,
  unionAll,
} from '../automaton/index.js';

/** A name that the system reads as a device, whatever its extension. */
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/iu;
/** A short name as the system makes them: at most 8 characters, of which the last are `~` and digits, and 3. */
const shortName = /^(?=[^.]{1,8}(?:\.|$))[^.]*~\d+(?:\.[^.]{0,3})?$/u;

/** Why no name has the characters, or undefined. */
export function badCharacters(name: string): string | undefined {
  if (/[<>"|?*]|[^ -\u{10ffff}]/u.test(name)) return 'the path has characters that no name has';
  return name.includes(':') ? 'the path names a stream, or a drive within a path' : undefined;
}

/** Why no path may have the segment, or undefined; `.` and `..` are no segments. */
export function badName(name: string): string | undefined {
  const bad = badCharacters(name);
  if (bad !== undefined) return bad;
  if (/[. ]$/u.test(name)) return 'a name in the path ends with a dot or a blank';
  if (device.test(name)) return 'the path names a device';
  return shortName.test(name) ? 'the path has an 8.3 name' : undefined;
}

/** Where a path begins: at its drive, or it is relative, or why it is refused. */
export function startOnDrive(
  value: string,
): { readonly drive: string | undefined; readonly rest: string } | { readonly why: string } {
  const slashed = value.replaceAll('\\', '/');
  if (slashed.startsWith('//')) return { why: 'the path is a network path or a device path' };
  if (slashed.startsWith('/')) return { why: 'the path has no drive' };
  const [, letter, rest = ''] = /^([A-Za-z]):(.*)$/su.exec(slashed) ?? [];
  if (letter === undefined) return { drive: undefined, rest: slashed };
  if (!rest.startsWith('/')) return { why: 'the path is relative to the folder of a drive' };
  return { drive: letter.toLowerCase(), rest };
}

/** The path as the platform spells it; canonical paths of posix stay as they are. */
export function nativePath(path: string): string {
  if (path.startsWith('/')) return path;
  return path.charAt(0).toUpperCase() + path.slice(1).replaceAll('/', '\\');
}

const marks = Array.from('/\\<>"|?*:', (char): [number, number] => [char.charCodeAt(0), char.charCodeAt(0)]);
const nameChar: Charset = complementChars(charset([...marks, [0, 0x1f]]));
const char = pattern.chars(nameChar);
const inBase = pattern.chars(complementChars(charset([...marks, [0, 0x1f], [0x2e, 0x2e]])));
const digit = pattern.chars(charset([[0x30, 0x39]]));
const dot = pattern.literal('.');
const any = pattern.star(char);

const ports = Array.from('0123456789¹²³').flatMap((each) => [`com${each}`, `lpt${each}`]);
const devices = languageOf(
  pattern.sequence(
    pattern.words(['con', 'prn', 'aux', 'nul', 'clock$', 'conin$', 'conout$', ...ports]),
    pattern.star(pattern.literal(' ')),
    pattern.optional(pattern.sequence(dot, any)),
  ),
  { fold: true },
);
const shortBases = intersect(
  languageOf(pattern.sequence(pattern.star(inBase), pattern.literal('~'), pattern.plus(digit))),
  languageOf(pattern.upTo(inBase, 8)),
);
const shortNames = languageOf(
  pattern.sequence(
    pattern.within(shortBases),
    pattern.optional(pattern.sequence(dot, pattern.upTo(inBase, 3))),
  ),
);
const trimmed = languageOf(pattern.sequence(any, pattern.words(['.', ' '])));
/** The names in which {@link badName} finds nothing. */
const names: Language = minus(languageOf(pattern.plus(char)), unionAll([devices, shortNames, trimmed]));

const driveStep = pattern.sequence(pattern.literal('/'), pattern.within(names));
/** `/` and a name. */
export const directlyOnDrive: Language = languageOf(driveStep);
/** What may follow a path that is no drive, to stay at it or beneath it. */
export const beneathOnDrive: Language = languageOf(pattern.star(driveStep));
/** What may follow a drive and its colon. */
export const drivePaths: Language = languageOf(pattern.either(pattern.literal('/'), pattern.plus(driveStep)));
/** A drive and its colon. */
export const anyDrive: Pattern = pattern.sequence(
  pattern.chars(charset([[0x61, 0x7a]])),
  pattern.literal(':'),
);
/** Every canonical absolute path. */
export const allDrivePaths: Language = languageOf(pattern.sequence(anyDrive, pattern.within(drivePaths)));
