/** The syntax of path globs (POLICY section 4, path; posix): text to alternatives of segments. */

/** One thing in a segment: a code point, any run of characters, any one character. */
export type GlobToken = { readonly char: string } | 'run' | 'one';
/** A segment; `deep` is `**`: zero or more segments. */
export type GlobSegment = 'deep' | readonly GlobToken[];

/** One alternative of a glob, braces expanded. `base`: what its segments stand under. */
export interface GlobPath {
  readonly base: '/' | 'root' | 'home';
  readonly segments: readonly GlobSegment[];
}

/** What is wrong with a glob. */
export interface GlobFault {
  readonly fault: string;
  readonly allowed: string;
}

/** Most alternatives that the braces of one glob may give. */
export const maxExpansions = 1000;

/** Parses a glob in NFC; never throws. */
export function parseGlob(text: string): readonly GlobPath[] | GlobFault {
  const tokens = tokenise(text);
  if ('fault' in tokens) return tokens;
  const expanded = expand(tokens);
  if ('fault' in expanded) return expanded;
  const paths: GlobPath[] = [];
  for (const alternative of expanded) {
    const path = pathOf(alternative);
    if ('fault' in path) return path;
    paths.push(path);
  }
  return paths;
}

type Token = GlobToken | 'deep' | 'slash' | 'open' | 'comma' | 'close' | 'tilde' | 'bang';

function fault(message: string, allowed: string): GlobFault {
  return { fault: message, allowed };
}

const escapes = 'write \\ before a character that is meant literally';

function tokenise(text: string): readonly Token[] | GlobFault {
  if (text === '') return fault('the empty pattern', 'a path or a glob');
  const tokens: Token[] = [];
  const pieces = text.match(/\\[^]|\*+|[^]/gu) ?? [];
  for (const [i, piece] of pieces.entries()) {
    if (pieces[i + 1] === '(' && /^[@+?*!]/u.test(piece)) {
      return fault(`${piece}(: extended globs`, `{a,b}, or ${escapes}`);
    }
    const token = tokenOf(piece);
    if (typeof token === 'object' && 'fault' in token) return token;
    tokens.push(token);
  }
  return tokens;
}

const marks: ReadonlyMap<string, Token> = new Map<string, Token>([
  ['/', 'slash'],
  ['{', 'open'],
  [',', 'comma'],
  ['}', 'close'],
  ['~', 'tilde'],
  ['!', 'bang'],
  ['?', 'one'],
  ['*', 'run'],
  ['**', 'deep'],
]);

function tokenOf(piece: string): Token | GlobFault {
  if (piece === '\\') return fault('a \\ at the end', `nothing, or ${escapes}`);
  if (piece === '\\/') return fault('\\/', 'a plain /: a separator is never part of a name');
  if (piece.startsWith('\\')) return { char: piece.slice(1) };
  if (piece.startsWith('***')) return fault(piece, '* within a segment, or ** as a whole segment');
  return marks.get(piece) ?? { char: piece };
}

/** Expands braces from the left, nested ones too. */
function expand(tokens: readonly Token[]): readonly (readonly Token[])[] | GlobFault {
  const reader = { at: 0, tokens };
  const found = alternatives(reader, false);
  if ('fault' in found) return found;
  return reader.at < tokens.length ? fault('} without {', `balanced braces; ${escapes}`) : found;
}

interface TokenReader {
  at: number;
  readonly tokens: readonly Token[];
}

type Sequences = readonly (readonly Token[])[];

/** Sequences up to the end, or inside braces up to `,` or `}`. */
function alternatives(reader: TokenReader, nested: boolean): Sequences | GlobFault {
  let sequences: Sequences = [[]];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token === 'close' || (nested && token === 'comma')) return sequences;
    reader.at++;
    const parts: Sequences | GlobFault =
      token === 'open' ? group(reader) : [[token === 'comma' ? { char: ',' } : token]];
    if ('fault' in parts) return parts;
    sequences = sequences.flatMap((before) => parts.map((part) => [...before, ...part]));
    if (sequences.length > maxExpansions)
      return fault(`more than ${maxExpansions} alternatives`, 'fewer braces');
  }
}

