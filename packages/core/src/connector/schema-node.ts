/** A tool's input schema as linked nodes: what JSON Schema says about types, values and names, and nothing else. */
import type { Json } from '../ground/index.js';

/** Types as bits; an integral number is {@link bit.integer}, every other one {@link bit.fraction}. */
export const bit = {
  null: 1,
  boolean: 2,
  integer: 4,
  fraction: 8,
  string: 16,
  array: 32,
  object: 64,
} as const;
/** Every type. */
export const anyType = 127;

/** The bit of a value's type. */
export function bitOf(value: Json): number {
  if (value === null) return bit.null;
  if (typeof value === 'string') return bit.string;
  if (typeof value === 'number') return Number.isInteger(value) ? bit.integer : bit.fraction;
  if (typeof value === 'boolean') return bit.boolean;
  return Array.isArray(value) ? bit.array : bit.object;
}

/** Conjuncts that hold together, and groups of alternatives of which one must hold in each. */
export interface Flat {
  readonly conjuncts: readonly SchemaNode[];
  readonly groups: readonly (readonly SchemaNode[])[];
}

/** A property pattern. */
export interface NamePattern {
  readonly matches: (key: string) => boolean;
  readonly node: SchemaNode;
}

/** One schema. Filled by the compiler, never changed after; may be reached from itself through properties and items. */
export class SchemaNode {
  /** Types of the own `type` and `nullable`. */
  types: number = anyType;
  /** Values of the own `enum` and `const`. */
  values: readonly Json[] | undefined = undefined;
  properties: ReadonlyMap<string, SchemaNode> = new Map();
  patterns: readonly NamePattern[] = [];
  /** The own `additionalProperties`; undefined when it is not said. */
  additional: SchemaNode | boolean | undefined = undefined;
  /** Whether the schema names properties, or says that there are no others. */
  declares = false;
  required: ReadonlySet<string> = new Set();
  prefix: readonly SchemaNode[] = [];
  items: SchemaNode | undefined = undefined;
  /** `allOf` and `$ref`: they hold for the same value. */
  every: readonly SchemaNode[] = [];
  /** `anyOf` and `oneOf`: in each, one holds for the same value. */
  groups: readonly (readonly SchemaNode[])[] = [];
  fallback: Json | undefined = undefined;

  /** Types that a value can have after all that holds for it. */
  mask: number = anyType;
  /** This node and what `every` leads to. */
  flat: Flat;
  /** All nodes that can speak about the same value: {@link flat} and every alternative. */
  reach: readonly SchemaNode[];
  /** Properties whose value is from a list: what tells alternatives apart. */
  tags: readonly (readonly [key: string, values: readonly Json[]])[] = [];
  /** The list of this node alone. */
  readonly self: readonly SchemaNode[];

  constructor() {
    this.self = [this];
    this.flat = { conjuncts: this.self, groups: [] };
    this.reach = this.self;
  }
}

/** Whether two JSON values are the same value; the order of members does not count. */
export function jsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((item, index) => jsonEqual(item, b[index] ?? null));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key] ?? null, b[key] ?? null));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether the list holds the value. */
export function holdsValue(values: readonly Json[], value: Json): boolean {
  if (value === null || typeof value !== 'object') return values.includes(value);
  return values.some((candidate) => jsonEqual(candidate, value));
}

const scalarsOf = new WeakMap<readonly Json[], ReadonlySet<Json>>();

/** {@link holdsValue} for a list that never changes: scalars are looked up. */
export function listHolds(values: readonly Json[], value: Json): boolean {
  if (typeof value === 'object' && value !== null) return holdsValue(values, value);
  let scalars = scalarsOf.get(values);
  if (scalars === undefined) {
    scalars = new Set(values);
    scalarsOf.set(values, scalars);
  }
  return scalars.has(value);
}

/** The schemas that a node gives a member by its name: its property and every pattern that matches. */
export function nodesNamed(node: SchemaNode, key: string): readonly SchemaNode[] {
  const property = node.properties.get(key);
  if (node.patterns.length === 0) return property === undefined ? [] : property.self;
  const matching = node.patterns.filter((pattern) => pattern.matches(key)).map((pattern) => pattern.node);
  return property === undefined ? matching : [property, ...matching];
}
