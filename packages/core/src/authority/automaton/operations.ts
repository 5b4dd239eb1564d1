/** Boolean operations on languages and questions about them. Exact; results are remembered as long as both operands live. */
import { type Language, anything, intern, languageFrom, nothing, stuckState, tableOf } from './language.js';
import { TooManyStates, maxStates } from './limits.js';
import { commonPrefix } from './residue.js';
import { type Table, at, commonPartition } from './table.js';

/** In both. Throws TooManyStates, as every operation here that builds. */
export function intersect(a: Language, b: Language): Language {
  if (a === b || b === anything || a === nothing) return a;
  if (a === anything || b === nothing) return b;
  const [first, second] = ordered(a, b);
  return remembered(intersections, first, second, () => combine(first, second, 'and'));
}

/** In either. */
export function union(a: Language, b: Language): Language {
  if (a === b || b === nothing || a === anything) return a;
  if (a === nothing || b === anything) return b;
  const [first, second] = ordered(a, b);
  return remembered(unions, first, second, () => combine(first, second, 'or'));
}

/** In any of the list; none: the empty language. */
export function unionAll(languages: readonly Language[]): Language {
  const [only, ...rest] = languages;
  if (only === undefined) return nothing;
  if (rest.length === 0) return only;
  const middle = languages.length >> 1;
  return union(unionAll(languages.slice(0, middle)), unionAll(languages.slice(middle)));
}

/** In the first and not in the second. */
export function minus(a: Language, b: Language): Language {
  if (a === b || a === nothing || b === anything) return nothing;
  if (b === nothing) return a;
  if (a === anything) return complement(b);
  return remembered(differences, a, b, () => combine(a, b, 'minus'));
}

/** Every text that is not in it. */
export function complement(a: Language): Language {
  const known = complements.get(a);
  if (known !== undefined) return known;
  const table = tableOf(a);
  const result = intern({ ...table, accept: table.accept.map((accept) => 1 - accept) });
  complements.set(a, result);
  complements.set(result, a);
  return result;
}

/** Whether it has no member. */
export function isEmpty(a: Language): boolean {
  return a === nothing;
}

/** Whether every text is a member. */
export function isAll(a: Language): boolean {
  return a === anything;
}

/** Whether every member of `small` is in `big`. Builds no automaton. */
export function includes(big: Language, small: Language): boolean {
  if (big === small || small === nothing || big === anything) return true;
  if (big === nothing || small === anything) return false;
  return remembered(inclusions, big, small, () => walkIncludes(tableOf(big), tableOf(small)));
}

/**
 * Whether some text is in both. Builds no automaton; texts that begin differently are told apart without a walk.
 */
export function overlaps(a: Language, b: Language): boolean {
  if (a === nothing || b === nothing) return false;
  if (a === b || a === anything || b === anything) return true;
  const [one, two] = [prefixOf(a), prefixOf(b)];
  if (!one.startsWith(two) && !two.startsWith(one)) return false;
  const [first, second] = ordered(a, b);
  return remembered(overlappings, first, second, () => walkOverlaps(tableOf(first), tableOf(second)));
}

const prefixes = new WeakMap<Language, string>();

function prefixOf(language: Language): string {
  const known = prefixes.get(language);
  if (known !== undefined) return known;
  const prefix = commonPrefix(tableOf(language)).prefix;
  prefixes.set(language, prefix);
  return prefix;
}

type Memo<R> = WeakMap<Language, WeakMap<Language, R>>;
const intersections: Memo<Language> = new WeakMap();
const unions: Memo<Language> = new WeakMap();
const differences: Memo<Language> = new WeakMap();
const inclusions: Memo<boolean> = new WeakMap();
const overlappings: Memo<boolean> = new WeakMap();
const complements = new WeakMap<Language, Language>();

function ordered(a: Language, b: Language): readonly [Language, Language] {
  return a.id < b.id ? [a, b] : [b, a];
}

function remembered<R>(memo: Memo<R>, a: Language, b: Language, compute: () => R): R {
  let row = memo.get(a);
  if (row === undefined) {
    row = new WeakMap();
    memo.set(a, row);
  }
  const known = row.get(b);
  if (known !== undefined) return known;
  const result = compute();
  row.set(b, result);
  return result;
}

type Connective = 'and' | 'or' | 'minus';

/** What a pair of states is worth, whatever follows: 0 never accepted, 1 always accepted, -1 open. */
function settle(how: Connective, a: State, b: State): -1 | 0 | 1 {
  if (how === 'and') return a.stuck === 0 || b.stuck === 0 ? 0 : -1;
  if (how === 'or') return a.stuck === 1 || b.stuck === 1 ? 1 : -1;
  return a.stuck === 0 || b.stuck === 1 ? 0 : -1;
}

