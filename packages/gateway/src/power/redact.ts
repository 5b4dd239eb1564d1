/** Taking secrets out of what tools and servers say. */
import { type Json, isJsonArray, isJsonObject } from '@pawl/core';

/** Shorter ones would be found in texts that have nothing to do with them. */
export const shortestSecret = 6;

const instead = '[secret]';

/**
 * Finds secrets as they are, in base64 and hexadecimal, as JSON and urls spell them, and what stands behind the scheme of a
 * header (`Bearer …`; of `Basic …` also the password). What somebody makes of a secret beyond that is not found.
 */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #spellings = new Set<string>();
  /** The longest first. */
  #ordered: readonly string[] = [];

  /** Whether there is anything to find. */
  get isIdle(): boolean {
    return this.#ordered.length === 0;
  }

  /** A value to find from now on. One that is too short to be told from other texts is not. */
  add(value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    for (const part of partsOf(value)) for (const spelling of spellings(part)) this.#spellings.add(spelling);
    this.#ordered = [...this.#spellings].sort((a, b) => b.length - a.length);
  }

  /** The text without them. */
  text(text: string): string {
    return this.#ordered.reduce((left, secret) => left.replaceAll(secret, instead), text);
  }

  /** The same JSON without them, keys included. */
  json(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#holds(String(value)) ? instead : value;
    if (isJsonArray(value)) return value.map((item) => this.json(item));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([key, member]): [string, Json] => [
      this.text(key),
      this.json(member ?? null),
    ]);
    return Object.fromEntries(entries);
  }

  /** JSON text, or members of an object, without them; what holds none stays as it is written. The text is JSON. */
  raw(json: string): string {
    if (this.isIdle || (!json.includes('\\') && !this.#holds(json))) return json;
    let made = '';
    let at = 0;
    while (at < json.length) {
      const start = json.indexOf('"', at);
      if (start < 0) break;
      const end = stringEnd(json, start);
      made += this.#numbers(json.slice(at, start)) + this.#token(json.slice(start, end));
      at = end;
    }
    return made + this.#numbers(json.slice(at));
  }

  #holds(text: string): boolean {
    return this.#ordered.some((secret) => text.includes(secret));
  }

  #token(token: string): string {
    const inside = token.slice(1, -1);
    const text = inside.includes('\\') ? decoded(token, inside) : inside;
    const clean = this.text(text);
    return clean === text ? token : JSON.stringify(clean);
  }

  #numbers(between: string): string {
    return this.#holds(between)
      ? between.replaceAll(/-?\d[\d.eE+-]*/gu, (number) => (this.#holds(number) ? `"${instead}"` : number))
      : between;
  }
}

function decoded(token: string, otherwise: string): string {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** Position after the string that begins at `from`. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return text.length;
}

/** A value, and what in it is a secret of its own. */
function partsOf(value: string): readonly string[] {
  const [, scheme = '', rest] = /^([A-Za-z][\w-]*) +(\S.*)$/u.exec(value) ?? [];
  if (rest === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, rest];
  const pair = Buffer.from(rest, 'base64').toString('utf8');
  const password = pair.includes(':') ? [pair, pair.slice(pair.indexOf(':') + 1)] : [];
  return [value, rest, ...password];
}

function spellings(value: string): readonly string[] {
  if (value.length < shortestSecret) return [];
  const bytes = Buffer.from(value, 'utf8');
  // In a longer text base64 depends on where the value begins: three ways, without the characters that neighbours share.
  const inside = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1);
  });
  const alone = bytes.toString('base64');
  const encoded = [alone, alone.replaceAll('=', ''), ...inside];
  const url = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.toString('hex');
  const inUrl = encodeURIComponent(value);
  const plain = [
    value,
    inUrl,
    inUrl.replaceAll(/%[\dA-F]{2}/gu, (escape) => escape.toLowerCase()),
    new URLSearchParams([['', value]]).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
  ];
  return [...plain, hex, hex.toUpperCase(), ...encoded, ...url].filter(
    (text) => text.length >= shortestSecret,
  );
}
