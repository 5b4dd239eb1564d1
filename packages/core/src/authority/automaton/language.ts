/** Regular languages of Unicode texts, one object each: equal languages are the same object. */
import { anyChar, firstSurrogate, lastSurrogate } from './charset.js';
import { TooManyStates, maxStates } from './limits.js';
import { canonical } from './minimise.js';
import type { Table } from './table.js';

const ascii = 128;
let issued = 0;
let read: (language: Language) => Table;

/** What a test needs, made when the first text is tested: most languages are steps of a proof and never are. */
interface Matcher {
  /** Classes of ASCII characters. */
  readonly low: Uint16Array;
  /** As in the table, but states are rows: state * classes. */
  readonly next: Int32Array;
  /** Row of the state that accepts nothing any more; negative: there is none. */
  readonly sink: number;
}

/**
 * A set of texts (sequences of Unicode scalar values), held as its complete minimal automaton. Immutable. While both
 * live, two languages are equal iff they are `===`; `id` is unique and never used again.
 */
export class Language {
  readonly id: number;
  readonly #table: Table;
  #matcher: Matcher | undefined;

  static {
    read = (language) => language.#table;
  }

  /** Called by {@link languageFrom} alone. */
  constructor(table: Table) {
    this.id = issued++;
    this.#table = table;
  }

  /**
   * Whether the text, or what of it begins at an index, is a member; one with a lone surrogate never is. Linear, allocates
   * nothing but once.
   */
  test(text: string, from: number = 0): boolean {
    const { low, next, sink } = (this.#matcher ??= matcherOf(this.#table));
    let state = 0;
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < ascii) {
        state = next[state + (low[unit] ?? 0)] ?? 0;
      } else {
        const cls = wideClass(this.#table, text, i);
        if (cls < 0) return false;
        if (isSurrogate(unit)) i++;
        state = next[state + cls] ?? 0;
      }
      if (state === sink) return false;
    }
    return this.#table.accept[state / this.#table.classes] === 1;
  }
}

function isSurrogate(point: number): boolean {
  return point >= firstSurrogate && point <= lastSurrogate;
}

/** Class of the scalar value that begins at the index; negative: a lone surrogate stands there. */
function wideClass(table: Table, text: string, index: number): number {
  const point = text.codePointAt(index) ?? firstSurrogate;
  return isSurrogate(point) ? -1 : classOf(table, point);
}

function matcherOf(table: Table): Matcher {
  const low = Uint16Array.from({ length: ascii }, (_, unit) => classOf(table, unit));
  const next = table.next.map((to) => to * table.classes);
  return { low, next, sink: stuckState(table, 0) * table.classes };
}

/** Class of a scalar value. */
export function classOf(table: Table, point: number): number {
  const { bounds } = table;
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bounds[middle] ?? 0) <= point) low = middle;
    else high = middle - 1;
  }
  return table.cells[low] ?? 0;
}

/** The automaton of a language; canonical, start state 0. Not to be changed. */
export function tableOf(language: Language): Table {
  return read(language);
}

/** The state from which every text (`accept` 1) or none (`accept` 0) is accepted; a negative number: there is none. */
export function stuckState(table: Table, accept: 0 | 1): number {
  for (let state = 0; state < table.accept.length; state++) {
    if (table.accept[state] === accept && loopsOnly(table, state)) return state;
  }
  return -1;
}

function loopsOnly(table: Table, state: number): boolean {
  const from = state * table.classes;
  for (let i = from; i < from + table.classes; i++) if (table.next[i] !== state) return false;
  return true;
}

/** Living languages by a hash of their table. Held weakly: a language that nobody holds may be built again under a new id. */
const interned = new Map<number, WeakRef<Language>[]>();
let sweepAt = 4096;

/** The language of a complete table without unreachable states; minimises it. Throws {@link TooManyStates}. */
export function languageFrom(table: Table): Language {
  if (table.accept.length > maxStates) throw new TooManyStates(maxStates);
  return intern(canonical(table));
}

/** The language of a table that is canonical already. */
export function intern(table: Table): Language {
  const hash = hashOf(table);
  const bucket = interned.get(hash) ?? [];
  for (const reference of bucket) {
    const known = reference.deref();
    if (known !== undefined && sameTable(tableOf(known), table)) return known;
  }
  const fresh = new Language(table);
  interned.set(hash, [...bucket.filter((reference) => reference.deref() !== undefined), new WeakRef(fresh)]);
  if (interned.size > sweepAt) sweep();
  return fresh;
}

function sweep(): void {
  for (const [hash, bucket] of interned) {
    if (bucket.every((reference) => reference.deref() === undefined)) interned.delete(hash);
  }
  sweepAt = Math.max(4096, 2 * interned.size);
}

function hashOf(table: Table): number {
  let hash = table.classes;
  for (const part of [table.bounds, table.cells, table.next, table.accept]) {
    for (const value of part) hash = Math.imul(hash ^ value, 0x01000193) + part.length;
  }
  return hash;
}

function sameTable(a: Table, b: Table): boolean {
  return (
    sameArray(a.accept, b.accept) &&
    sameArray(a.bounds, b.bounds) &&
    sameArray(a.cells, b.cells) &&
    sameArray(a.next, b.next)
  );
}

function sameArray(a: Int32Array | Uint8Array, b: Int32Array | Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function uniform(accept: 0 | 1): Language {
  return intern({
    bounds: Int32Array.of(anyChar[0] ?? 0),
    cells: Int32Array.of(0),
    classes: 1,
    next: Int32Array.of(0),
    accept: Uint8Array.of(accept),
    start: 0,
  });
}

/** No text. */
export const nothing: Language = uniform(0);
/** Every text. */
export const anything: Language = uniform(1);
