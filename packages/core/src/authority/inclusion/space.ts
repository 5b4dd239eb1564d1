/** The space of one access shape: rules become products in it, and positions that hang together are kept together. */
import type { Box, FieldSet } from '../box.js';
import type { Cover } from '../cover.js';
import {
  type Scalar,
  type ValueSet,
  and,
  anyTextOf,
  byElement,
  everyElement,
  everythingSet,
  includes,
  isEmpty,
  meets,
  missingSet,
  noSpreads,
  or,
  scalarSet,
  scalars,
  splitText,
  spreadOut,
  textSet,
  typeSet,
  urlsOnHosts,
} from '../kind/index.js';
import { type Product, withSet } from './product.js';
import type { AccessShape, RawPosition, SideName } from './shape.js';

/** Most scalars of an argument that are followed into another view of it. */
const mostFollowed = 64;
const structures = or(typeSet('object'), typeSet('array'));

/** A value of an argument, and what a kind sees of it. */
interface Followed {
  readonly value: Scalar;
  readonly image: Scalar;
}

/** Turns the boxes of rules into products over the positions of a shape. */
export class Space {
  readonly shape: AccessShape;
  readonly #universes: ReadonlyMap<string, ValueSet>;
  readonly #raw: ReadonlyMap<string, RawPosition>;
  /** Pairs of an argument and one inside it. */
  readonly #nested: readonly (readonly [outer: RawPosition, inner: RawPosition])[];
  /** Pairs of an argument as sent and in the view of a kind. */
  readonly #views: readonly (readonly [sent: RawPosition, seen: RawPosition])[];
  readonly #covers = new Map<string, Product | undefined>();

