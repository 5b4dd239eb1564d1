/** What is left to decide about one value: conjuncts, groups of alternatives, and what they make of a name. */
import { type Json, isJsonObject, own } from '../ground/index.js';
import { type Flat, SchemaNode, bitOf, listHolds, nodesNamed } from './schema-node.js';

const nothing: readonly [] = [];

/** What is left to decide about one value: alternatives chosen so far are among the conjuncts. */
export interface Choice extends Flat {
  /** Groups that were decided: alternatives not chosen make their properties known, unless a chosen one forbids it. */
  readonly decided: readonly (readonly SchemaNode[])[];
  readonly sealed: boolean;
}

/** A cheap look that rules an alternative out by its types, values and tags. */
export function mayFit(one: SchemaNode, value: Json): boolean {
  if ((one.mask & bitOf(value)) === 0) return false;
  return one.flat.conjuncts.every((node) => nodeMayFit(node, value));
}

/** {@link mayFit} for one conjunct. */
export function nodeMayFit(node: SchemaNode, value: Json): boolean {
  if (node.values !== undefined && !listHolds(node.values, value)) return false;
  if (!isJsonObject(value)) return true;
  return node.tags.every(([key, values]) => {
    const tag = own(value, key);
    return tag === undefined || tag === null || values.includes(tag);
  });
}

/** The choice after one alternative of a group was taken; `rest` are the groups that are still to be decided. */
export function withAlternative(
  choice: Choice,
  rest: Flat['groups'],
  one: SchemaNode,
  group: readonly SchemaNode[],
): Choice {
  return {
    conjuncts: [...new Set([...choice.conjuncts, ...one.flat.conjuncts])],
    groups: [...rest, ...one.flat.groups],
    decided: [...choice.decided, group],
    sealed: choice.sealed || one.flat.conjuncts.some((node) => node.additional === false),
  };
}

/** All that holds for a member which some conjunct names; empty when none does. */
export function namedNodes(conjuncts: readonly SchemaNode[], key: string): readonly SchemaNode[] {
  const only = conjuncts[0];
  if (conjuncts.length === 1 && only?.patterns.length === 0) return only.properties.get(key)?.self ?? nothing;
  const named: SchemaNode[] = [];
  const spare: SchemaNode[] = [];
  for (const node of conjuncts) {
    const mine = nodesNamed(node, key);
    named.push(...mine);
    if (mine.length === 0 && node.additional instanceof SchemaNode) spare.push(node.additional);
  }
  return named.length === 0 ? named : [...named, ...spare];
}

/** Lists of schemas of which one must hold for a member that no conjunct names; empty when it is unknown. */
export function unnamed(choice: Choice, key: string): readonly (readonly SchemaNode[])[] | 'open' {
  if (choice.sealed && choice.conjuncts.some((node) => node.declares)) return nothing;
  const closed = choice.conjuncts.some((node) => node.additional === false);
  const spare = choice.conjuncts.map((node) => node.additional).filter((node) => node instanceof SchemaNode);
  if (!closed && spare.length > 0) return [spare];
  if (!closed && choice.conjuncts.some((node) => node.additional === true)) return 'open';
  const others = choice.decided.flatMap((group) => group.flatMap((one) => one.reach));
  const known = choice.sealed ? nothing : others.flatMap((node) => nodesNamed(node, key));
  if (known.length > 0) return known.map((node) => node.self);
  const declared = [...choice.conjuncts, ...others].some((node) => node.declares);
  return declared ? nothing : 'open';
}
