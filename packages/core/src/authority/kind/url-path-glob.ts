/** Globs over paths of urls: the syntax of path globs, over segments that may be empty. */
import {
  type Language,
  type Pattern,
  charset,
  intersect,
  languageOf,
  minus,
  pattern,
} from '../automaton/index.js';
import { type GlobSegment, type GlobToken, type GlobTokens, parseGlob } from './path-glob.js';
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
/** A character that stands in canonical paths as itself, `/` aside. */
const own = pattern.chars(
  charset([
    ...Array.from(`${reserved}_~.-`, (char): [number, number] => [char.charCodeAt(0), char.charCodeAt(0)]),
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
    [0xa0, 0x10_ffff],
  ]),
);
const percent = pattern.literal('%');
const one = pattern.either(own, pattern.sequence(percent, ascii, hex));
const run = pattern.star(pattern.either(own, pattern.sequence(percent, hex, hex)));
const slash = pattern.literal('/');
const someStep = pattern.sequence(slash, run);
const dotStep = pattern.sequence(slash, pattern.words(['.', '..']));

/** Every canonical path of a url: segments, each after a slash, none of them `.` or `..`. */
export const allUrlPaths: Language = minus(
  languageOf(pattern.plus(someStep)),
  languageOf(pattern.sequence(pattern.star(someStep), dotStep, pattern.star(someStep))),
);

/** The paths that a glob, which begins with a slash, matches, or what is wrong with it. */
export function urlPathLanguage(glob: string, fold: boolean): Language | GlobFault {
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
  return intersect(languageOf(pattern.either(...wholes), { fold }), allUrlPaths);
}

function pathPattern(segments: readonly GlobSegment[], fold: boolean): Pattern | GlobFault {
  const parts: Pattern[] = [];
  for (const segment of segments) {
    const step = segment === 'deep' ? pattern.star(someStep) : segmentStep(segment, fold);
    if ('fault' in step) return step;
    parts.push(step);
  }
  if (segments.every((segment) => segment === 'deep')) {
    parts.push(segments.length === 0 ? separator(fold) : someStep);
  }
  if (fold) parts.push(pattern.star(slash));
  return pattern.sequence(...parts);
}

function separator(fold: boolean): Pattern {
  return fold ? pattern.plus(slash) : slash;
}

function segmentStep(segment: GlobTokens, fold: boolean): Pattern | GlobFault {
  if (segment.length === 1 && segment[0] === 'run') {
    const some = pattern.sequence(pattern.either(own, pattern.sequence(percent, hex, hex)), run);
    return pattern.sequence(separator(fold), some);
  }
  const tokens = tokensPattern(segment, fold);
  return 'fault' in tokens ? tokens : pattern.sequence(separator(fold), tokens);
}

function tokensPattern(tokens: GlobTokens, fold: boolean): Pattern | GlobFault {
  const parts: Pattern[] = [];
  let literal = '';
  for (const [i, token] of tokens.entries()) {
    if (typeof token === 'object' && 'char' in token) literal += token.char;
    const next = tokens[i + 1];
    if (literal !== '' && !(typeof next === 'object' && 'char' in next)) {
      const text = literalPattern(literal, fold);
      if ('fault' in text) return text;
      parts.push(text);
      literal = '';
    }
    const other = otherPattern(token, fold);
    if ('fault' in other) return other;
    parts.push(other);
  }
  return pattern.sequence(...parts);
}

function otherPattern(token: GlobToken, fold: boolean): Pattern | GlobFault {
  if (token === 'run') return run;
  if (token === 'one') return one;
  if ('char' in token) return pattern.empty;
  const alternatives: Pattern[] = [];
  for (const inner of token.oneOf) {
    const found = tokensPattern(inner, fold);
    if ('fault' in found) return found;
    alternatives.push(found);
  }
  return pattern.either(...alternatives);
}

function literalPattern(literal: string, fold: boolean): Pattern | GlobFault {
  const text = canonicalEscapes(literal);
  const why = hiddenSteps(text);
  if (why !== undefined) return fault(why, 'a path that no url refuses');
  return fold ? pattern.sequence(...Array.from(text, seenThrough)) : pattern.literal(text);
}

/** The character, also where it was escaped though it needed no escape. */
function seenThrough(char: string): Pattern {
  if (!reserved.includes(char)) return pattern.literal(char);
  const escape = `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return pattern.words([char, escape]);
}
