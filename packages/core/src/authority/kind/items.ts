/** items: an array, its length and its elements. */
import { type DocMap, type Json, entryOf } from '../../ground/index.js';
import { clause } from './algebra.js';
import type { ItemsConstraint } from './constraint.js';
import { type CompileContext, type Place, type ReadContext, viewAt } from './context.js';
import type { Kind, MeanInner, PrintInner, ReadInner } from './kind.js';
import { type Meanings, inView, liftElement } from './meaning.js';
import { countMember, inside, problem } from './problems.js';

function read(node: DocMap, ctx: ReadContext, inner: ReadInner): ItemsConstraint | undefined {
  const before = ctx.problems.length;
  const items = entryOf(node, 'items');
  const of = items === undefined ? undefined : inner(items.value, inside(ctx, 'items'));
  const minItems = countMember(ctx, node, 'minItems');
  const maxItems = countMember(ctx, node, 'maxItems');
  if (ctx.problems.length > before) return undefined;
  if (minItems !== undefined && maxItems !== undefined && minItems > maxItems) {
    return problem(ctx, node, {
      found: `minItems ${minItems}, maxItems ${maxItems}`,
      allowed: 'minItems not above maxItems',
      message: 'no array is so long and so short',
    });
  }
  return {
    kind: 'items',
    ...(of === undefined ? {} : { items: of }),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

function toDocument(constraint: ItemsConstraint, place: Place, inner: PrintInner): Json {
  const { kind: _kind, items: of, ...lengths } = constraint;
  return of === undefined ? lengths : { items: inner(of, place), ...lengths };
}

/**
 * Admitting: every element is inside. Refusing: some element is. Lengths hold in both. An alternative over several views is
 * taken view by view.
 */
function meaning(constraint: ItemsConstraint, ctx: CompileContext, inner: MeanInner): Meanings {
  const lengths = { min: constraint.minItems ?? 0, max: constraint.maxItems ?? Infinity };
  if (constraint.items === undefined) return inView(viewAt(ctx.place), { arrays: [clause(lengths)] });
  return inner(constraint.items, ctx).map((views) => {
    const lists = [...views].map(([view, each]) => {
      const element = liftElement({ ...each, missing: false }, ctx.polarity);
      const conditions = ctx.polarity === 'admit' ? { all: element } : { some: [element] };
      return inView(view, { arrays: [clause({ ...lengths, ...conditions })] });
    });
    return new Map(lists.flatMap((each) => each.flatMap((alternative) => [...alternative])));
  });
}

/** The kind `items`. */
export const items: Kind<ItemsConstraint> = {
  name: 'items',
  help: 'An array. Any other constraint on an array holds for every element.',
  keys: {
    items: { help: 'A constraint that every element meets; in deny and ask, that some element meets.' },
    minItems: { help: 'At least so many elements.' },
    maxItems: { help: 'At most so many.' },
  },
  onFields: false,
  read,
  toDocument,
  meaning,
};
