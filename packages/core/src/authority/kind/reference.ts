/** References: `{ set: name }` and `{ fact: name.key }` stand for a list of scalars that is written elsewhere. */
import {
  type DocEntry,
  type DocMap,
  type DocScalar,
  type Json,
  isJsonArray,
  isJsonObject,
  own,
} from '../../ground/index.js';
import type { ReadContext } from './context.js';
import { inside, problem } from './problems.js';
import type { Scalar } from './value.js';

/** Keys of references. */
export const referenceKeys = {
  set: { help: 'The values of a set of the document, by its name.' },
  fact: { help: 'The values of a fact, as `NAME.KEY`: a scalar or a list of scalars in its file.' },
} as const;

/** The scalars that the reference stands for, as nodes at its place; undefined, with a problem. */
export function resolveReference(
  entry: DocEntry,
  node: DocMap,
  outer: ReadContext,
): readonly DocScalar[] | undefined {
  const ctx = inside(outer, entry.key);
  if (node.entries.length > 1) {
    return problem(outer, node, {
      allowed: `{ ${entry.key}: … } alone`,
      message: `${entry.key} has no other key beside it`,
    });
  }
  const { value } = entry;
  if (value.kind !== 'scalar' || typeof value.value !== 'string') {
    return problem(ctx, value, { allowed: 'a name', message: `${entry.key} takes a name` });
  }
  const found = entry.key === 'set' ? setOf(ctx, value, value.value) : factOf(ctx, value, value.value);
  return found?.map((scalar) => ({ kind: 'scalar', at: value.at, value: scalar }));
}

function setOf(ctx: ReadContext, node: DocScalar, name: string): readonly Scalar[] | undefined {
  const found = ctx.sets.get(name);
  if (found !== undefined && found.length > 0) return found;
  const message = found === undefined ? `there is no set ${name}` : `the set ${name} is empty`;
  return problem(ctx, node, { allowed: names([...ctx.sets.keys()], 'set'), message });
}

function factOf(ctx: ReadContext, node: DocScalar, reference: string): readonly Scalar[] | undefined {
  const cut = reference.indexOf('.');
  const name = cut < 0 ? reference : reference.slice(0, cut);
  const fact = ctx.facts.get(name);
  if (cut < 0 || fact === undefined) {
    const message = cut < 0 ? 'a fact is named as name.key' : `there is no fact ${name}`;
    return problem(ctx, node, {
      allowed: names(
        [...ctx.facts.keys()].map((each) => `${each}.…`),
        'fact',
      ),
      message,
    });
  }
  const key = reference.slice(cut + 1);
  const value = isJsonObject(fact) ? own(fact, key) : undefined;
  const list = scalarList(value);
  if (list !== undefined) return list;
  const keys = isJsonObject(fact) ? Object.keys(fact).map((each) => `${name}.${each}`) : [];
  const message =
    value === undefined ? `the fact ${name} has no ${key}` : `${reference} is no list of scalars`;
  return problem(ctx, node, { allowed: `a list of scalars: ${names(keys, 'key')}`, message });
}

/** A scalar other than null, or a list with scalars only, at least one. */
function scalarList(value: Json | undefined): readonly Scalar[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items = isJsonArray(value) ? value : [value];
  const scalars = items.filter(isScalar);
  return scalars.length === items.length && items.length > 0 ? scalars : undefined;
}

function isScalar(value: Json): value is Scalar {
  return typeof value !== 'object' || value === null;
}

const maxNamed = 20;

function names(list: readonly string[], what: string): string {
  if (list.length === 0) return `no ${what} is declared`;
  const shown = list.slice(0, maxNamed).join(', ');
  return list.length > maxNamed ? `${shown}, …` : shown;
}
