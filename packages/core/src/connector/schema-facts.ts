/** What a compiled schema says about a place in the arguments, without any arguments at hand. */
import type { Json } from '../ground/index.js';
import { SchemaNode, bit, bitOf, holdsValue, jsonEqual, nodesNamed } from './schema-node.js';

/** Longest path and most paths that {@link leafPaths} lists. */
const longestPath = 16;
const mostPaths = 4096;

/** A place: the schemas of which one holds there, how far it is named, and whether it may be left out. */
export interface SchemaPlace {
  readonly known: 'yes' | 'no' | 'open';
  readonly nodes: readonly SchemaNode[];
  /** Anything else may stand there too: under some alternative the schema says nothing of it. */
  readonly unsaid: boolean;
  readonly optional: boolean;
}

/** The place of a path of member names; a step into an array means its elements. */
export function placeAt(root: SchemaNode, path: readonly string[]): SchemaPlace {
  let place: SchemaPlace = { known: 'yes', nodes: [root], unsaid: false, optional: false };
  for (const key of path) {
    const next = step(withElements(place.nodes), key, place.unsaid);
    place = {
      nodes: next.nodes,
      unsaid: next.unsaid,
      known: next.known === 'yes' ? place.known : next.known,
      optional: place.optional || next.optional,
    };
    if (place.known === 'no') return place;
  }
  return place;
}

/** Whether an object that holds the last member of a path has to hold it. */
export function isRequiredAt(root: SchemaNode, path: readonly string[]): boolean {
  const [key, ...inner] = path.toReversed();
  if (key === undefined) return false;
  const { nodes, unsaid } = placeAt(root, inner.toReversed());
  return !step(withElements(nodes), key, unsaid).optional;
}

/** The schemas of the elements of arrays at this place. */
export function elementNodes(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const found = new Set<SchemaNode>();
  for (const node of nodes) {
    if ((node.mask & bit.array) === 0) continue;
    for (const { prefix, items } of node.reach) {
      for (const one of prefix) found.add(one);
      if (items !== undefined) found.add(items);
    }
  }
  return [...found];
}

function withElements(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const all = new Set(nodes);
  for (const node of all) for (const element of elementNodes([node])) all.add(element);
  return [...all];
}

/** An array may stand here and the schema says nothing of some of its elements. */
function hasUnsaidElements(node: SchemaNode): boolean {
  return (node.mask & bit.array) !== 0 && node.reach.every((one) => one.items === undefined);
}

function step(nodes: readonly SchemaNode[], key: string, unsaid: boolean): SchemaPlace {
  const steps = nodes.filter((node) => (node.mask & bit.object) !== 0).map((node) => stepOf(node, key));
  const known = steps.filter((one) => one.known === 'yes');
  if (known.length > 0) return merge(known, 'yes', unsaid);
  const open = steps.filter((one) => one.known === 'open');
  if (open.length > 0) return merge(open, 'open', unsaid);
  const anything = unsaid || nodes.some(hasUnsaidElements);
  return { known: anything ? 'open' : 'no', nodes: [], unsaid: anything, optional: true };
}

function merge(places: readonly SchemaPlace[], known: 'yes' | 'open', unsaid: boolean): SchemaPlace {
  return {
    known,
    nodes: [...new Set(places.flatMap((place) => place.nodes))],
    unsaid: unsaid || places.some((place) => place.unsaid),
    optional: unsaid || places.some((place) => place.optional),
  };
}

function stepOf(node: SchemaNode, key: string): SchemaPlace {
  const common = node.flat.conjuncts;
  const named = node.reach.flatMap((one) => nodesNamed(one, key));
  const closed = common.some((one) => one.additional === false);
  const silent = node.reach.filter((one) => nodesNamed(one, key).length === 0);
  const spare = silent.map((one) => one.additional).filter((one) => one instanceof SchemaNode);
  const open = silent.some((one) => one.additional === true);
  if (named.length > 0) {
    // Where only some alternatives name the member, it is under another one whatever unnamed members may be.
    const alone = closed || common.some((one) => nodesNamed(one, key).length > 0);
    const nodes = alone ? named : [...named, ...spare];
    const optional = !common.some((one) => one.required.has(key));
    return { known: 'yes', nodes, unsaid: !alone && open, optional };
  }
  if (closed) return { known: 'no', nodes: [], unsaid: false, optional: true };
  const unsaid = open || !node.reach.some((one) => one.declares);
  return { known: unsaid || spare.length > 0 ? 'open' : 'no', nodes: spare, unsaid, optional: true };
}

/** The only values that a schema accepts, or undefined when it does not list them. */
export function listedValues(node: SchemaNode): readonly Json[] | undefined {
  const lists: (readonly Json[])[] = [];
  for (const { values } of node.flat.conjuncts) if (values !== undefined) lists.push(values);
  for (const group of node.flat.groups) {
    const alternatives = group.filter((one) => one.mask !== 0).map(listedValues);
    if (alternatives.every((list) => list !== undefined)) lists.push(distinct(alternatives.flat()));
  }
  const [first, ...more] = lists;
  if (first === undefined) return node.mask === bit.null ? [null] : undefined;
  const accepted = first.filter((value) => (node.mask & bitOf(value)) !== 0);
  return accepted.filter((value) => more.every((list) => holdsValue(list, value)));
}

/** The values that one of the schemas lists, when every one lists its own. */
export function listedByAny(nodes: readonly SchemaNode[]): readonly Json[] | undefined {
  const lists = nodes.map(listedValues);
  if (lists.length === 0 || !lists.every((list) => list !== undefined)) return undefined;
  return distinct(lists.flat());
}

function distinct(values: readonly Json[]): readonly Json[] {
  const seen = new Set<Json>();
  const structures: Json[] = [];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) seen.add(value);
    else if (!holdsValue(structures, value)) {
      structures.push(value);
      seen.add(value);
    }
  }
  return [...seen];
}

/** The default of a place; undefined also when its schemas state different ones. */
export function fallbackOf(nodes: readonly SchemaNode[]): Json | undefined {
  const stated: Json[] = [];
  for (const node of nodes) {
    for (const { fallback } of node.flat.conjuncts) if (fallback !== undefined) stated.push(fallback);
  }
  const [first] = stated;
  if (first === undefined) return undefined;
  return stated.every((one) => jsonEqual(one, first)) ? first : undefined;
}

/** Paths of all named leaves; where the schema meets itself again, the path ends. */
export function leafPaths(root: SchemaNode): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const walk = (
    nodes: readonly SchemaNode[],
    path: readonly string[],
    above: ReadonlySet<SchemaNode>,
  ): void => {
    const held = withElements(nodes);
    const keys = new Set(held.flatMap((node) => node.reach.flatMap((one) => [...one.properties.keys()])));
    const again = nodes.some((node) => above.has(node));
    if (keys.size === 0 || again || path.length >= longestPath) {
      if (path.length > 0) paths.push(path);
      return;
    }
    const below = new Set([...above, ...held]);
    for (const key of keys) {
      if (paths.length >= mostPaths) return;
      walk(
        held.flatMap((node) => node.reach.flatMap((one) => one.properties.get(key) ?? [])),
        [...path, key],
        below,
      );
    }
  };
  walk([root], [], new Set());
  return paths;
}
