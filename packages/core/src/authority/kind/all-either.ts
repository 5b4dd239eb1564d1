/** all and either: every part, or some part, holds. */
import type { DocMap, DocNode, Json } from '../../ground/index.js';
import type { AllConstraint, Constraint, EitherConstraint } from './constraint.js';
import type { CompileContext, Place, ReadContext } from './context.js';
import type { Kind, MeanInner, PrintInner, ReadInner } from './kind.js';
import { type Meanings, allOf, anyOf } from './meaning.js';
import { inside, needed, problem } from './problems.js';

/** Reads every item of a list; undefined, with problems: no list, an empty one, or an item that is no constraint. */
function readParts(node: DocNode, ctx: ReadContext, inner: ReadInner): readonly Constraint[] | undefined {
  if (node.kind !== 'list' || node.items.length === 0) {
    return problem(ctx, node, {
      allowed: 'a list of constraints',
      message: 'a list of at least one constraint stands here',
    });
  }
  const parts = node.items.map((item, i) => inner(item, inside(ctx, i)));
  const good = parts.filter((part) => part !== undefined);
  return good.length < parts.length ? undefined : Object.freeze(good);
}

function parts(
  node: DocMap,
  ctx: ReadContext,
  inner: ReadInner,
  key: 'all' | 'either',
): readonly Constraint[] | undefined {
  const entry = needed(ctx, node, key);
  return entry === undefined ? undefined : readParts(entry.value, inside(ctx, key), inner);
}

function printed(of: readonly Constraint[], place: Place, inner: PrintInner): Json {
  return of.map((part) => inner(part, place));
}

/** The kind `all`. */
export const all: Kind<AllConstraint> = {
  name: 'all',
  help: 'Meets every part.',
  keys: { all: { help: 'A list of constraints.' } },
  onFields: true,
  read(node: DocMap, ctx: ReadContext, inner: ReadInner): AllConstraint | undefined {
    const of = parts(node, ctx, inner, 'all');
    return of === undefined ? undefined : { kind: 'all', of };
  },
  toDocument: (constraint: AllConstraint, place: Place, inner: PrintInner): Json => ({
    all: printed(constraint.of, place, inner),
  }),
  meaning(constraint: AllConstraint, ctx: CompileContext, inner: MeanInner): Meanings {
    return allOf(
      constraint.of.map((part) => inner(part, ctx)),
      ctx.polarity,
    );
  },
};

/** The kind `either`. */
export const either: Kind<EitherConstraint> = {
  name: 'either',
  help: 'Meets some part. A list of constraints of one kind means the same.',
  keys: { either: { help: 'A list of constraints, of any kinds.' } },
  onFields: true,
  read(node: DocMap, ctx: ReadContext, inner: ReadInner): EitherConstraint | undefined {
    const of = parts(node, ctx, inner, 'either');
    return of === undefined ? undefined : { kind: 'either', of };
  },
  toDocument: (constraint: EitherConstraint, place: Place, inner: PrintInner): Json => ({
    either: printed(constraint.of, place, inner),
  }),
  meaning(constraint: EitherConstraint, ctx: CompileContext, inner: MeanInner): Meanings {
    return anyOf(constraint.of.map((part) => inner(part, ctx)));
  },
};