function accepts(how: Connective, a: State, b: State): boolean {
  if (how === 'and') return a.accept && b.accept;
  if (how === 'or') return a.accept || b.accept;
  return a.accept && !b.accept;
}

interface State {
  readonly accept: boolean;
  /** 0: nothing follows that is accepted, 1: everything is, -1: open. */
  readonly stuck: -1 | 0 | 1;
}

const openState: State = { accept: false, stuck: -1 };

function statesOf(table: Table): State[] {
  const dead = stuckState(table, 0);
  const all = stuckState(table, 1);
  return Array.from(table.accept, (accept, state) => ({
    accept: accept === 1,
    stuck: state === dead ? 0 : state === all ? 1 : -1,
  }));
}

/** Product construction over reachable pairs; settled pairs share one state each. */
function combine(one: Language, two: Language, how: Connective): Language {
  const a = tableOf(one);
  const b = tableOf(two);
  const { bounds, cells, classes, views } = commonPartition([a, b]);
  const viewA = views[0] ?? new Int32Array();
  const viewB = views[1] ?? new Int32Array();
  const pairs = new Pairs(a, b, how);
  const next: number[] = [];
  for (let state = 0; state < pairs.keys.length; state++) {
    const key = at(pairs.keys, state);
    for (let cls = 0; cls < classes; cls++) {
      next.push(key < 0 ? state : pairs.step(key, at(viewA, cls), at(viewB, cls)));
    }
  }
  return languageFrom({
    bounds,
    cells,
    classes,
    next: Int32Array.from(next),
    accept: Uint8Array.from(pairs.accept),
    start: 0,
  });
}

/** Pairs of states, numbered as found. A key is `left * width + right`, or negative for a settled pair. */
class Pairs {
  readonly keys: number[] = [];
  readonly accept: number[] = [];
  readonly #ids = new Map<number, number>();
  readonly #a: Table;
  readonly #b: Table;
  readonly #statesA: readonly State[];
  readonly #statesB: readonly State[];
  readonly #how: Connective;

  constructor(a: Table, b: Table, how: Connective) {
    this.#a = a;
    this.#b = b;
    this.#statesA = statesOf(a);
    this.#statesB = statesOf(b);
    this.#how = how;
    this.#id(a.start, b.start);
  }
  /** Where an open pair goes under a class of each side. */
  step(key: number, classA: number, classB: number): number {
    const width = this.#b.accept.length;
    const left = Math.floor(key / width) * this.#a.classes + classA;
    const right = (key % width) * this.#b.classes + classB;
    return this.#id(at(this.#a.next, left), at(this.#b.next, right));
  }
  #id(left: number, right: number): number {
    const first = this.#statesA[left] ?? openState;
    const second = this.#statesB[right] ?? openState;
    const settled = settle(this.#how, first, second);
    const key = settled === -1 ? left * this.#b.accept.length + right : -1 - settled;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (this.keys.length >= maxStates) throw new TooManyStates(maxStates);
    this.#ids.set(key, this.keys.length);
    this.accept.push(settled === -1 ? Number(accepts(this.#how, first, second)) : settled);
    return this.keys.push(key) - 1;
  }
}

function walkIncludes(big: Table, small: Table): boolean {
  const { classes, views } = commonPartition([big, small]);
  const bigView = views[0] ?? new Int32Array();
  const smallView = views[1] ?? new Int32Array();
  const all = stuckState(big, 1);
  const dead = stuckState(small, 0);
  const width = small.accept.length;
  const seen = new Set<number>([big.start * width + small.start]);
  for (const key of seen) {
    const left = Math.floor(key / width);
    const right = key % width;
    if (left === all || right === dead) continue;
    if (at(small.accept, right) > at(big.accept, left)) return false;
    for (let cls = 0; cls < classes; cls++) {
      const toBig = at(big.next, left * big.classes + at(bigView, cls));
      const toSmall = at(small.next, right * small.classes + at(smallView, cls));
      seen.add(toBig * width + toSmall);
    }
  }
  return true;
}

function walkOverlaps(a: Table, b: Table): boolean {
  const { classes, views } = commonPartition([a, b]);
  const viewA = views[0] ?? new Int32Array();
  const viewB = views[1] ?? new Int32Array();
  const deadA = stuckState(a, 0);
  const deadB = stuckState(b, 0);
  const width = b.accept.length;
  const seen = new Set<number>([a.start * width + b.start]);
  for (const key of seen) {
    const left = Math.floor(key / width);
    const right = key % width;
    if (left === deadA || right === deadB) continue;
    if (at(a.accept, left) === 1 && at(b.accept, right) === 1) return true;
    for (let cls = 0; cls < classes; cls++) {
      const toA = at(a.next, left * a.classes + at(viewA, cls));
      const toB = at(b.next, right * b.classes + at(viewB, cls));
      seen.add(toA * width + toB);
    }
  }
  return false;
}
