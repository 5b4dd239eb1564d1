/** The syntax of path globs (POLICY section 4, path): text to alternatives of segments. */
import { type Braces, type Item, expandBraces, isBraces, readBraces } from './path-braces.js';
import type { PathContext } from './context.js';
import { badCharacters, badName } from './path-win32.js';
import { type GlobFault, charOf, escapes, fault, tokenise } from './path-tokens.js';

/** One thing in a segment: a code point, any run of characters, any one character, or one of some sequences. */
export type GlobToken = { readonly char: string } | 'run' | 'one' | { readonly oneOf: readonly GlobTokens[] };
/** What a segment, or an alternative in one, is made of. */
export type GlobTokens = readonly GlobToken[];
/** A segment; `deep` is `**`: zero or more segments. */
export type GlobSegment = 'deep' | GlobTokens;

/** One alternative of a glob. `base`: what its segments stand under. Braces within one segment are left in it. */
export interface GlobPath {
  readonly base: '/' | 'root' | 'home' | 'drive';
  /** With base `drive`: `c:`. With base `/` on win32 the segments stand under any drive. */
  readonly drive?: string;
  readonly segments: readonly GlobSegment[];
}

/** Parses a glob in NFC; never throws. */
export function parseGlob(
  text: string,
  platform: PathContext['platform'] = 'posix',
): readonly GlobPath[] | GlobFault {
  const tokens = tokenise(text, platform);
  if ('fault' in tokens) return tokens;
  const items = readBraces(tokens);
  if ('fault' in items) return items;
  const whole = pathsOf(items, platform, () => true);
  if ('fault' in whole || platform === 'win32') return whole;
  const compact = pathsOf(items, platform, crossesSegments);
  return 'fault' in compact || compact.some((path) => path.segments.some(mayBeEmpty)) ? whole : compact;
}

function pathsOf(
  items: readonly Item[],
  platform: PathContext['platform'],
  opens: (braces: Braces) => boolean,
): readonly GlobPath[] | GlobFault {
  const expanded = expandBraces(items, opens);
  if ('fault' in expanded) return expanded;
  const paths: GlobPath[] = [];
  for (const alternative of expanded) {
    const path = platform === 'win32' ? drivePathOf(alternative) : pathOf(alternative);
    if ('fault' in path) return path;
    paths.push(path);
  }
  return paths;
}

/** Whether the braces hold more than parts of one segment. */
function crossesSegments(braces: Braces): boolean {
  return braces.oneOf
    .flat()
    .some((item) =>
      isBraces(item)
        ? crossesSegments(item)
        : ['slash', 'deep', 'tilde', 'bang'].some((mark) => mark === item),
    );
}

function mayBeEmpty(segment: GlobSegment): boolean {
  return segment !== 'deep' && segment.some((token) => token !== 'run') && segmentMatches(segment, '');
}

function pathOf(items: readonly Item[]): GlobPath | GlobFault {
  const [first, second] = items;
  if (first === undefined) return fault('an empty alternative', 'a path or a glob in every alternative');
  if (first === 'bang') return fault('a leading !', `a deny rule or except, or ${escapes}`);
  if (first === 'tilde') {
    if (second === undefined || second === 'slash') return under('home', items.slice(2));
    return fault('~ and a name', `~/ for the home folder, or ${escapes}`);
  }
  if (first === 'slash') return under('/', items.slice(1));
  return under(first === 'deep' && second === 'slash' ? '/' : 'root', items);
}

const drivesWanted = 'DRIVE:/… or a relative path; **/ in front for any depth on any drive';

function drivePathOf(items: readonly Item[]): GlobPath | GlobFault {
  const [first, second, third] = items.slice(0, 3).map((item) => (isBraces(item) ? undefined : charOf(item)));
  if (first === '/') {
    const what = second === '/' ? 'a network path or a device path' : 'a path without a drive';
    return fault(what, drivesWanted);
  }
  if (first === undefined || !/^[A-Za-z]$/u.test(first) || second !== ':') return soundNames(pathOf(items));
  if (third !== '/') return fault('a path relative to the folder of a drive', drivesWanted);
  const path = soundNames(under('drive', items.slice(3)));
  return 'fault' in path ? path : { ...path, drive: `${first.toLowerCase()}:` };
}

function soundNames(path: GlobPath | GlobFault): GlobPath | GlobFault {
  if ('fault' in path) return path;
  const bad = path.segments.map(badSegment).find((why) => why !== undefined);
  return bad === undefined ? path : fault(bad, 'names as the system keeps them');
}

/** Why no name has the segment's characters, or, where it is one name, why that is none. */
function badSegment(segment: GlobSegment): string | undefined {
  if (segment === 'deep') return undefined;
  const chars = segment.map((token) =>
    typeof token === 'object' && 'char' in token ? token.char : undefined,
  );
  const literal = chars.filter((char) => char !== undefined).join('');
  return chars.includes(undefined) ? badCharacters(literal) : badName(literal);
}

function under(base: GlobPath['base'], items: readonly Item[]): GlobPath | GlobFault {
  const segments = segmentsOf(items);
  return 'fault' in segments ? segments : { base, segments };
}

/** Cuts at the separators; one at the end changes nothing. */
function segmentsOf(items: readonly Item[]): readonly GlobSegment[] | GlobFault {
  const segments: GlobSegment[] = [];
  let from = 0;
  while (from < items.length) {
    const cut = items.indexOf('slash', from);
    const end = cut < 0 ? items.length : cut;
    if (end === from) return fault('//', 'one / between segments');
    const segment = segmentOf(items.slice(from, end));
    if (segment !== 'deep' && 'fault' in segment) return segment;
    segments.push(segment);
    from = end + 1;
  }
  return segments;
}

function segmentOf(items: readonly Item[]): GlobSegment | GlobFault {
  if (items.length === 1 && items[0] === 'deep') return 'deep';
  if (items.some((item, i) => item === 'deep' || (item === 'run' && items[i - 1] === 'run'))) {
    return fault('** inside a segment', '* within a segment, or ** as a whole segment');
  }
  const name = items.map((item) => (isBraces(item) ? '{}' : (charOf(item) ?? '*'))).join('');
  if (name === '.' || name === '..')
    return fault(`a segment ${name}`, 'the path that is meant, without . and ..');
  return items.map(plain);
}

function plain(item: Item): GlobToken {
  if (isBraces(item)) return { oneOf: item.oneOf.map((inner) => inner.map(plain)) };
  if (item === 'run' || item === 'one') return item;
  return { char: charOf(item) ?? '' };
}

/** Whether the segment matches the name; for the few names that no path has. */
export function segmentMatches(segment: GlobTokens, name: string): boolean {
  const [first, ...rest] = segment;
  if (first === undefined) return name === '';
  if (typeof first === 'object' && 'oneOf' in first) {
    return first.oneOf.some((inner) => segmentMatches([...inner, ...rest], name));
  }
  if (first === 'run')
    return segmentMatches(rest, name) || (name !== '' && segmentMatches(segment, name.slice(1)));
  if (name === '') return false;
  return (first === 'one' || first.char === name[0]) && segmentMatches(rest, name.slice(1));
}

/** Whether the text of a glob begins with two stars and a slash: it follows a name at any depth instead of naming a place. */
export function followsName(glob: string): boolean {
  return /^\*\*[/\\]/u.test(glob);
}

/** The glob that matches exactly this canonical path. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?{}~!@+(]/gu, String.raw`\$&`);
}