function group(reader: TokenReader): Sequences | GlobFault {
  const all: (readonly Token[])[] = [];
  for (let count = 1; ; count++) {
    const found = alternatives(reader, true);
    if ('fault' in found) return found;
    all.push(...found);
    const mark = reader.tokens[reader.at++];
    if (mark === 'comma') continue;
    if (mark === undefined) return fault('{ without }', `balanced braces; ${escapes}`);
    return count > 1 ? all : fault('braces without a comma', `{a,b}, or ${escapes}`);
  }
}

function pathOf(tokens: readonly Token[]): GlobPath | GlobFault {
  const [first, second] = tokens;
  if (first === undefined) return fault('an empty alternative', 'a path or a glob in every alternative');
  if (first === 'bang') return fault('a leading !', `a deny rule or except, or ${escapes}`);
  if (first === 'tilde') {
    if (second === undefined || second === 'slash') return under('home', tokens.slice(2));
    return fault('~ and a name', `~/ for the home folder, or ${escapes}`);
  }
  if (first === 'slash') return under('/', tokens.slice(1));
  return under(first === 'deep' && second === 'slash' ? '/' : 'root', tokens);
}

function under(base: GlobPath['base'], tokens: readonly Token[]): GlobPath | GlobFault {
  const segments = segmentsOf(tokens);
  return 'fault' in segments ? segments : { base, segments };
}

/** Cuts at the separators; one at the end changes nothing. */
function segmentsOf(tokens: readonly Token[]): readonly GlobSegment[] | GlobFault {
  const segments: GlobSegment[] = [];
  let from = 0;
  while (from < tokens.length) {
    const cut = tokens.indexOf('slash', from);
    const end = cut < 0 ? tokens.length : cut;
    if (end === from) return fault('//', 'one / between segments');
    const segment = segmentOf(tokens.slice(from, end));
    if (segment !== 'deep' && 'fault' in segment) return segment;
    segments.push(segment);
    from = end + 1;
  }
  return segments;
}

function segmentOf(tokens: readonly Token[]): GlobSegment | GlobFault {
  if (tokens.length === 1 && tokens[0] === 'deep') return 'deep';
  const segment: GlobToken[] = [];
  for (const token of tokens) {
    if (token === 'deep' || (token === 'run' && segment.at(-1) === 'run')) {
      return fault('** inside a segment', '* within a segment, or ** as a whole segment');
    }
    segment.push(plain(token));
  }
  const name = segment.map((token) => (typeof token === 'string' ? '*' : token.char)).join('');
  if (name === '.' || name === '..')
    return fault(`a segment ${name}`, 'the path that is meant, without . and ..');
  return segment;
}

/** Marks that mean themselves within a segment. */
const literal: ReadonlyMap<Token, string> = new Map<Token, string>([
  ['slash', '/'],
  ['open', '{'],
  ['comma', ','],
  ['close', '}'],
  ['tilde', '~'],
  ['bang', '!'],
]);

function plain(token: Token): GlobToken {
  if (token === 'run' || token === 'one' || typeof token === 'object') return token;
  return { char: literal.get(token) ?? '' };
}

/** Whether the segment matches the name; for the few names that no path has. */
export function segmentMatches(segment: readonly GlobToken[], name: string): boolean {
  const [first, ...rest] = segment;
  if (first === undefined) return name === '';
  if (first === 'run')
    return segmentMatches(rest, name) || (name !== '' && segmentMatches(segment, name.slice(1)));
  if (name === '') return false;
  return (first === 'one' || first.char === name[0]) && segmentMatches(rest, name.slice(1));
}

/** Whether the text of a glob begins with two stars and a slash: it follows a name at any depth instead of naming a place. */
export function followsName(glob: string): boolean {
  return glob.startsWith('**/');
}

/** The glob that matches exactly this canonical path. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?{}~!@+(]/gu, String.raw`\$&`);
}
