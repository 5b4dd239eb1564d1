/** Characters and marks of path globs (POLICY section 4, path). */

import type { PathContext } from './context.js';

/** What is wrong with a glob. */
export interface GlobFault {
  readonly fault: string;
  readonly allowed: string;
}

/** A code point, any run of characters (`*`), any one character (`?`), `**`, or a mark. */
export type Token =
  | { readonly char: string }
  | 'run'
  | 'one'
  | 'deep'
  | 'slash'
  | 'open'
  | 'comma'
  | 'close'
  | 'tilde'
  | 'bang';

/** Makes a fault. */
export function fault(message: string, allowed: string): GlobFault {
  return { fault: message, allowed };
}

/** How to write a mark as itself. */
export const escapes = 'write \\ before a character that is meant literally';

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

/** Cuts a glob into tokens. On win32 a backslash is a separator, so that nothing can be escaped. */
export function tokenise(text: string, platform: PathContext['platform']): readonly Token[] | GlobFault {
  if (text === '') return fault('the empty pattern', 'a path or a glob');
  const tokens: Token[] = [];
  const slashed = platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const pieces = slashed.match(/\\[^]|\*+|[^]/gu) ?? [];
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

function tokenOf(piece: string): Token | GlobFault {
  if (piece === '\\') return fault('a \\ at the end', `nothing, or ${escapes}`);
  if (piece === '\\/') return fault('\\/', 'a plain /: a separator is never part of a name');
  if (piece.startsWith('\\')) return { char: piece.slice(1) };
  if (piece.startsWith('***')) return fault(piece, '* within a segment, or ** as a whole segment');
  return marks.get(piece) ?? { char: piece };
}

/** The character that a mark is; undefined: `*`, `**` or `?`. */
export function charOf(token: Token): string | undefined {
  if (typeof token === 'object') return token.char;
  for (const [char, mark] of marks) if (mark === token && !/[*?]/u.test(char)) return char;
  return undefined;
}
