/** Languages in words and in something like a regular expression, for people. */
import { type Charset, anyChar, complementChars, intervals } from './charset.js';
import { type Language, anything, nothing, tableOf } from './language.js';
import { classSets } from './nfa.js';
import { complement } from './operations.js';
import { finite, liveStates, sample } from './sample.js';
import type { Table } from './table.js';

/** Longest text that {@link print} gives, in UTF-16 units. */
export const maxPrinted = 200;
const maxListed = 8;
const maxEliminated = 24;

/**
 * The language for people: a list of quoted texts, `any text`, `any text except …`, `text like /…/`, or, when all of
 * these are too long, an example. Not to be parsed.
 */
export function print(language: Language): string {
  if (language === nothing) return 'no text';
  if (language === anything) return 'any text';
  const few = finite(language, maxListed);
  if (few !== undefined) return cut(listed(few));
  const outside = finite(complement(language), maxListed);
  if (outside !== undefined) return cut(`any text except ${listed(outside)}`);
  const expression = expressionOf(tableOf(language));
  if (expression !== undefined && expression.length <= maxPrinted) return `text like /${expression}/`;
  return cut(`text such as ${JSON.stringify(sample(language))}`);
}

function listed(texts: readonly string[]): string {
  const quoted = texts.map((text) => JSON.stringify(text));
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

function cut(text: string): string {
  return text.length <= maxPrinted
    ? text
    : `${Array.from(text)
        .slice(0, maxPrinted / 2)
        .join('')}…`;
}

/** State elimination over the live states; undefined when it grows too long. */
function expressionOf(table: Table): string | undefined {
  const live = liveStates(table);
  const states = [...live.keys()].filter((state) => live[state] === 1);
  if (states.length > maxEliminated) return undefined;
  const edges = new Edges(table, live, states);
  const byDegree = states.filter((state) => state !== table.start).reverse();
  for (const state of byDegree) if (!edges.eliminate(state)) return undefined;
  return edges.whole(table.start);
}

const end = -1;

/** Edges labelled with expressions; a missing edge is undefined. */
class Edges {
  readonly #labels = new Map<number, Map<number, string>>();
  constructor(table: Table, live: Uint8Array, states: readonly number[]) {
    const sets = classSets(table);
    for (const state of states) {
      const byTarget = new Map<number, [number, number][]>();
      for (const [cls, set] of sets.entries()) {
        const to = table.next[state * table.classes + cls] ?? 0;
        if (live[to] === 1)
          byTarget.set(
            to,
            [...(byTarget.get(to) ?? []), ...intervals(set)].map(([a, b]) => [a, b]),
          );
      }
      for (const [to, ranges] of byTarget) this.#add(state, to, charsText(merge(ranges)));
      if (table.accept[state] === 1) this.#add(state, end, '');
    }
  }
  /** Removes a state; false: the text became too long. */
  eliminate(state: number): boolean {
    const out = this.#labels.get(state) ?? new Map<number, string>();
    const loop = starred(out.get(state));
    this.#labels.delete(state);
    for (const [from, targets] of this.#labels) {
      const into = targets.get(state);
      if (into === undefined) continue;
      targets.delete(state);
      for (const [to, label] of out) {
        if (to === state) continue;
        this.#add(from, to, `${grouped(into)}${loop}${grouped(label)}`);
        if ((targets.get(to) ?? '').length > maxPrinted) return false;
      }
    }
    return true;
  }
  whole(start: number): string {
    const out = this.#labels.get(start);
    return `${starred(out?.get(start))}${grouped(out?.get(end) ?? '')}`;
  }
  #add(from: number, to: number, label: string): void {
    const row = this.#labels.get(from) ?? new Map<number, string>();
    this.#labels.set(from, row);
    const known = row.get(to);
    row.set(to, known === undefined ? label : either(known, label));
  }
}

function either(a: string, b: string): string {
  if (a === b) return a;
  if (a === '') return `${atom(b)}?`;
  if (b === '') return `${atom(a)}?`;
  return `${a}|${b}`;
}

function starred(label: string | undefined): string {
  return label === undefined || label === '' ? '' : `${atom(label)}*`;
}

function grouped(label: string): string {
  return topLevelBar(label) ? `(${label})` : label;
}

function atom(label: string): string {
  if (/^(?:\\?.|\[(?:\\.|[^\]\\])*\])$/su.test(label)) return label;
  return `(${label})`;
}

function topLevelBar(label: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let i = 0; i < label.length; i++) {
    const char = label[i];
    if (char === '\\') i++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (!inClass && char === '(') depth++;
    else if (!inClass && char === ')') depth--;
    else if (!inClass && char === '|' && depth === 0) return true;
  }
  return false;
}

function merge(ranges: [number, number][]): Charset {
  return ranges.sort((a, b) => a[0] - b[0]).flat();
}

/** A set as one character, `.` for any, or a class in brackets, negated where that is shorter. */
function charsText(set: Charset): string {
  const joined = join(set);
  if (joined.length === 2 && joined[0] === 0 && joined[1] === anyChar[3]) return '.';
  if (joined.length === 2 && joined[0] === joined[1]) return charText(joined[0] ?? 0, /[\\^$.*+?()[\]{}|/]/u);
  const rest = complementChars(set);
  if (rest.length < set.length) return `[^${rangesText(join(rest))}]`;
  return `[${rangesText(joined)}]`;
}

/** Joins touching intervals, also over the surrogate gap. */
function join(set: Charset): number[] {
  const out: number[] = [];
  for (const [lo, hi] of intervals(set)) {
    const last = out.at(-1);
    if (last !== undefined && (lo === last + 1 || (last === 0xd7ff && lo === 0xe000)))
      out[out.length - 1] = hi;
    else out.push(lo, hi);
  }
  return out;
}

function rangesText(set: readonly number[]): string {
  const special = /[\\\]^-]/u;
  let text = '';
  for (const [lo, hi] of intervals(set)) {
    text += charText(lo, special);
    if (hi > lo) text += hi > lo + 1 ? `-${charText(hi, special)}` : charText(hi, special);
  }
  return text;
}

function charText(point: number, special: RegExp): string {
  const char = String.fromCodePoint(point);
  if (special.test(char)) return `\\${char}`;
  return /[\p{L}\p{N}\p{P}\p{S} ]/u.test(char) ? char : `\\u{${point.toString(16)}}`;
}