  constructor(shape: AccessShape) {
    this.shape = shape;
    const raw = shape.raw.map((each): [string, ValueSet] => [each.key, each.universe]);
    this.#universes = new Map([...shape.carried, ...raw]);
    this.#raw = new Map(shape.raw.map((each) => [each.key, each]));
    const sent = shape.raw.filter(({ view }) => view === 'raw');
    this.#nested = sent.flatMap((outer) =>
      shape.raw.filter((inner) => isInside(inner, outer)).map((inner) => [outer, inner] as const),
    );
    this.#views = sent.flatMap((one) =>
      shape.raw.filter((two) => two.view !== 'raw' && samePath(one, two)).map((two) => [one, two] as const),
    );
  }

  /** Everything that a position can hold. */
  universe(key: string): ValueSet {
    return this.#universes.get(key) ?? everythingSet;
  }

  /** What a product holds in a position. */
  at(product: Product, key: string): ValueSet {
    return product.get(key) ?? this.universe(key);
  }

  /** An allow rule, or a ceiling's; undefined: no access of this shape is in it. Regions are not turned into what they reach. */
  allowing(box: Box, side: SideName): Product | undefined {
    const start = this.#coverOf(box.cover);
    return start && this.#withFields(start, box.fields, (field) => this.#allowed(field, side));
  }

  /** A denial or an ask; undefined: it meets no access of this shape. */
  refusing(box: Box, side: SideName): Product | undefined {
    const start = this.#coverOf(box.cover);
    return start && this.#withFields(start, box.fields, (field) => this.#refused(field, side));
  }

  /** The same product with what hangs together kept together; undefined: it is empty. */
  settled(product: Product): Product | undefined {
    let now: Product | undefined = product;
    for (const [outer, inner] of this.#nested) now = now && this.#settleNested(now, outer, inner);
    for (const [sent, seen] of this.#views) now = now && this.#settleViews(now, sent, seen);
    return now;
  }

  /** The part of a product whose value in a position is also in a set; undefined: there is none. */
  narrowed(product: Product, key: string, set: ValueSet): Product | undefined {
    const within = and(this.at(product, key), set);
    return isEmpty(within) ? undefined : this.settled(withSet(product, key, within));
  }

  /** False only where a field of a rule and what a product holds there have nothing in common, whatever else is said. */
  mayMeet({ key, set }: FieldSet, held: ValueSet | undefined): boolean {
    const own = this.#raw.get(key);
    const plain = own === undefined ? this.shape.carried.has(key) : own.leftOut === undefined;
    if (held === undefined || !plain || this.shape.regions.has(key)) return true;
    return meets(held, this.#form(key, set));
  }

  /** The argument of a position; undefined for a field of the connector. */
  rawAt(key: string): RawPosition | undefined {
    return this.#raw.get(key);
  }

  #allowed({ key, ifCarried, whole, set }: FieldSet, side: SideName): ValueSet | 'free' | undefined {
    const left = this.#raw.get(key)?.leftOut;
    if (left !== undefined) return includes(set, left[side]) ? 'free' : undefined;
    if (!this.#universes.has(key)) return ifCarried ? 'free' : undefined;
    if (this.shape.regions.get(key) === 'all') return whole === true ? 'free' : undefined;
    return this.#form(key, set);
  }

  #form(key: string, set: ValueSet): ValueSet {
    return this.#raw.get(key)?.byElement === true ? byElement(set) : set;
  }

  #refused({ key, set }: FieldSet, side: SideName): ValueSet | 'free' | undefined {
    const left = this.#raw.get(key)?.leftOut;
    if (left !== undefined) return meets(set, left[side]) ? 'free' : undefined;
    if (!this.#universes.has(key)) return undefined;
    if (this.shape.regions.get(key) === 'all') return isEmpty(set) ? undefined : 'free';
    return this.#form(key, set);
  }

  #withFields(
    start: Product,
    fields: readonly FieldSet[],
    what: (field: FieldSet) => ValueSet | 'free' | undefined,
  ): Product | undefined {
    const product = new Map(start);
    for (const field of fields) {
      const url = this.shape.hosts.get(field.key);
      const set = url === undefined ? what(field) : this.#onHosts(field, url);
      if (set === undefined) return undefined;
      if (set === 'free') continue;
      const key = url ?? field.key;
      const within = limited(this.at(product, key), set);
      if (isEmpty(within)) return undefined;
      product.set(key, within);
    }
    return this.settled(product);
  }

  #onHosts({ ifCarried, set }: FieldSet, url: string): ValueSet | 'free' | undefined {
    if (!this.#universes.has(url)) return ifCarried ? 'free' : undefined;
    return textSet(urlsOnHosts(set.text));
  }

  /** The closed world: what it neither names nor frees is absent. */
  #coverOf(cover: Cover | undefined): Product | undefined {
    const name = cover?.text ?? '';
    if (!this.#covers.has(name)) this.#covers.set(name, this.#closed(cover));
    return this.#covers.get(name);
  }

  #closed(cover: Cover | undefined): Product | undefined {
    const product = new Map<string, ValueSet>();
    for (const { key, path, view, universe, leftOut } of this.shape.raw) {
      if (cover === undefined || view !== 'raw' || leftOut !== undefined) continue;
      const left = cover.leaves(path);
      if (left === everythingSet) continue;
      const within = limited(universe, this.#form(key, path.length > 1 ? spreadOut(left) : left));
      if (isEmpty(within)) return undefined;
      product.set(key, within);
    }
    return product;
  }

  /** What is inside an argument is there only where that is an object, or a list. */
  #settleNested(product: Product, outer: RawPosition, inner: RawPosition): Product | undefined {
    const whole = this.at(product, outer.key);
    const part = this.at(product, inner.key);
    let here = whole;
    let there = part;
    if (!whole.objects && whole.arrays.length === 0) there = and(there, missingSet);
    else if (whole.arrays.length === 0 && !outer.byElement) there = noSpreads(there);
    if (!part.missing) here = and(here, structures);
    return this.#kept(product, [outer.key, whole, here], [inner.key, part, there]);
  }

  /** The few values that an argument can have are the few that a kind sees of it. */
  #settleViews(product: Product, sent: RawPosition, seen: RawPosition): Product | undefined {
    const raw = this.at(product, sent.key);
    const view = this.at(product, seen.key);
    const few = scalars(noSpreads(raw), mostFollowed);
    if (few === undefined) {
      const [own, shown] = sent.byElement && seen.byElement ? alike(raw, view) : bothThere(raw, view);
      return this.#kept(product, [sent.key, raw, own], [seen.key, view, shown]);
    }
    const kept = this.#followed(few, seen).filter(
      ({ image }) => view.arrays.length > 0 || includes(view, scalarSet([image])),
    );
    const some = (list: readonly Scalar[]): ValueSet => {
      const all = everyElement(scalarSet(list));
      return raw.missing && view.missing ? or(all, missingSet) : all;
    };
    return this.#kept(
      product,
      [sent.key, raw, and(raw, some(kept.map(({ value }) => value)))],
      [seen.key, view, and(view, some(kept.map(({ image }) => image)))],
    );
  }

  /** Values as a kind sees them, part by part; those that it refuses are left out. */
  #followed(values: readonly Scalar[], { view }: RawPosition): readonly Followed[] {
    const found: Followed[] = [];
    for (const value of values) {
      const read = typeof value === 'string' ? splitText(view, value, this.shape.paths) : undefined;
      if (read === undefined) found.push({ value, image: value });
      else if (read.ok) found.push(...read.parts.map(({ text }) => ({ value, image: text })));
    }
    return found;
  }

  #kept(
    product: Product,
    ...changes: readonly (readonly [key: string, before: ValueSet, after: ValueSet])[]
  ): Product | undefined {
    let now = product;
    for (const [key, before, after] of changes) {
      if (after === before || includes(after, before)) continue;
      if (isEmpty(after)) return undefined;
      now = withSet(now, key, after);
    }
    return now;
  }
}

/** A view changes texts alone: everything else is in both or in none, and so are texts as such. */
function alike(raw: ValueSet, view: ValueSet): readonly [ValueSet, ValueSet] {
  return [and(raw, anyTextOf(view)), and(view, anyTextOf(raw))];
}

function bothThere(raw: ValueSet, view: ValueSet): readonly [ValueSet, ValueSet] {
  const both = raw.missing && view.missing;
  const drop = (set: ValueSet): ValueSet => (both || !set.missing ? set : and(set, presentOnly));
  return [drop(raw), drop(view)];
}

const presentOnly: ValueSet = Object.freeze({ ...everythingSet, missing: false });

/** The part of a set inside a position; the very set where that is all of it. */
function limited(universe: ValueSet, set: ValueSet): ValueSet {
  return includes(universe, set) ? set : and(universe, set);
}

function samePath(a: RawPosition, b: RawPosition): boolean {
  return a.path.length === b.path.length && b.path.every((name, at) => name === a.path[at]);
}

function isInside(inner: RawPosition, outer: RawPosition): boolean {
  return (
    inner.view === 'raw' &&
    inner.path.length > outer.path.length &&
    outer.path.every((name, at) => name === inner.path[at])
  );
}
