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

/** How one part of a product sees the classes of the common partition. */
export interface Partition {
  readonly bounds: Int32Array;
  readonly cells: Int32Array;
  readonly classes: number;
  /** Per part, the part's class of each common class. */
  readonly views: readonly Int32Array[];
}

/** The coarsest partition finer than those of all parts; one part or more. */
export function commonPartition(parts: readonly Pick<Table, 'bounds' | 'cells'>[]): Partition {
  const points = new Set<number>();
  for (const part of parts) for (const bound of part.bounds) points.add(bound);
  const bounds = Int32Array.from(points).sort();
  const columns = parts.map((part) => spread(part, bounds));
  const ids = new Map<string, number>();
  const views = parts.map((): number[] => []);
  const cells = new Int32Array(bounds.length);
  for (let cell = 0; cell < bounds.length; cell++) {
    let key = '';
    for (const column of columns) key += `${column[cell] ?? 0},`;
    let id = ids.get(key);
    if (id === undefined) {
      id = ids.size;
      ids.set(key, id);
      for (const [part, view] of views.entries()) view.push(columns[part]?.[cell] ?? 0);
    }
    cells[cell] = id;
  }
  return { bounds, cells, classes: ids.size, views: views.map((view) => Int32Array.from(view)) };
}

/** The part's class in each of the finer cells. */
function spread(part: Pick<Table, 'bounds' | 'cells'>, bounds: Int32Array): Int32Array {
  const out = new Int32Array(bounds.length);
  let at = 0;
  for (let cell = 0; cell < bounds.length; cell++) {
    while (at + 1 < part.bounds.length && (part.bounds[at + 1] ?? 0) <= (bounds[cell] ?? 0)) at++;
    out[cell] = part.cells[at] ?? 0;
  }
  return out;
}
