/** optional: absent, or what the constraint inside admits. */
import type { DocMap, Json } from '../../ground/index.js';
import type { OptionalConstraint } from './constraint.js';
import type { CompileContext, Place, ReadContext } from './context.js';
import type { Kind, MeanInner, PrintInner, ReadInner } from './kind.js';
import { type Meanings, orMissing } from './meaning.js';
import { inside, needed } from './problems.js';

function read(node: DocMap, ctx: ReadContext, inner: ReadInner): OptionalConstraint | undefined {
  const entry = needed(ctx, node, 'optional');
  const of = entry === undefined ? undefined : inner(entry.value, inside(ctx, 'optional'));
  return of === undefined ? undefined : { kind: 'optional', of };
}

function toDocument(constraint: OptionalConstraint, place: Place, inner: PrintInner): Json {
  return { optional: inner(constraint.of, place) };
}

function meaning(constraint: OptionalConstraint, ctx: CompileContext, inner: MeanInner): Meanings {
  return orMissing(inner(constraint.of, ctx));
}

/** The kind `optional`. */
export const optional: Kind<OptionalConstraint> = {
  name: 'optional',
  help: 'Absent, or what is inside.',
  keys: {
    optional: { help: 'A constraint.' },
  },
  onFields: true,
  read,
  toDocument,
  meaning,
};
