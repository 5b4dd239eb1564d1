/** Globs over paths of urls: the syntax of path globs, over segments that may be empty. */
import { type Pattern, charset, intersect, languageOf, pattern } from '../automaton/index.js';
import { type GlobSegment, type GlobToken, type GlobTokens, parseGlob, segmentMatches } from './path-glob.js';
import { type GlobFault, fault } from './path-tokens.js';
import { canonicalEscapes, hiddenSteps } from './url-path.js';

const reserved = "!$&'()*+,;=:@";
const hex = pattern.chars(
  charset([
    [0x30, 0x39],
    [0x41, 0x46],
  ]),
);
const ascii = pattern.chars(charset([[0x30, 0x37]]));
const ownRanges: readonly (readonly [number, number])[] = [
  ...Array.from(`${reserved}_~-`, (char): [number, number] => [char.charCodeAt(0), char.charCodeAt(0)]),
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xa0, 0x10_ffff],
];
const ownButDot = charset(ownRanges);
/** A character that stands in canonical paths as itself, `/` aside. */
const own = pattern.chars(charset([...ownRanges, [0x2e, 0x2e]]));
const percent = pattern.literal('%');
const escape = pattern.sequence(percent, hex, hex);
const one = pattern.either(own, pattern.sequence(percent, ascii, hex));
const any = pattern.either(own, escape);
const run = pattern.star(any);
const slash = pattern.literal('/');
const dot = pattern.literal('.');
const notDot = pattern.either(pattern.chars(ownButDot), escape);
const someSegment = pattern.either(
  pattern.sequence(notDot, run),
  pattern.sequence(dot, notDot, run),
  pattern.sequence(dot, dot, any, run),
);
const anyStep = pattern.sequence(slash, pattern.optional(someSegment));

/** Any canonical path of a url: segments, each after a slash, none of them `.` or `..`. */
export const anyUrlPath: Pattern = pattern.plus(anyStep);
const allUrlPaths = languageOf(anyUrlPath);

/** The canonical paths that a glob, which begins with a slash, matches, or what is wrong with it. */
export function urlPathPattern(glob: string, fold: boolean): Pattern | GlobFault {
  const parsed = parseGlob(glob);
  if ('fault' in parsed) return parsed;
  const ending = glob.length > 1 && /[^\\]\/$/u.test(glob);
  const wholes: Pattern[] = [];
  for (const { segments } of parsed) {
    const list: readonly GlobSegment[] = ending ? [...segments, []] : segments;
    const whole = pathPattern(list, fold);
    if ('fault' in whole) return whole;
    wholes.push(whole);
  }
  const paths = pattern.either(...wholes);
  if (!fold && !parsed.some(({ segments }) => segments.some(mayBeDots))) return paths;
  return pattern.within(intersect(languageOf(paths, { fold }), allUrlPaths));
}

/** Whether the segment's pattern may also match `.` or `..`. */
function mayBeDots(segment: GlobSegment): boolean {
  if (segment === 'deep' || (segment.length === 1 && segment[0] === 'run')) return false;
  return segment.some(isPercent) || ['.', '..'].some((name) => segmentMatches(segment, name));
}

function isPercent(token: GlobToken): boolean {
  if (typeof token !== 'object') return false;
  return 'char' in token ? token.char === '%' : token.oneOf.some((inner) => inner.some(isPercent));
}

function pathPattern(segments: readonly GlobSegment[], fold: boolean): Pattern | GlobFault {
  const parts: Pattern[] = [];
  for (const segment of segments) {
    const step = segment === 'deep' ? pattern.star(anyStep) : segmentStep(segment, fold);
    if ('fault' in step) return step;
    parts.push(step);
  }
  if (segments.every((segment) => segment === 'deep')) {
    parts.push(segments.length === 0 ? separator(fold) : anyStep);
  }
  if (fold) parts.push(pattern.star(slash));
  return pattern.sequence(...parts);
}

function separator(fold: boolean): Pattern {
  return fold ? pattern.plus(slash) : slash;
}

function segmentStep(segment: GlobTokens, fold: boolean): Pattern | GlobFault {
  if (segment.length === 1 && segment[0] === 'run') {
    return pattern.sequence(separator(fold), someSegment);
  }
  const whole = segment.every((token) => typeof token === 'object' && 'char' in token);
  const tokens = tokensPattern(segment, { fold, whole });
  return 'fault' in tokens ? tokens : pattern.sequence(separator(fold), tokens);
}

/** `whole`: one literal is the whole segment, so that it must be no dot segment. */
interface Matching {
  readonly fold: boolean;
  readonly whole: boolean;
}

function tokensPattern(tokens: GlobTokens, how: Matching): Pattern | GlobFault {
  const parts: Pattern[] = [];
  let literal = '';
  for (const [i, token] of tokens.entries()) {
    if (typeof token === 'object' && 'char' in token) literal += token.char;
    const next = tokens[i + 1];
    if (literal !== '' && !(typeof next === 'object' && 'char' in next)) {
      const text = literalPattern(literal, how);
      if ('fault' in text) return text;
      parts.push(text);
      literal = '';
    }
    const other = otherPattern(token, how);
    if ('fault' in other) return other;
    parts.push(other);
  }
  return pattern.sequence(...parts);
}

function otherPattern(token: GlobToken, how: Matching): Pattern | GlobFault {
  if (token === 'run') return run;
  if (token === 'one') return one;
  if ('char' in token) return pattern.empty;
  const alternatives: Pattern[] = [];
  for (const inner of token.oneOf) {
    const found = tokensPattern(inner, how);
    if ('fault' in found) return found;
    alternatives.push(found);
  }
  return pattern.either(...alternatives);
}

function literalPattern(literal: string, { fold, whole }: Matching): Pattern | GlobFault {
  const text = canonicalEscapes(literal);
  const why = hiddenSteps(whole ? text : `x${text}x`);
  if (why !== undefined) return fault(why, 'a path that no url refuses');
  return fold ? pattern.sequence(...Array.from(text, seenThrough)) : pattern.literal(text);
}

/** The character, also where it was escaped though it needed no escape. */
function seenThrough(char: string): Pattern {
  if (!reserved.includes(char)) return pattern.literal(char);
  const escape = `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return pattern.words([char, escape]);
}
