/** The tokens of JSON text (RFC 8259), read strictly from one position onward. */
import { exactNumber } from './json-number.js';

const quote = 34;
const minus = 45;
const point = 46;
const zero = 48;
const nine = 57;
const backslash = 92;

const escapes: ReadonlyMap<number, string> = new Map([
  [34, '"'],
  [47, '/'],
  [92, '\\'],
  [98, '\b'],
  [102, '\f'],
  [110, '\n'],
  [114, '\r'],
  [116, '\t'],
]);

/** Digits that always survive the round trip through a double. */
const safeDigits = 15;

/**
 * A position in a text and what may be read there. Every reader returns undefined on failure and then `found` says what
 * stands at `at`; nothing throws.
 */
export class JsonLexer {
  readonly text: string;
  at = 0;
  found = '';

  constructor(text: string) {
    this.text = text;
  }

  /** Notes what was found, at the present position or at the given one. */
  fail(found: string, at: number = this.at): undefined {
    this.found = found;
    this.at = at;
    return undefined;
  }

  /** Fails with what stands here in words. */
  unexpected(): undefined {
    if (this.at >= this.text.length) return this.fail('the end of the text');
    const unit = this.text.codePointAt(this.at) ?? 0;
    if (unit === 0xfeff) return this.fail('a byte order mark');
    const printable = unit > 32 && unit < 127;
    return this.fail(
      printable ? `an unexpected ${String.fromCodePoint(unit)}` : `an unexpected U+${hex(unit)}`,
    );
  }

  /** Skips blanks and returns the code unit that follows, NaN at the end. */
  next(): number {
    const text = this.text;
    let unit = text.charCodeAt(this.at);
    while (unit === 32 || unit === 10 || unit === 13 || unit === 9) {
      this.at += 1;
      unit = text.charCodeAt(this.at);
    }
    return unit;
  }

  /** Reads exactly this word. */
  word(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** The string whose opening quote stands here. */
  string(): string | undefined {
    const text = this.text;
    const start = this.at + 1;
    for (let i = start; ; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit === quote) {
        this.at = i + 1;
        return text.slice(start, i);
      }
      if (unit === backslash) return this.#escaped(start, i);
      if (!(unit >= 32)) return this.#unclosed(i);
    }
  }

  #unclosed(at: number): undefined {
    if (at >= this.text.length) return this.fail('a string without its closing quote', at);
    return this.fail(`a raw control character U+${hex(this.text.charCodeAt(at))} in a string`, at);
  }

  #escaped(start: number, firstEscape: number): string | undefined {
    const text = this.text;
    let value = '';
    let run = start;
    for (let i = firstEscape; ; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit === quote) {
        this.at = i + 1;
        return value + text.slice(run, i);
      }
      if (!(unit >= 32)) return this.#unclosed(i);
      if (unit !== backslash) continue;
      const escape = text.charCodeAt(i + 1);
      const plain = escapes.get(escape) ?? (escape === 117 ? unicode(text, i + 2) : undefined);
      if (plain === undefined) return this.fail('an unknown escape in a string', i);
      value += text.slice(run, i) + plain;
      i += escape === 117 ? 5 : 1;
      run = i + 1;
    }
  }

  /** The number whose first character stands here; undefined also when it does not survive the round trip. */
  number(): number | undefined {
    const text = this.text;
    const start = this.at;
    const negative = text.charCodeAt(start) === minus;
    const first = negative ? start + 1 : start;
    let i = first;
    let value = 0;
    for (let unit = text.charCodeAt(i); unit >= zero && unit <= nine; unit = text.charCodeAt(i)) {
      value = value * 10 + unit - zero;
      i += 1;
    }
    if (i - first > safeDigits || !this.#isWhole(first, i)) return this.#longNumber(start);
    this.at = i;
    return negative && value !== 0 ? -value : value;
  }

  /** Whether the digits from `first` to `end` are a whole number without fraction, exponent and leading zero. */
  #isWhole(first: number, end: number): boolean {
    const after = this.text.charCodeAt(end);
    if (after === point || after === 101 || after === 69 || end === first) return false;
    return end === first + 1 || this.text.charCodeAt(first) !== zero;
  }

  #longNumber(start: number): number | undefined {
    const literal = this.numberLiteral();
    if (literal === undefined) return undefined;
    const value = exactNumber(literal);
    if (value === undefined) return this.fail(`a number that no double holds: ${brief(literal)}`, start);
    return value;
  }

  /** The literal of the number whose first character stands here; its value is not looked at. */
  numberLiteral(): string | undefined {
    const start = this.at;
    if (this.text.charCodeAt(this.at) === minus) this.at += 1;
    const first = this.at;
    if (!this.#digits()) return this.unexpected();
    if (this.text.charCodeAt(first) === zero && this.at > first + 1) {
      return this.fail('a number with a leading zero', first);
    }
    if (this.text.charCodeAt(this.at) === point) {
      this.at += 1;
      if (!this.#digits()) return this.unexpected();
    }
    const mark = this.text.charCodeAt(this.at);
    if (mark === 101 || mark === 69) {
      this.at += 1;
      const sign = this.text.charCodeAt(this.at);
      if (sign === minus || sign === 43) this.at += 1;
      if (!this.#digits()) return this.unexpected();
    }
    return this.text.slice(start, this.at);
  }

  #digits(): boolean {
    const start = this.at;
    let unit = this.text.charCodeAt(this.at);
    while (unit >= zero && unit <= nine) {
      this.at += 1;
      unit = this.text.charCodeAt(this.at);
    }
    return this.at > start;
  }
}

function unicode(text: string, at: number): string | undefined {
  const digits = text.slice(at, at + 4);
  return /^[0-9a-fA-F]{4}$/u.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
}

function hex(unit: number): string {
  return unit.toString(16).toUpperCase().padStart(4, '0');
}

/** A text short enough for a message. */
export function brief(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
