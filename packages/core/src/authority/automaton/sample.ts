/** Members of a language: one short example, or all of them. */
import { type Charset, intervals } from './charset.js';
import { type Language, tableOf } from './language.js';
import { classSets } from './nfa.js';
import type { Table } from './table.js';

/** The nicest character of a set to show, and how nice it is: 0 is best, from {@link notPrintable} on it is no printable ASCII. */
export interface Shown {
  readonly point: number;
  readonly rank: number;
}
/** First rank of characters outside printable ASCII. */
export const notPrintable = 5;

const preferred: readonly (readonly [number, number])[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x21, 0x7e],
  [0x20, 0x20],
  [0xa1, 0xd7ff],
  [0xe000, 0x10ffff],
  [0, 0xa0],
];

/** The nicest character of a non-empty set. */
export function shown(set: Charset): Shown {
  for (const [rank, [from, to]] of preferred.entries()) {
    for (const [lo, hi] of intervals(set)) {
      const point = Math.max(lo, from);
      if (point <= hi && point <= to) return { point, rank };
    }
  }
  return { point: 0, rank: preferred.length };
}

/** Indexes of the characters, the nicest first. */
export function nicestFirst(letters: readonly Shown[]): number[] {
  const worth = letters.map(({ rank, point }) => rank * 0x200000 + point);
  return [...letters.keys()].sort((a, b) => (worth[a] ?? 0) - (worth[b] ?? 0));
}

/** A member, or undefined when there is none: a shortest of printable ASCII if there is one, else a shortest. */
export function sample(language: Language): string | undefined {
  const table = tableOf(language);
  const letters = classSets(table).map(shown);
  return shortest(table, letters, notPrintable) ?? shortest(table, letters, preferred.length);
}

/** A shortest accepted text over the classes whose rank is below `limit`. */
function shortest(table: Table, letters: readonly Shown[], limit: number): string | undefined {
  const order = nicestFirst(letters).filter((cls) => (letters[cls]?.rank ?? 0) < limit);
  const from = new Map<number, string>([[table.start, '']]);
  for (const [state, text] of from) {
    if (table.accept[state] === 1) return text;
    for (const cls of order) {
      const to = table.next[state * table.classes + cls] ?? 0;
      if (!from.has(to)) from.set(to, text + String.fromCodePoint(letters[cls]?.point ?? 0));
    }
  }
  return undefined;
}

/** All members, shorter first, when there are at most `limit`; else undefined. */
export function finite(language: Language, limit: number): readonly string[] | undefined {
  const table = tableOf(language);
  const live = liveStates(table);
  const sets = classSets(table);
  const found: string[] = [];
  let level: (readonly [state: number, text: string])[] = live[table.start] === 1 ? [[table.start, '']] : [];
  for (let depth = 0; level.length > 0; depth++) {
    const below: (readonly [number, string])[] = [];
    for (const [state, text] of level) {
      if (table.accept[state] === 1) found.push(text);
      for (const [cls, set] of sets.entries()) {
        const to = table.next[state * table.classes + cls] ?? 0;
        if (live[to] !== 1) continue;
        if (charCount(set) + below.length > limit) return undefined;
        for (const char of charsOf(set)) below.push([to, text + char]);
      }
    }
    if (found.length > limit || depth > live.length) return undefined;
    level = below;
  }
  return Object.freeze(found);
}

function charCount(set: Charset): number {
  let count = 0;
  for (const [lo, hi] of intervals(set)) count += hi - lo + 1;
  return count;
}

function* charsOf(set: Charset): Generator<string> {
  for (const [lo, hi] of intervals(set)) {
    for (let point = lo; point <= hi; point++) yield String.fromCodePoint(point);
  }
}

/** 1 for each state from which some text is accepted. */
export function liveStates(table: Table): Uint8Array {
  const live = table.accept.slice();
  const before: number[][] = Array.from(live, () => []);
  for (let i = 0; i < table.next.length; i++) before[table.next[i] ?? 0]?.push(Math.floor(i / table.classes));
  const work = [...live.keys()].filter((state) => live[state] === 1);
  for (let state = work.pop(); state !== undefined; state = work.pop()) {
    for (const from of before[state] ?? []) {
      if (live[from] === 1) continue;
      live[from] = 1;
      work.push(from);
    }
  }
  return live;
}
