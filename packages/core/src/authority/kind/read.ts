/** Reading a constraint out of a document (POLICY section 4). */
import type { DocEntry, DocList, DocMap, DocNode, DocScalar } from '../../ground/index.js';
import { TooManyStates } from '../automaton/index.js';
import type { Constraint, KindName } from './constraint.js';
import type { ReadContext } from './context.js';
import { unsatisfiable } from './meaning.js';
import { presenceWord } from './presence.js';
import { inside, problem } from './problems.js';
import { referenceKeys, resolveReference } from './reference.js';
import { kinds, meaningOf, readShort } from './registry.js';
import { isOneValue, unboundWord } from './single.js';

/**
 * Reads the constraint that the node states at the context's place and polarity; undefined: problems were pushed. A
 * constraint that nothing meets, or whose automaton would be too large, is a problem too.
 */
export function readConstraint(node: DocNode, ctx: ReadContext): Constraint | undefined {
  if (node.kind === 'scalar')
    return presenceWord(node) ?? unboundWord(ctx, node) ?? shortForm(ctx, node, [node]);
  const within = { ...ctx, mayBeUnbound: false };
  return checked(node.kind === 'list' ? readList(node, within) : readMap(node, within), node, ctx);
}

/** Scalars at their place: exact values of a raw argument, patterns of the field's kind. */
function shortForm(
  ctx: ReadContext,
  node: DocScalar | DocList,
  list: readonly DocScalar[],
): Constraint | undefined {
  if (ctx.place === 'command') {
    const message = 'a command has no short form';
    return problem(ctx, node, { allowed: `any, or a mapping of ${allowedKeys(ctx)}`, message });
  }
  return checked(readShort(ctx, node, list), node, ctx);
}

function checked(
  constraint: Constraint | undefined,
  node: DocNode,
  ctx: ReadContext,
): Constraint | undefined {
  if (constraint === undefined || constraint.kind === 'presence') return constraint;
  try {
    if (unsatisfiable(meaningOf(constraint, ctx))) {
      return problem(ctx, node, {
        allowed: 'a constraint that some value meets',
        message: 'no value meets this constraint',
      });
    }
    if (constraint.kind !== 'single' || isOneValue(meaningOf(constraint, plain(ctx)))) return constraint;
    return problem(ctx, node, { allowed: 'one value', message: 'single is bound to one value' });
  } catch (error) {
    if (!(error instanceof TooManyStates)) throw error;
    return problem(ctx, node, { allowed: 'a simpler pattern', message: error.message });
  }
}

/** The context in which nothing folds. */
function plain(ctx: ReadContext): ReadContext {
  return { ...ctx, polarity: 'admit', path: { ...ctx.path, case: 'sensitive' } };
}

function readList(node: DocList, ctx: ReadContext): Constraint | undefined {
  const scalars = node.items.filter((item) => item.kind === 'scalar');
  if (scalars.length === node.items.length) return shortForm(ctx, node, scalars);
  const maps = node.items.filter((item) => item.kind === 'map');
  if (maps.length < node.items.length) return mixed(ctx, node);
  const parts = maps.map((item, i) => readConstraint(item, inside(ctx, i)));
  const good = parts.filter((part) => part !== undefined);
  const [first] = good;
  if (first === undefined || good.length < parts.length) return undefined;
  if (good.some((part) => part.kind !== first.kind)) return mixed(ctx, node);
  return good.length === 1 ? first : { kind: 'either', of: Object.freeze(good) };
}

function mixed(ctx: ReadContext, node: DocNode): undefined {
  return problem(ctx, node, {
    found: 'a list that mixes kinds',
    allowed: 'scalars, or constraints of one kind; { either: [ … ] } mixes kinds',
    message: 'a list holds one kind of constraint; use either to mix kinds',
  });
}

function readMap(node: DocMap, ctx: ReadContext): Constraint | undefined {
  const [first] = node.entries;
  if (first === undefined) {
    return problem(ctx, node, { allowed: allowedKeys(ctx), message: 'an empty mapping constrains nothing' });
  }
  const reference = node.entries.find((entry) => Object.hasOwn(referenceKeys, entry.key));
  if (reference !== undefined) return readReference(reference, node, ctx);
  const owners = node.entries.map((entry) => ownerOf(entry, ctx));
  const [owner] = owners;
  if (owner === undefined || owners.includes(undefined)) return undefined;
  const names = [...new Set(owners.map((each) => each?.name))];
  if (names.length === 1) return owner.read(node, ctx, readConstraint);
  return problem(ctx, node, {
    found: `keys of ${names.join(' and ')}`,
    allowed: 'keys of one kind; { all: [ … ] } joins kinds',
    message: `one constraint mixes ${names.join(' and ')}; use all to join kinds`,
  });
}

function readReference(entry: DocEntry, node: DocMap, ctx: ReadContext): Constraint | undefined {
  const scalars = resolveReference(entry, node, ctx);
  if (scalars === undefined) return undefined;
  return shortForm(inside(ctx, entry.key), { kind: 'list', at: entry.value.at, items: scalars }, scalars);
}

type Owner = (typeof kinds)[number];

/** The kind that a key belongs to; undefined, with a problem: none that may stand here. */
function ownerOf(entry: DocEntry, ctx: ReadContext): Owner | undefined {
  const owner = kinds.find((kind) => Object.hasOwn(kind.keys, entry.key));
  if (owner !== undefined && (owner.onFields || ctx.place === 'raw' || longAt(ctx, owner))) return owner;
  const at: DocNode = { kind: 'scalar', at: entry.keyAt, value: entry.key };
  const message =
    owner === undefined
      ? `unknown key ${entry.key}`
      : `${entry.key} has no place on a field: write the ${ctx.place} alone`;
  return problem(ctx, at, { allowed: allowedKeys(ctx), message });
}

/** Whether the place is of a kind that has a long form only. */
function longAt(ctx: ReadContext, kind: Owner): boolean {
  return kind.name === ctx.place && kind.short === undefined;
}

/** Whether the node states a constraint of this kind, at any depth of combinations. Looks at keys only. */
export function namesKind(node: DocNode, name: KindName): boolean {
  if (node.kind === 'list') return node.items.some((item) => namesKind(item, name));
  if (node.kind === 'scalar') return false;
  const own = kinds.find((kind) => kind.name === name)?.keys ?? {};
  return node.entries.some(({ key, value }) => Object.hasOwn(own, key) || namesKind(value, name));
}

function allowedKeys(ctx: ReadContext): string {
  const here = kinds.filter((kind) => kind.onFields || ctx.place === 'raw' || longAt(ctx, kind));
  return [...here.flatMap((kind) => Object.keys(kind.keys)), ...Object.keys(referenceKeys)].join(', ');
}
