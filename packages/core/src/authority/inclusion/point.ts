/** Single points of a product: where many rules meet it, a point that none of them holds is found sooner than all is cut out. */
import {
  type Value,
  type ValueSet,
  and,
  member,
  minus,
  missing,
  missingSet,
  sample,
  scalarSet,
} from '../kind/index.js';
import { type Product, withSet } from './product.js';
import type { Space } from './space.js';

/** A product that meets a piece, and the keys in which the piece sticks out of it. */
export interface Around {
  readonly product: Product;
  readonly outside: readonly string[];
}

/** Most values of one key that are looked at. */
const mostValues = 3;

type Point = ReadonlyMap<string, Value>;

/** A part of the piece that lies in none of the products, or undefined: then there may be one all the same. */
export function pointOutside(space: Space, piece: Product, meeting: readonly Around[]): Product | undefined {
  const keys = [...new Set(meeting.flatMap(({ outside }) => outside))];
  const values = keys.map((key) => [key, valuesIn(space.at(piece, key))] as const);
  for (const point of pointsOf(values)) {
    if (meeting.some((around) => holds(around, point))) continue;
    const found = atPoint(space, piece, point);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first values of all keys, then each other value of one key beside the first ones of the others. */
function* pointsOf(values: readonly (readonly [key: string, values: readonly Value[]])[]): Generator<Point> {
  const firsts: Point = new Map(
    values.flatMap(([key, [first]]) => (first === undefined ? [] : [[key, first] as const])),
  );
  if (firsts.size < values.length) return;
  yield firsts;
  for (const [key, [, ...others]] of values)
    for (const other of others) yield new Map([...firsts, [key, other] as const]);
}

/** Of scalars and absence only: the rest of a set has no single points here. */
function valuesIn(set: ValueSet): readonly Value[] {
  const found: Value[] = [];
  let rest = set;
  while (found.length < mostValues) {
    const value = sample(rest);
    const own = value === undefined ? undefined : single(value);
    if (value === undefined || own === undefined) break;
    found.push(value);
    rest = minus(rest, own);
  }
  return found;
}

function single(value: Value): ValueSet | undefined {
  if (value === missing) return missingSet;
  return typeof value === 'object' && value !== null ? undefined : scalarSet([value]);
}

function holds({ product, outside }: Around, point: Point): boolean {
  return outside.every((key) => {
    const set = product.get(key);
    const value = point.get(key);
    return set === undefined || value === undefined || member(set, value);
  });
}

function atPoint(space: Space, piece: Product, point: Point): Product | undefined {
  let found = piece;
  for (const [key, value] of point) {
    const own = single(value);
    if (own === undefined) return undefined;
    found = withSet(found, key, and(space.at(piece, key), own));
  }
  return space.settled(found);
}
