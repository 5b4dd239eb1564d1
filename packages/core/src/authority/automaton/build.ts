/** From a pattern to its language: subset construction. */
import { type Language, languageFrom } from './language.js';
import { TooManyStates, maxStates } from './limits.js';
import { type Classes, type Nfa, classesOf, nfaOf } from './nfa.js';
import type { Pattern } from './pattern.js';

/** How a pattern compares characters. */
export interface BuildOptions {
  /** Under simple case folding, one code point at a time. Default: code points exactly. */
  readonly fold?: boolean;
}

/** The language of a pattern. Throws TooManyStates when it needs more than `maxStates`. */
export function languageOf(pattern: Pattern, options: BuildOptions = {}): Language {
  const nfa = nfaOf(pattern, options.fold ?? false);
  const classes = classesOf(nfa.sets);
  const subsets = new Subsets(nfa, classes);
  subsets.explore();
  return languageFrom({
    bounds: classes.bounds,
    cells: classes.cells,
    classes: classes.count,
    next: Int32Array.from(subsets.next),
    accept: Uint8Array.from(subsets.accept),
    start: 0,
  });
}

/** The reachable sets of NFA states, numbered as found. A set holds only states that read or that end. */
class Subsets {
  readonly next: number[] = [];
  readonly accept: number[] = [];
  readonly #nfa: Nfa;
  readonly #classes: Classes;
  readonly #closures: (readonly number[] | undefined)[] = [];
  readonly #ids = new Map<string, number>();
  /** Numbers of sets of one state; and of the empty set. */
  readonly #single: (number | undefined)[] = [];
  #empty: number | undefined;
  readonly #sets: (readonly number[])[] = [];

  constructor(nfa: Nfa, classes: Classes) {
    this.#nfa = nfa;
    this.#classes = classes;
    this.#id([...this.#closure(nfa.start)]);
  }
  explore(): void {
    for (let at = 0; at < this.#sets.length; at++) {
      const targets: (number[] | undefined)[] = [];
      for (const state of this.#sets[at] ?? []) {
        for (const edge of this.#nfa.edges[state] ?? []) {
          const closure = this.#closure(edge.to);
          for (const cls of this.#classes.members[edge.set] ?? []) {
            const target = targets[cls];
            if (target === undefined) targets[cls] = [...closure];
            else target.push(...closure);
          }
        }
      }
      for (let cls = 0; cls < this.#classes.count; cls++) this.next.push(this.#id(targets[cls]));
    }
  }
  /** The number of a set; the list is the callee's, in any order, with repetitions. */
  #id(states: number[] = []): number {
    const set = states.length < 2 ? states : normal(states);
    if (set.length > 1) {
      const key = keyOf(set);
      const known = this.#ids.get(key);
      if (known !== undefined) return known;
      this.#ids.set(key, this.#sets.length);
      return this.#add(set);
    }
    const [only] = set;
    if (only === undefined) return (this.#empty ??= this.#add(set));
    return (this.#single[only] ??= this.#add(set));
  }
  #add(set: readonly number[]): number {
    if (this.#sets.length >= maxStates) throw new TooManyStates(maxStates);
    this.accept.push(set.includes(this.#nfa.end) ? 1 : 0);
    return this.#sets.push(set) - 1;
  }
  #closure(state: number): readonly number[] {
    const known = this.#closures[state];
    if (known !== undefined) return known;
    const seen = new Set<number>([state]);
    const found: number[] = [];
    for (const at of seen) {
      if (at === this.#nfa.end || (this.#nfa.edges[at] ?? []).length > 0) found.push(at);
      for (const to of this.#nfa.silent[at] ?? []) seen.add(to);
    }
    this.#closures[state] = found;
    return found;
  }
}

/** Sorts and drops repetitions, in place; the lists are short. */
function normal(states: number[]): readonly number[] {
  if (states.length > 24) return [...new Set(states)].sort((a, b) => a - b);
  let length = 0;
  for (const state of states) {
    let place = length;
    while (place > 0 && (states[place - 1] ?? 0) > state) place--;
    if (place > 0 && states[place - 1] === state) continue;
    for (let i = length; i > place; i--) states[i] = states[i - 1] ?? 0;
    states[place] = state;
    length++;
  }
  return states.slice(0, length);
}

function keyOf(set: readonly number[]): string {
  let key = '';
  for (const state of set) {
    key += state < 0xd800 ? String.fromCharCode(state) : `\ud800${state.toString(36)};`;
  }
  return key;
}
