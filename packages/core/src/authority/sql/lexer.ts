/** SQL text to tokens, in the part of SQL's lexical rules that all dialects read alike. */
import { NotUnderstood } from './fault.js';

/** What a token is. `parameter`: `?` or `$1`. */
export type TokenKind = 'word' | 'quoted' | 'text' | 'number' | 'parameter' | 'sign' | 'end';

/**
 * One token. `text`: of a word its lower-case form, of a quoted name the name without quotes, of a sign the sign; of a text
 * nothing, since what it says carries no authority.
 */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const blank = /[ \t\n\r]+/uy;
const word = /[A-Za-z_\p{Ll}\p{Lo}][A-Za-z0-9_\p{Ll}\p{Lo}\p{Nd}]*/uy;
const number = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/uy;
const parameter = /\?|\$\d+/uy;
const sign = /->>|!~\*|<=>|<->|->|!~|~\*|::|<>|!=|<=|>=|<<|>>|\|\||&&|@>|<@|[-+*/%=<>|&^~(),.;[\]]/uy;
/** What may not follow a word, a number, a text or a quoted name at once: dialects cut there differently. */
const glued = /["'`$@#\\\p{L}\p{N}_]/uy;

/** Where one may begin and how it is read on from there; undefined: it does not begin here. */
type Step = (text: string, at: number) => { readonly end: number; readonly token?: Token } | undefined;

const steps: readonly Step[] = [
  space,
  comment,
  quote,
  (text, at) => plain('word', word, text, at),
  (text, at) => plain('number', number, text, at),
  (text, at) => plain('parameter', parameter, text, at),
  (text, at) => plain('sign', sign, text, at),
];

/** All tokens of a text, `end` last. Throws {@link NotUnderstood}; linear. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let inBrackets = false;
  for (let at = 0; at < text.length; ) {
    const { token, end } = next(text, at);
    const sign = token?.kind === 'sign' ? token.text : '';
    if (inBrackets && sign !== ']') notABracket(text.slice(at, end));
    if (sign === '[' || sign === ']') inBrackets = sign === '[';
    if (token !== undefined) tokens.push(token);
    at = end;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

/** Some databases take `[ … ]` for a quoted name, which ends at the first bracket wherever it stands. */
function notABracket(within: string): void {
  if (/[[\]]/u.test(within)) throw new NotUnderstood('a bracket within brackets');
}

function next(text: string, at: number): NonNullable<ReturnType<Step>> {
  for (const step of steps) {
    const found = step(text, at);
    if (found !== undefined) return found;
  }
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new NotUnderstood(
    `${JSON.stringify(char)} is read differently by different databases, or not at all`,
  );
}

function matched(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

/** A carriage return ends a line for some databases only. */
function space(text: string, at: number): ReturnType<Step> {
  const found = matched(blank, text, at);
  if (found === undefined) return undefined;
  if (/\r(?!\n)/u.test(found)) throw new NotUnderstood('a carriage return without a line feed');
  return { end: at + found.length };
}

function plain(kind: TokenKind, expression: RegExp, text: string, at: number): ReturnType<Step> {
  const found = matched(expression, text, at);
  if (found === undefined) return undefined;
  const end = at + found.length;
  if (kind !== 'sign') notGlued(text, end, found);
  if (kind === 'number' && text[end] === '.') throw new NotUnderstood(`the number ${found}.`);
  if (kind === 'sign') wellApart(text, end, found);
  return { end, token: { kind, text: kind === 'word' ? found.toLowerCase() : found } };
}

function notGlued(text: string, end: number, found: string): void {
  if (matched(glued, text, end) !== undefined) {
    throw new NotUnderstood(`${found.slice(0, 40)} and what follows it without a blank`);
  }
}

/** `U&"…"` is one token in some databases, `//` and a stray end of a comment are tokens in others. */
function wellApart(text: string, end: number, found: string): void {
  const after = text[end] ?? '';
  const strange = (found === '&' && /["'`]/u.test(after)) || (/[*/]$/u.test(found) && after === '/');
  if (strange) throw new NotUnderstood(`${found}${after}`);
}

/** Characters that end a line somewhere, or that nobody sees. */
const strangeInComment = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}|\r(?!\n)/u;

function comment(text: string, at: number): ReturnType<Step> {
  const start = text.slice(at, at + 2);
  if (start === '--') return lineComment(text, at);
  return start === '/*' ? blockComment(text, at) : undefined;
}

/** Two hyphens begin a comment everywhere only where a blank follows. */
function lineComment(text: string, at: number): ReturnType<Step> {
  if (!/^(?:[ \t\n]|\r\n|$)/u.test(text.slice(at + 2, at + 4))) {
    throw new NotUnderstood('-- without a blank after it');
  }
  const line = text.indexOf('\n', at);
  const end = line < 0 ? text.length : line;
  visible(text.slice(at, end).replace(/\r$/u, ''));
  return { end };
}

/** Comments nest in some databases only, and some run what others take for a comment. */
function blockComment(text: string, at: number): ReturnType<Step> {
  const close = text.indexOf('*/', at + 2);
  if (close < 0) throw new NotUnderstood('a comment that does not end');
  const body = text.slice(at + 2, close);
  if (/^(?:[!+:]|M!)/u.test(body)) throw new NotUnderstood('a comment that some databases execute');
  if (`${body}*`.includes('/*')) throw new NotUnderstood('a comment in a comment');
  visible(body);
  return { end: close + 2 };
}

function visible(body: string): void {
  if (strangeInComment.test(body)) throw new NotUnderstood('a comment with invisible characters');
}

/** A doubled quote stands for itself everywhere; a backslash before a quote only in some databases. */
function quote(text: string, at: number): ReturnType<Step> {
  const mark = text[at];
  if (mark !== "'" && mark !== '"' && mark !== '`') return undefined;
  let close = text.indexOf(mark, at + 1);
  while (close >= 0 && text[close + 1] === mark && text[close - 1] !== '\\') {
    close = text.indexOf(mark, close + 2);
  }
  if (close < 0) throw new NotUnderstood(`a ${mark} that is not closed`);
  if (text[close - 1] === '\\') throw new NotUnderstood('a backslash before a quote');
  notGlued(text, close + 1, `${mark}…${mark}`);
  const body = text.slice(at + 1, close);
  if (mark === "'") return { end: close + 1, token: { kind: 'text', text: '' } };
  if (mark === '`' && !/^[A-Za-z_][A-Za-z0-9_]*$/u.test(body)) {
    throw new NotUnderstood('a name in backticks that is not plain');
  }
  return { end: close + 1, token: { kind: 'quoted', text: body.replaceAll(mark + mark, mark) } };
}
