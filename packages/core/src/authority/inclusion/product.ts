/** Products of sets: the boxes of the space of one access shape. */
import { type ValueSet, and, everythingSet, includes, isEmpty, meets } from '../kind/index.js';

/** A set for each key; a key that is not there holds everything that its position can hold. Never empty where it is kept. */
export type Product = ReadonlyMap<string, ValueSet>;

/** The product of everything. */
export const wholeProduct: Product = new Map();

/** In both; undefined: nothing is. Throws TooManyStates. */
export function andProduct(a: Product, b: Product): Product | undefined {
  if (a.size === 0) return b;
  const both = new Map(a);
  for (const [key, set] of b) {
    const joined = and(both.get(key) ?? set, set);
    if (isEmpty(joined)) return undefined;
    both.set(key, joined);
  }
  return both;
}

/** Whether some access is in both. */
export function productsMeet(a: Product, b: Product): boolean {
  for (const [key, set] of b) {
    const other = a.get(key);
    if (other !== undefined && !meets(other, set)) return false;
  }
  return true;
}

/** The keys in which `small` is not inside `big`; none: it is inside. `universe` is what an unnamed key holds. */
export function keysOutside(
  big: Product,
  small: Product,
  universe: (key: string) => ValueSet,
): readonly string[] {
  const outside: string[] = [];
  for (const [key, set] of big) if (!includes(set, small.get(key) ?? universe(key))) outside.push(key);
  return outside;
}

/** The product with another set in one key. */
export function withSet(product: Product, key: string, set: ValueSet): Product {
  const changed = new Map(product);
  if (set === everythingSet) changed.delete(key);
  else changed.set(key, set);
  return changed;
}
