/** From a pattern to a nondeterministic automaton. */
import { type Charset, charset, firstSurrogate, intervals, lastCodePoint, single } from './charset.js';
import { foldClosure } from './fold.js';
import { tableOf } from './language.js';
import { TooManyStates, maxStates } from './limits.js';
import type { Pattern } from './pattern.js';
import { type Table, at } from './table.js';

/** An edge that reads one character of the set with this index. */
export interface Edge {
  readonly set: number;
  readonly to: number;
}

/** States 0, 1, …; `silent` edges read nothing. `sets` holds every character set used, once. */
export interface Nfa {
  readonly edges: readonly (readonly Edge[])[];
  readonly silent: readonly (readonly number[])[];
  readonly sets: readonly Charset[];
  readonly start: number;
  readonly end: number;
}

/** Builds the automaton; `fold` matches under simple case folding. Throws {@link TooManyStates}. */
export function nfaOf(pattern: Pattern, fold: boolean): Nfa {
  const builder = new NfaBuilder(fold);
  const start = builder.state();
  const end = builder.add(pattern, start);
  return { edges: builder.edges, silent: builder.silent, sets: builder.sets, start, end };
}

/** Word lists may be long: their states are merged later, so they count against a larger limit. */
const maxRawStates = 50 * maxStates;

interface TrieNode {
  final: boolean;
  /** Character set index to node; children have larger numbers than their parent. */
  readonly children: Map<number, number>;
}

function newNode(): TrieNode {
  return { final: false, children: new Map() };
}

class NfaBuilder {
  readonly edges: Edge[][] = [];
  readonly silent: number[][] = [];
  readonly sets: Charset[] = [];
  readonly #setIds = new Map<string, number>();
  readonly #charIds = new Map<number, number>();
  readonly #fold: boolean;

  constructor(fold: boolean) {
    this.#fold = fold;
  }
  state(): number {
    if (this.edges.length >= maxRawStates) throw new TooManyStates(maxRawStates);
    this.edges.push([]);
    this.silent.push([]);
    return this.edges.length - 1;
  }
  /** Adds the pattern behind a state; returns the state where it ends. */
  add(pattern: Pattern, from: number): number {
    switch (pattern.op) {
      case 'none':
        return this.state();
      case 'chars':
        return this.#step(from, this.#fold ? foldClosure(pattern.set) : pattern.set);
      case 'sequence':
        return pattern.parts.reduce((state, part) => this.add(part, state), from);
      case 'either':
        return this.#either(pattern.parts, from);
      case 'star':
        return this.#star(pattern.of, from);
      case 'upTo':
        return this.#upTo(pattern.of, pattern.times, from);
      case 'words':
        return this.#words(pattern.words, from);
      case 'within':
        break;
    }
    return this.#embed(tableOf(pattern.language), from);
  }
  #step(from: number, set: Charset, to: number = this.state()): number {
    this.edges[from]?.push({ set: this.#setId(set), to });
    return to;
  }
  #skip(from: number, to: number): void {
    this.silent[from]?.push(to);
  }
  #setId(set: Charset): number {
    const key = set.join();
    const known = this.#setIds.get(key);
    if (known !== undefined) return known;
    this.sets.push(set);
    this.#setIds.set(key, this.sets.length - 1);
    return this.sets.length - 1;
  }
  #either(parts: readonly Pattern[], from: number): number {
    const end = this.state();
    for (const part of parts) {
      const own = this.state();
      this.#skip(from, own);
      this.#skip(this.add(part, own), end);
    }
    return end;
  }
  #star(of: Pattern, from: number): number {
    const hub = this.state();
    this.#skip(from, hub);
    this.#skip(this.add(of, hub), hub);
    const end = this.state();
    this.#skip(hub, end);
    return end;
  }
  #upTo(of: Pattern, times: number, from: number): number {
    const end = this.state();
    let at = from;
    for (let i = 0; i < times; i++) {
      this.#skip(at, end);
      at = this.add(of, at);
    }
    this.#skip(at, end);
    return end;
  }
  /** Adds the minimal acyclic automaton of the words: a trie whose equal ends are shared. */
  #words(words: readonly string[], from: number): number {
    const end = this.state();
    const trie = this.#trie(words);
    const shared = new Map<string, number>();
    const stateOf: number[] = [];
    for (let node = trie.length - 1; node >= 0; node--) {
      const { final, children } = trie[node] ?? newNode();
      const links = [...children].map(([set, child]) => ({ set, to: at(stateOf, child) }));
      links.sort((a, b) => a.set - b.set);
      const key = `${final ? '!' : ''}${links.map((link) => `${link.set}:${link.to}`).join()}`;
      const known = shared.get(key);
      const state = known ?? this.state();
      stateOf[node] = state;
      if (known !== undefined) continue;
      shared.set(key, state);
      if (final) this.#skip(state, end);
      this.edges[state]?.push(...links);
    }
    this.#skip(from, at(stateOf, 0));
    return end;
  }
  #trie(words: readonly string[]): TrieNode[] {
    const trie = [newNode()];
    for (const word of words) {
      let node = trie[0];
      for (const char of word) {
        const set = this.#setOf(char.codePointAt(0) ?? 0);
        let child = node?.children.get(set);
        if (child === undefined) {
          child = trie.push(newNode()) - 1;
          node?.children.set(set, child);
        }
        node = trie[child];
      }
      if (node !== undefined) node.final = true;
      if (trie.length > maxRawStates) throw new TooManyStates(maxRawStates);
    }
    return trie;
  }
  #setOf(point: number): number {
    const known = this.#charIds.get(point);
    if (known !== undefined) return known;
    const set = this.#setId(this.#fold ? foldClosure(single(point)) : single(point));
    this.#charIds.set(point, set);
    return set;
  }
  #embed(table: Table, from: number): number {
    const end = this.state();
    const sets = classSets(table);
    const states = Array.from(table.accept, () => this.state());
    this.#skip(from, states[table.start] ?? end);
    for (const [index, state] of states.entries()) {
      if (table.accept[index] === 1) this.#skip(state, end);
      for (const [cls, set] of sets.entries()) {
        this.#step(state, set, states[table.next[index * table.classes + cls] ?? 0] ?? end);
      }
    }
    return end;
  }
}

