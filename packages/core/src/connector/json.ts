/** Strict JSON text: one value, every key once, every number exact, bounded in every direction. */
import type { Json } from '../ground/index.js';
import { JsonLexer, brief } from './json-lexer.js';

/** Bounds of one text. */
export interface JsonLimits {
  /** UTF-8 bytes of the whole text. */
  readonly bytes: number;
  /** Brackets and braces that may be open at once; never more than 512 whatever is asked for. */
  readonly depth: number;
  /** Elements of one array. */
  readonly items: number;
  /** Members of one object. */
  readonly members: number;
}

/** The bounds of a frame. */
export const jsonLimits: JsonLimits = Object.freeze({
  bytes: 1_048_576,
  depth: 64,
  items: 4096,
  members: 4096,
});

/** Deepest nesting that any limit can ask for: the readers recurse once a level. */
export const deepest = 512;

/** A value, or what was found instead and at which UTF-16 unit (for bytes that are no UTF-8: 0). */
export type JsonParse =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly found: string; readonly at: number };

/**
 * Reads one JSON value. Beyond RFC 8259 it refuses a key that occurs twice in its object (after unescaping), the key
 * `__proto__` anywhere, a number whose literal does not survive the round trip, and what exceeds the limits. Lone
 * surrogates in escapes are kept. Objects are ordinary objects with own data properties in the order of the text.
 * Never throws; linear time.
 */
export function parseJson(text: string, limits?: Partial<JsonLimits>): JsonParse {
  const bounds = limits === undefined ? jsonLimits : { ...jsonLimits, ...limits };
  if (longerThan(text, bounds.bytes)) return { ok: false, found: tooLong(bounds.bytes), at: 0 };
  return new Reader(text, bounds).document();
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** {@link parseJson} over UTF-8; bytes that are no UTF-8 and a byte order mark are refused. */
export function parseJsonBytes(bytes: Uint8Array, limits?: Partial<JsonLimits>): JsonParse {
  const most = limits?.bytes ?? jsonLimits.bytes;
  if (bytes.length > most) return { ok: false, found: tooLong(most), at: 0 };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { ok: false, found: 'bytes that are no UTF-8', at: 0 };
  }
  return parseJson(text, limits);
}

function tooLong(bytes: number): string {
  return `a text longer than ${bytes} bytes`;
}

function longerThan(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  if (text.length > bytes) return true;
  let size = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      size += 1;
      continue;
    }
    const pair = (text.codePointAt(i) ?? 0) > 0xffff;
    size += 2;
    if (pair) i += 1;
  }
  return size > bytes;
}

class Reader extends JsonLexer {
  readonly #depth: number;
  readonly #items: number;
  readonly #members: number;

  constructor(text: string, limits: JsonLimits) {
    super(text);
    this.#depth = Math.min(limits.depth, deepest);
    this.#items = limits.items;
    this.#members = limits.members;
  }

  document(): JsonParse {
    const value = this.#value(this.next(), 0);
    if (value !== undefined) {
      this.next();
      if (this.at === this.text.length) return { ok: true, value };
      this.unexpected();
    }
    return { ok: false, found: this.found, at: this.at };
  }

  #value(first: number, depth: number): Json | undefined {
    switch (first) {
      case 34:
        return this.string();
      case 123:
        return depth < this.#depth ? this.#object(depth + 1) : this.#tooDeep();
      case 91:
        return depth < this.#depth ? this.#array(depth + 1) : this.#tooDeep();
      default:
        return first === 45 || (first >= 48 && first <= 57) ? this.number() : this.#word();
    }
  }

  #word(): boolean | null | undefined {
    if (this.word('true')) return true;
    if (this.word('false')) return false;
    return this.word('null') ? null : this.unexpected();
  }

  #tooDeep(): undefined {
    return this.fail(`more than ${this.#depth} levels`);
  }

  #array(depth: number): readonly Json[] | undefined {
    const items: Json[] = [];
    this.at += 1;
    let unit = this.next();
    if (unit === 93) {
      this.at += 1;
      return items;
    }
    for (;;) {
      if (items.length >= this.#items) return this.fail(`an array of more than ${this.#items} elements`);
      const item = this.#value(unit, depth);
      if (item === undefined) return undefined;
      items.push(item);
      const after = this.next();
      if (after !== 44 && after !== 93) return this.unexpected();
      this.at += 1;
      if (after === 93) return items;
      unit = this.next();
    }
  }

  #object(depth: number): Json | undefined {
    const object: Record<string, Json> = {};
    this.at += 1;
    if (this.next() === 125) {
      this.at += 1;
      return object;
    }
    for (let members = 0; members < this.#members; members += 1) {
      const key = this.#key(object);
      if (key === undefined) return undefined;
      const value = this.#value(this.next(), depth);
      if (value === undefined) return undefined;
      if (key in object) define(object, key, value);
      else object[key] = value;
      const after = this.next();
      if (after !== 44 && after !== 125) return this.unexpected();
      this.at += 1;
      if (after === 125) return object;
    }
    return this.fail(`an object of more than ${this.#members} members`);
  }

  /** A key that the object may take, and the colon after it. */
  #key(object: Record<string, Json>): string | undefined {
    if (this.next() !== 34) return this.unexpected();
    const start = this.at;
    const key = this.string();
    if (key === undefined) return undefined;
    if (key === '__proto__') return this.fail('the key "__proto__"', start);
    if (Object.hasOwn(object, key))
      return this.fail(`the key ${brief(JSON.stringify(key))} twice in one object`, start);
    if (this.next() !== 58) return this.unexpected();
    this.at += 1;
    return key;
  }
}

/** Adds a member whose name is inherited by every object, so that no inherited setter or frozen name interferes. */
function define(object: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
