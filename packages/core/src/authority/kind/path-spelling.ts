/** Other ways to spell a path: what calls may send for one canonical path, as far as a few detours go. */
import { type Language, type Pattern, languageOf, minus, nothing, pattern } from '../automaton/index.js';
import type { PathContext } from './context.js';
import { step } from './path-language.js';

/** Most folders of a detour: `/a/b/../..` has two. */
const longest = 4;

const slash = pattern.literal('/');
const climb = pattern.literal('/..');
/** A separator, with steps that stay where they are. */
const separator = pattern.sequence(slash, pattern.star(pattern.either(pattern.literal('./'), slash)));
const ending = pattern.star(pattern.either(slash, pattern.literal('/.')));

/** No path, and that of a home. */
const otherwise = languageOf(
  pattern.either(pattern.empty, pattern.sequence(pattern.literal('~'), pattern.anything)),
);

/**
 * Texts that mean a canonical absolute path for a server: with detours, doubled and trailing slashes, and from the root. There are
 * more. Of win32 there are none here.
 */
export function spellingsOf(path: string, { platform, root }: PathContext): Language {
  if (platform === 'win32' || !path.startsWith('/')) return nothing;
  const target = path.split('/').filter((segment) => segment !== '');
  const ways = detours(0).map((detour) => pattern.sequence(detour, stepsTo(target)));
  if (target.length === 0) ways.push(slash);
  if (root !== undefined) ways.push(...fromRoot(root, target));
  return minus(languageOf(pattern.sequence(pattern.either(...ways), ending)), otherwise);
}

/** Into folders that nobody names and out again, and `above` steps further up. */
function detours(above: number): readonly Pattern[] {
  return Array.from({ length: longest + 1 }, (_, depth) => {
    const [down, up] = [times(step, depth), times(climb, depth + above)];
    return pattern.sequence(...down, ...up);
  });
}

function times(one: Pattern, count: number): readonly Pattern[] {
  return Array.from({ length: count }, () => one);
}

function stepsTo(segments: readonly string[]): Pattern {
  return pattern.sequence(...segments.flatMap((segment) => [separator, pattern.literal(segment)]));
}

/** Relative ones: `./a`, `../a`. */
function fromRoot(root: string, target: readonly string[]): readonly Pattern[] {
  const base = root.split('/').filter((segment) => segment !== '');
  const fork = [...base, undefined].findIndex(
    (segment, at) => segment === undefined || segment !== target[at],
  );
  const rest = target.slice(fork);
  const up = base.length - fork;
  const dotted = detours(up).map((way) => pattern.sequence(pattern.literal('.'), way, stepsTo(rest)));
  const [first, ...others] = rest;
  if (up > 0) return [...dotted, climbing(up, rest)];
  return first === undefined
    ? dotted
    : [...dotted, pattern.sequence(pattern.literal(first), stepsTo(others))];
}

function climbing(up: number, rest: readonly string[]): Pattern {
  return pattern.sequence(pattern.literal('..'), ...times(climb, up - 1), stepsTo(rest));
}