/** The characters of each class of a table. */
export function classSets(table: Pick<Table, 'bounds' | 'cells' | 'classes'>): Charset[] {
  const ranges = Array.from({ length: table.classes }, (): [number, number][] => []);
  for (let cell = 0; cell < table.cells.length; cell++) {
    const hi = (table.bounds[cell + 1] ?? lastCodePoint + 1) - 1;
    ranges[table.cells[cell] ?? 0]?.push([table.bounds[cell] ?? 0, hi]);
  }
  return ranges.map((list) => charset(list));
}

/** The classes into which character sets cut the universe; `members[set]` are the classes of a set. */
export interface Classes {
  readonly bounds: Int32Array;
  readonly cells: Int32Array;
  readonly count: number;
  readonly members: readonly (readonly number[])[];
}

/** The coarsest partition in which each set is a union of classes. */
export function classesOf(sets: readonly Charset[]): Classes {
  const bounds = boundsOf(sets);
  const inCell: number[][] = Array.from(bounds, () => []);
  for (const [id, set] of sets.entries()) for (const cell of cellsIn(bounds, set)) inCell[cell]?.push(id);
  const ids = new Map<string, number>();
  const members = sets.map((): number[] => []);
  const cells = new Int32Array(bounds.length);
  for (const [cell, inside] of inCell.entries()) {
    const key = inside.join();
    const known = ids.get(key);
    const id = known ?? ids.size;
    cells[cell] = id;
    if (known !== undefined) continue;
    ids.set(key, id);
    for (const set of inside) members[set]?.push(id);
  }
  return { bounds, cells, count: ids.size, members };
}

function boundsOf(sets: readonly Charset[]): Int32Array {
  const points = new Set<number>([0]);
  for (const set of sets) for (const [lo, hi] of intervals(set)) points.add(lo).add(hi + 1);
  points.delete(firstSurrogate);
  points.delete(lastCodePoint + 1);
  return Int32Array.from(points).sort();
}

function* cellsIn(bounds: Int32Array, set: Charset): Generator<number> {
  let cell = 0;
  for (const [lo, hi] of intervals(set)) {
    while (cell < bounds.length && at(bounds, cell) < lo) cell++;
    for (; cell < bounds.length && at(bounds, cell) <= hi; cell++) yield cell;
  }
}
