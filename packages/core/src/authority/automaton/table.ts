/** Transition tables of complete deterministic automata over classes of code points. */

/**
 * The universe is cut into cells: cell i holds the scalar values from `bounds[i]` up to the next bound (surrogates never
 * count), and belongs to class `cells[i]`. `next[state * classes + class]` is a state. Every state is complete.
 */
export interface Table {
  readonly bounds: Int32Array;
  readonly cells: Int32Array;
  readonly classes: number;
  readonly next: Int32Array;
  readonly accept: Uint8Array;
  readonly start: number;
}

/** The number at an index that is known to be inside. */
export function at(list: ArrayLike<number>, index: number): number {
  return list[index] ?? 0;
}

/** A partition into classes, and how parts of a product see these classes. */
export interface Partition {
  readonly bounds: Int32Array;
  readonly cells: Int32Array;
  readonly classes: number;
  /** Per part, the part's class of each common class. */
  readonly views: readonly Int32Array[];
}

type Cells = Pick<Table, 'bounds' | 'cells' | 'classes'>;

/** The coarsest partition finer than those of all parts; one part or more. */
export function commonPartition(parts: readonly Cells[]): Partition {
  const [first, ...rest] = parts;
  if (first === undefined)
    return { bounds: new Int32Array(1), cells: new Int32Array(1), classes: 1, views: [] };
  const start: Partition = { ...first, views: [Int32Array.from({ length: first.classes }, (_, cls) => cls)] };
  return rest.reduce<Partition>((sum, part) => {
    const { bounds, cells, left, right } = refine(sum, part);
    const views = sum.views.map((view) => Int32Array.from(left, (cls) => at(view, cls)));
    return { bounds, cells, classes: left.length, views: [...views, Int32Array.from(right)] };
  }, start);
}

interface Refined {
  readonly bounds: Int32Array;
  readonly cells: Int32Array;
  /** Per class, the class of each side. */
  readonly left: readonly number[];
  readonly right: readonly number[];
}

function refine(a: Cells, b: Cells): Refined {
  const ids = new Int32Array(a.classes * b.classes).fill(-1);
  const left: number[] = [];
  const right: number[] = [];
  const bounds: number[] = [];
  const cells: number[] = [];
  let i = 0;
  let j = 0;
  let from = 0;
  while (from < Infinity) {
    const pair = at(a.cells, i) * b.classes + at(b.cells, j);
    if (at(ids, pair) === -1) {
      ids[pair] = left.push(at(a.cells, i)) - 1;
      right.push(at(b.cells, j));
    }
    bounds.push(from);
    cells.push(at(ids, pair));
    const nextA = a.bounds[i + 1] ?? Infinity;
    const nextB = b.bounds[j + 1] ?? Infinity;
    from = Math.min(nextA, nextB);
    if (nextA === from) i++;
    if (nextB === from) j++;
  }
  return { bounds: Int32Array.from(bounds), cells: Int32Array.from(cells), left, right };
}
