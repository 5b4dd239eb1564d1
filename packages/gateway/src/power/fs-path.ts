/** Paths that a tool gives: relative to the root, or absolute and below it; no name climbs. */
import { givenText } from './given.js';
import { outOfScope } from './refusal.js';

const mostSegments = 256;

/**
 * The names from the root to what a path means, none for the root itself. `.` and repeated slashes are nothing. A path that
 * begins with `/` has to begin with the root. Throws a denial for `..`, NUL, lone surrogates, and absolute paths elsewhere.
 */
export function segmentsOf(given: string, roots: readonly string[]): readonly string[] {
  const path = givenText(given, 'a path');
  if (path.includes('\0') || /\p{Surrogate}/u.test(path))
    throw outOfScope('fs.root', 'the path holds characters that no name has');
  const segments = belowRoot(path, roots)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw outOfScope('fs.root', '.. is not followed in paths');
  if (segments.length > mostSegments) throw outOfScope('fs.root', 'the path is too deep');
  return segments;
}

function belowRoot(path: string, roots: readonly string[]): string {
  if (!path.startsWith('/')) return path;
  for (const root of roots) {
    if (path === root || root === '/') return path.slice(root.length);
    if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  }
  // The path is not repeated: it may be one of the host's that the caller only guessed.
  throw outOfScope('fs.root', 'the path is outside the folder of this tool');
}
