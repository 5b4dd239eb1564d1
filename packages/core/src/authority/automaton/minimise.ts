/** From any complete table to the canonical one of its language: minimal, classes merged, states and classes in a fixed order. */
import { type Table, at } from './table.js';

/**
 * The canonical table: two tables of the same language give equal results. Unreachable states must not be passed in.
 * Minimal by Hopcroft's partition refinement; states are numbered breadth first, classes by their first code point.
 */
export function canonical(table: Table): Table {
  const blocks = refine(table);
  return order(table, blocks);
}

interface Blocks {
  readonly of: Int32Array;
  readonly count: number;
}

/** Partition of states that is refined in place: `elements` holds the blocks one after another. */
class Refinement {
  readonly of: Int32Array;
  readonly #elements: Int32Array;
  readonly #place: Int32Array;
  readonly #first: number[] = [0];
  readonly #end: number[];
  readonly #marked: number[] = [0];
  #touched: number[] = [];

  constructor(states: number) {
    this.of = new Int32Array(states);
    this.#elements = Int32Array.from({ length: states }, (_, i) => i);
    this.#place = Int32Array.from({ length: states }, (_, i) => i);
    this.#end = [states];
  }
  get count(): number {
    return this.#first.length;
  }
  size(block: number): number {
    return (this.#end[block] ?? 0) - (this.#first[block] ?? 0);
  }
  members(block: number): Int32Array {
    return this.#elements.slice(this.#first[block], this.#end[block]);
  }
  mark(state: number): void {
    const block = this.of[state] ?? 0;
    const marked = this.#marked[block] ?? 0;
    const target = (this.#first[block] ?? 0) + marked;
    const place = this.#place[state] ?? 0;
    if (place < target) return;
    if (marked === 0) this.#touched.push(block);
    const other = this.#elements[target] ?? 0;
    this.#elements[target] = state;
    this.#elements[place] = other;
    this.#place[state] = target;
    this.#place[other] = place;
    this.#marked[block] = marked + 1;
  }
  /** Splits marked from unmarked states; calls back with the old and the new block of each split. */
  split(onSplit: (old: number, fresh: number) => void): void {
    const touched = this.#touched;
    this.#touched = [];
    for (const block of touched) {
      const marked = this.#marked[block] ?? 0;
      this.#marked[block] = 0;
      if (marked === this.size(block)) continue;
      const fresh = this.#first.length;
      const first = this.#first[block] ?? 0;
      this.#first.push(first);
      this.#end.push(first + marked);
      this.#marked.push(0);
      this.#first[block] = first + marked;
      for (let i = first; i < first + marked; i++) this.of[this.#elements[i] ?? 0] = fresh;
      onSplit(block, fresh);
    }
  }
}

function refine(table: Table): Blocks {
  const states = table.accept.length;
  const inverse = invert(table);
  const parts = new Refinement(states);
  const work: number[] = [];
  const waiting = new Set<number>();
  const enqueue = (block: number): void => {
    if (waiting.has(block)) return;
    waiting.add(block);
    work.push(block);
  };
  const onSplit = (old: number, fresh: number): void => {
    if (waiting.has(old)) enqueue(fresh);
    else enqueue(parts.size(old) < parts.size(fresh) ? old : fresh);
  };
  for (let state = 0; state < states; state++) if (table.accept[state] === 1) parts.mark(state);
  parts.split(onSplit);
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    waiting.delete(block);
    const splitter = parts.members(block);
    for (let cls = 0; cls < table.classes; cls++) {
      for (const target of splitter) {
        const slot = target * table.classes + cls;
        for (let i = inverse.from[slot] ?? 0; i < (inverse.from[slot + 1] ?? 0); i++) {
          parts.mark(inverse.states[i] ?? 0);
        }
      }
      parts.split(onSplit);
    }
  }
  return { of: parts.of, count: parts.count };
}

/** Predecessors of (state, class), stored one after another: from `from[slot]` up to `from[slot + 1]`. */
function invert(table: Table): { readonly from: Int32Array; readonly states: Int32Array } {
  const { next, classes } = table;
  const from = new Int32Array(next.length + 1);
  for (let i = 0; i < next.length; i++) {
    const slot = (next[i] ?? 0) * classes + (i % classes) + 1;
    from[slot] = (from[slot] ?? 0) + 1;
  }
  for (let i = 0; i < next.length; i++) from[i + 1] = (from[i + 1] ?? 0) + (from[i] ?? 0);
  const fill = from.slice();
  const states = new Int32Array(next.length);
  for (let i = 0; i < next.length; i++) {
    const slot = (next[i] ?? 0) * classes + (i % classes);
    const at = fill[slot] ?? 0;
    states[at] = Math.floor(i / classes);
    fill[slot] = at + 1;
  }
  return { from, states };
}

function order(table: Table, blocks: Blocks): Table {
  const leader = new Int32Array(blocks.count).fill(-1);
  for (const [state, block] of blocks.of.entries()) if (at(leader, block) === -1) leader[block] = state;
  const { bounds, cells, samples } = mergeClasses(table, blocks, leader);
  const first = at(blocks.of, table.start);
  const number = new Int32Array(blocks.count).fill(-1);
  const queue: number[] = [first];
  number[first] = 0;
  const next: number[] = [];
  const accept: number[] = [];
  for (const block of queue) {
    const state = at(leader, block);
    accept.push(at(table.accept, state));
    for (const sample of samples) {
      const target = at(blocks.of, at(table.next, state * table.classes + sample));
      if (at(number, target) === -1) number[target] = queue.push(target) - 1;
      next.push(at(number, target));
    }
  }
  return {
    bounds,
    cells,
    classes: samples.length,
    next: Int32Array.from(next),
    accept: Uint8Array.from(accept),
    start: 0,
  };
}

interface Merged {
  readonly bounds: Int32Array;
  readonly cells: Int32Array;
  /** Per new class, one old class of it. */
  readonly samples: readonly number[];
}

/** Merges classes that no block tells apart, then neighbouring cells of one class. */
function mergeClasses(table: Table, blocks: Blocks, leader: Int32Array): Merged {
  const byColumn = new Map<string, number>();
  const newOf = new Int32Array(table.classes).fill(-1);
  const samples: number[] = [];
  const bounds: number[] = [];
  const cells: number[] = [];
  for (let cell = 0; cell < table.cells.length; cell++) {
    const old = table.cells[cell] ?? 0;
    if (newOf[old] === -1) {
      const column = columnKey(table, blocks, leader, old);
      const known = byColumn.get(column);
      newOf[old] = known ?? samples.length;
      if (known === undefined) {
        byColumn.set(column, samples.length);
        samples.push(old);
      }
    }
    const cls = newOf[old] ?? 0;
    if (cells.at(-1) === cls) continue;
    bounds.push(table.bounds[cell] ?? 0);
    cells.push(cls);
  }
  return { bounds: Int32Array.from(bounds), cells: Int32Array.from(cells), samples };
}

function columnKey(table: Table, blocks: Blocks, leader: Int32Array, cls: number): string {
  let key = '';
  for (const state of leader)
    key += String.fromCharCode(blocks.of[table.next[state * table.classes + cls] ?? 0] ?? 0);
  return key;
}
