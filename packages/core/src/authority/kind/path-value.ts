/** Paths as calls send them: lexical resolution to one canonical absolute form (POLICY section 4, path, Values, win32). */
import type { PathContext } from './context.js';
import { badName, startOnDrive } from './path-win32.js';

/** A canonical absolute path, or why the value has none. */
export type CanonicalPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: string };

/** Absolute paths that are canonical beyond doubt: most of them. */
const plain = /^(?:\/[\w-][\w. -]*)+$/u;
const ascii = /^\p{ASCII}*$/u;
const loneSurrogate = /\p{Surrogate}/u;
/** Encoded once or several times: control characters, `.`, `/`, `\`, and their overlong forms. */
const encoded = /%(?:25)*(?:[01][\da-f]|7f|2e|2f|5c|c0%(?:25)*a[ef]|c1%(?:25)*9c)/iu;

/**
 * Resolves the value against `base` (a canonical absolute path; default: the server's root), removes `.`, `..`, doubled and
 * trailing slashes lexically; only a segment that is exactly `..` climbs, and `/` is the top.
 *
 * Refused, never repaired: the empty text, U+0000, lone surrogates, text that is not NFC, `~user`, `~` without a home, a
 * relative path without root and base, and percent-encoded control characters, dots, slashes and backslashes, encoded any
 * number of times, in either case: what a later decoding would turn into other segments, or cut short. Every other `%` is
 * an ordinary character (`100%.txt`, `a%20b`), and so on posix is a backslash.
 *
 * On win32 both separators count, and the canonical form is `c:/Users/x`. Refused too: paths that begin with a separator
 * (no drive, network, device), `C:x`, and names that `badName` finds bad.
 */
export function canonicalPath(value: string, ctx: PathContext, base?: string): CanonicalPath {
  if (ctx.platform === 'win32') return onDrive(value, ctx, base);
  if (plain.test(value)) return { ok: true, path: value };
  const why = refusal(value);
  if (why !== undefined) return { ok: false, why };
  const start = value.startsWith('/') ? fromTop : startOf(value, ctx, base);
  if (!start.ok) return start;
  const segments: string[] = [];
  for (const segment of `${start.path}/${value.startsWith('~') ? value.slice(1) : value}`.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return { ok: true, path: `/${segments.join('/')}` };
}

const fromTop: CanonicalPath = { ok: true, path: '' };

function refusal(value: string): string | undefined {
  if (value === '') return 'the path is empty';
  if (value.includes('\u0000')) return 'the path holds U+0000';
  if (value.includes('%') && encoded.test(value))
    return 'the path holds percent-encoded control characters, dots or separators';
  if (ascii.test(value)) return undefined;
  if (loneSurrogate.test(value)) return 'the path holds a lone surrogate';
  return value.normalize('NFC') === value ? undefined : 'the path is not in Unicode normal form C';
}

/** Of a path that is not absolute. */
function startOf(value: string, ctx: PathContext, base: string | undefined): CanonicalPath {
  if (!value.startsWith('~')) {
    const root = base ?? ctx.root;
    return root === undefined
      ? { ok: false, why: 'the path is relative and the server has no root' }
      : { ok: true, path: root };
  }
  if (!/^~(?:$|\/)/u.test(value)) return { ok: false, why: 'the path names the home of a user' };
  return ctx.home === undefined
    ? { ok: false, why: 'the path begins with ~ and the server has no home' }
    : { ok: true, path: ctx.home };
}

function onDrive(value: string, ctx: PathContext, base: string | undefined): CanonicalPath {
  const why = refusal(value);
  if (why !== undefined) return { ok: false, why };
  const begin = startOnDrive(value);
  if ('why' in begin) return { ok: false, why: begin.why };
  const { drive, rest } = begin;
  const start: CanonicalPath =
    drive === undefined ? startOf(rest, ctx, base) : { ok: true, path: `${drive}:` };
  if (!start.ok) return start;
  const [top = '', ...segments] = start.path.split('/').filter((segment) => segment !== '');
  for (const segment of (rest.startsWith('~') ? rest.slice(1) : rest).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') {
      const bad = badName(segment);
      if (bad !== undefined) return { ok: false, why: bad };
      segments.push(segment);
    }
  }
  return { ok: true, path: `${top}/${segments.join('/')}` };
}
