/** Regular expressions as the oracle writes them: printed as SMT-LIB, and tested by the engine of JavaScript. */

/** Over whole texts. Characters are code points; in `text` with `folded` a character stands for all that fold like it. */
export type Regex =
  | { readonly kind: 'text'; readonly text: string; readonly folded: boolean }
  /** Any character but these. */
  | { readonly kind: 'any'; readonly without: string }
  | { readonly kind: 'star' | 'plus'; readonly of: Regex }
  | { readonly kind: 'sequence' | 'either'; readonly of: readonly Regex[] };

/** This text. */
export const text = (of: string, folded: boolean): Regex => ({ kind: 'text', text: of, folded });
/** One character. */
export const any: Regex = { kind: 'any', without: '' };
/** One character of a segment of a path. */
export const inSegment: Regex = { kind: 'any', without: '/' };
/** None or more. */
export const star = (of: Regex): Regex => ({ kind: 'star', of });
/** One or more. */
export const plus = (of: Regex): Regex => ({ kind: 'plus', of });
/** One after the other. */
export const sequence = (...of: readonly Regex[]): Regex => ({ kind: 'sequence', of });
/** One of them. */
export const either = (...of: readonly Regex[]): Regex => ({ kind: 'either', of });

/** Letters beside the upper and the lower case that fold alike, as Unicode's CaseFolding.txt says with status C or S. */
const more: Readonly<Record<string, string>> = { s: '\u017f', k: '\u212a' };

/** Every character that folds like this one; of the letters that random policies are made of. */
function foldedAlike(char: string): readonly string[] {
  const lower = char.toLowerCase();
  return [...new Set([lower, char.toUpperCase(), ...Array.from(more[lower] ?? '')])];
}

const none = '(str.to_re "")';

/** SMT-LIB, theory of strings. */
export function smtRegex(regex: Regex): string {
  switch (regex.kind) {
    case 'text': {
      if (!regex.folded) return `(str.to_re ${smtText(regex.text)})`;
      const chars = Array.from(regex.text, (char) =>
        joined(
          're.union',
          foldedAlike(char).map((each) => `(str.to_re ${smtText(each)})`),
          none,
        ),
      );
      return joined('re.++', chars, none);
    }
    case 'any':
      return smtAny(regex.without);
    case 'star':
      return `(re.* ${smtRegex(regex.of)})`;
    case 'plus':
      return `(re.+ ${smtRegex(regex.of)})`;
    case 'sequence':
      return joined('re.++', regex.of.map(smtRegex), none);
    case 'either':
      break;
  }
  return joined('re.union', regex.of.map(smtRegex), 're.none');
}

/** An application, or the single argument itself, or what stands for none. */
export function joined(operator: string, parts: readonly string[], empty: string): string {
  const [only, second] = parts;
  if (only === undefined) return empty;
  return second === undefined ? only : `(${operator} ${parts.join(' ')})`;
}

function range(from: number, to: number): string {
  return `(re.range ${smtText(String.fromCodePoint(from))} ${smtText(String.fromCodePoint(to))})`;
}

/** Characters of texts: no U+0000, no surrogates, and none of planes that SMT-LIB does not know. */
function smtAny(without: string): string {
  const gaps = Array.from(without, (char) => char.codePointAt(0) ?? 0).sort((a, b) => a - b);
  const ends = [...gaps.map((gap) => gap - 1), 0xd7ff];
  const starts = [1, ...gaps.map((gap) => gap + 1)];
  const low = starts.flatMap((from, at) => {
    const to = ends[at] ?? 0;
    return from > to ? [] : [range(from, to)];
  });
  return joined('re.union', [...low, range(0xe000, 0x2ffff)], 're.none');
}

/** A literal of the theory of strings. */
function smtText(of: string): string {
  const chars = Array.from(of, (char) =>
    /[\w ./*?-]/u.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${chars.join('')}"`;
}

/** Whether the whole text matches. */
export function matches(regex: Regex, whole: string): boolean {
  return new RegExp(`^(?:${source(regex)})$`, 'su').test(whole);
}

function source(regex: Regex): string {
  switch (regex.kind) {
    case 'text':
      return Array.from(regex.text, (char) =>
        (regex.folded ? foldedAlike(char) : [char]).map(escaped).join('|'),
      )
        .map((alternatives) => `(?:${alternatives})`)
        .join('');
    case 'any':
      return regex.without === '' ? '.' : `[^${Array.from(regex.without, escaped).join('')}]`;
    case 'star':
      return `(?:${source(regex.of)})*`;
    case 'plus':
      return `(?:${source(regex.of)})+`;
    case 'sequence':
      return regex.of.map(source).join('');
    case 'either':
      break;
  }
  return regex.of.length === 0 ? '(?!)' : `(?:${regex.of.map(source).join('|')})`;
}

function escaped(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/-]/u, String.raw`\$&`);
}
