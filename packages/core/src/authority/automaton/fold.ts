/** Simple case folding: which scalar values count as the same in refusing position. */
import { type Charset, charset, hasChar, intervals } from './charset.js';
import { foldLinks } from './fold-table.js';

let orbits: ReadonlyMap<number, readonly number[]> | undefined;

/** Every scalar value that has the same simple case folding as this one, itself included, ascending. */
export function foldOrbit(codePoint: number): readonly number[] {
  orbits ??= readOrbits();
  return orbits.get(codePoint) ?? [codePoint];
}

/** The set with every scalar value added that has the same simple case folding (Unicode C + S) as a member. */
export function foldClosure(set: Charset): Charset {
  orbits ??= readOrbits();
  if (set.length === 2 && set[0] === set[1]) {
    const orbit = orbits.get(set[0] ?? 0);
    return orbit === undefined ? set : charset(orbit.map((point) => [point, point] as const));
  }
  const known = closures.get(set);
  if (known !== undefined) return known;
  const extra: [number, number][] = [];
  for (const [point, orbit] of orbits) {
    if (!hasChar(set, point)) continue;
    for (const other of orbit) if (!hasChar(set, other)) extra.push([other, other]);
  }
  const closed = extra.length === 0 ? set : charset([...intervals(set), ...extra]);
  closures.set(set, closed);
  return closed;
}

const closures = new WeakMap<Charset, Charset>();

/** Joins linked code points; the table's links form chains, so that joining in order suffices. */
function readOrbits(): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let row = 0; row < foldLinks.length; row += 4) {
    const [first = 0, last = 0, step = 1, distance = 0] = foldLinks.slice(row, row + 4);
    for (let point = first; point <= last; point += step) {
      const left = found.get(point) ?? [point];
      const right = found.get(point + distance) ?? [point + distance];
      const joined = [...new Set([...left, ...right])].sort((a, b) => a - b);
      for (const member of joined) found.set(member, joined);
    }
  }
  return found;
}
