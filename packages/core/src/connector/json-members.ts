/** The raw members of a JSON object, so that an answer can be passed on unchanged but for what is taken out. */
import { deepest } from './json.js';
import { JsonLexer } from './json-lexer.js';

/**
 * The source text of each top-level member's value, by key, in the order of the text; undefined when the text is no
 * JSON object, or when any object in it holds a key twice or the key `__proto__`. The grammar is as strict as that of
 * `parseJson` at every depth; numbers are not judged, since the text itself goes on. A slice of an object is itself a
 * text for this function. Bounded in depth (512) only: the caller bounds the text. Never throws.
 */
export function sliceMembers(text: string): ReadonlyMap<string, string> | undefined {
  const slicer = new Slicer(text);
  const members = new Map<string, string>();
  if (slicer.next() !== 123 || !slicer.object(1, members)) return undefined;
  slicer.next();
  return slicer.at === text.length ? members : undefined;
}

/** The object text that holds these members: the inverse of {@link sliceMembers} up to blanks and escapes in keys. */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  for (const [key, value] of members) parts.push(`${JSON.stringify(key)}:${value}`);
  return `{${parts.join(',')}}`;
}

class Slicer extends JsonLexer {
  object(depth: number, into?: Map<string, string>): boolean {
    const keys = new Set<string>();
    this.at += 1;
    if (this.next() === 125) return this.#step();
    for (;;) {
      const key = this.next() === 34 ? this.string() : undefined;
      if (key === undefined || key === '__proto__' || keys.has(key)) return false;
      keys.add(key);
      if (this.next() !== 58) return false;
      this.at += 1;
      const first = this.next();
      const start = this.at;
      if (!this.#value(first, depth)) return false;
      into?.set(key, this.text.slice(start, this.at));
      const after = this.next();
      if (after === 125) return this.#step();
      if (after !== 44) return false;
      this.at += 1;
    }
  }

  #array(depth: number): boolean {
    this.at += 1;
    let first = this.next();
    if (first === 93) return this.#step();
    for (;;) {
      if (!this.#value(first, depth)) return false;
      const after = this.next();
      if (after === 93) return this.#step();
      if (after !== 44) return false;
      this.at += 1;
      first = this.next();
    }
  }

  #value(first: number, depth: number): boolean {
    switch (first) {
      case 34:
        return this.string() !== undefined;
      case 123:
        return depth < deepest && this.object(depth + 1);
      case 91:
        return depth < deepest && this.#array(depth + 1);
      case 116:
        return this.word('true');
      case 102:
        return this.word('false');
      case 110:
        return this.word('null');
      default:
        return this.numberLiteral() !== undefined;
    }
  }

  #step(): true {
    this.at += 1;
    return true;
  }
}
