/** What follows from the links between nodes: possible types, conjuncts, and all that can speak about one value. */
import { isJsonObject } from '../ground/index.js';
import { type Flat, type SchemaNode, anyType, bitOf } from './schema-node.js';

/** Deepest nesting of allOf, anyOf, oneOf and $ref about one value. */
const deepestInPlace = 32;
/** Most schemas that may speak about one value, and most groups of alternatives among them. */
const mostTogether = 512;
const mostGroups = 32;

/** Completes the nodes; returns what is wrong, if anything. Work is linear in nodes × {@link mostTogether}. */
export function linkNodes(nodes: readonly SchemaNode[]): string | undefined {
  const linker = new Linker();
  for (const node of nodes) {
    const problem = linker.visit(node, 0);
    if (problem !== undefined) return problem;
  }
  for (const node of nodes) node.tags = tagsOf(node);
  return undefined;
}

class Linker {
  readonly #height = new Map<SchemaNode, number | 'open'>();

  visit(node: SchemaNode, depth: number): string | undefined {
    const known = this.#height.get(node);
    if (known === 'open') return 'a schema that is defined by itself';
    if (depth + (known ?? 0) > deepestInPlace) {
      return `more than ${deepestInPlace} levels of allOf, anyOf, oneOf and $ref`;
    }
    if (known !== undefined) return undefined;
    this.#height.set(node, 'open');
    let height = 0;
    for (const next of [...node.every, ...node.groups.flat()]) {
      const problem = this.visit(next, depth + 1);
      if (problem !== undefined) return problem;
      const below = this.#height.get(next);
      if (typeof below === 'number') height = Math.max(height, below + 1);
    }
    this.#height.set(node, height);
    return complete(node);
  }
}

/** Everything that the node leads to in place is complete already. */
function complete(node: SchemaNode): string | undefined {
  if (node.every.length === 0 && node.groups.length === 0) {
    node.mask = ownMask(node);
    return undefined;
  }
  node.flat = flatten([node, ...node.every.flatMap((one) => one.flat.conjuncts)], node.every);
  const alternatives = node.flat.groups.flatMap((group) => group.flatMap((one) => one.reach));
  node.reach = [...new Set([...node.flat.conjuncts, ...alternatives])];
  node.mask = maskTogether(node.flat);
  const tooMany = node.reach.length > mostTogether || node.flat.groups.length > mostGroups;
  return tooMany ? 'too many schemas about one value' : undefined;
}

function flatten(conjuncts: readonly SchemaNode[], every: readonly SchemaNode[]): Flat {
  const unique = [...new Set(conjuncts)];
  const own = unique[0]?.groups ?? [];
  return { conjuncts: unique, groups: [...new Set([...own, ...every.flatMap((one) => one.flat.groups)])] };
}

/** The conjuncts and groups of several schemas about one value. */
export function together(nodes: readonly SchemaNode[]): Flat {
  const only = nodes[0];
  if (nodes.length === 1 && only !== undefined) return only.flat;
  return {
    conjuncts: [...new Set(nodes.flatMap((node) => node.flat.conjuncts))],
    groups: [...new Set(nodes.flatMap((node) => node.flat.groups))],
  };
}

/** Types that a value can have under all of them. */
export function maskTogether(flat: Flat): number {
  let mask = anyType;
  for (const node of flat.conjuncts) mask &= ownMask(node);
  for (const group of flat.groups) mask &= group.reduce((bits, one) => bits | one.mask, 0);
  return mask;
}

function ownMask(node: SchemaNode): number {
  if (node.values === undefined) return node.types;
  return node.types & node.values.reduce<number>((bits, value) => bits | bitOf(value), 0);
}

function tagsOf(node: SchemaNode): SchemaNode['tags'] {
  const tags: [string, NonNullable<SchemaNode['values']>][] = [];
  for (const [key, property] of node.properties) {
    const values = property.flat.conjuncts.find((one) => one.values !== undefined)?.values;
    if (values?.every((value) => !isJsonObject(value) && !Array.isArray(value)) === true)
      tags.push([key, values]);
  }
  return tags;
}
