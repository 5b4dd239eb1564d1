/** single: bound to exactly one value; alone, in a ceiling, one value that is still to be bound. */
import { type DocMap, type DocScalar, type Json, entryOf, isJsonArray } from '../../ground/index.js';
import { anyArrays } from './algebra.js';
import type { Constraint, SingleConstraint } from './constraint.js';
import { type CompileContext, type Place, type ReadContext, viewAt } from './context.js';
import { scalars } from './examples.js';
import type { Kind, MeanInner, PrintInner, ReadInner } from './kind.js';
import { anyLeaves, noLeaves } from './leaves.js';
import { type Meanings, inView, lift } from './meaning.js';
import { finding, inside, problem } from './problems.js';

const word = 'single';

/** What the bare word means: in a ceiling the constraint that is not bound yet, elsewhere (undefined) a literal. */
export function unboundWord(ctx: ReadContext, node: DocScalar): SingleConstraint | undefined {
  if (node.value !== word) return undefined;
  if (ctx.mayBeUnbound === true) return { kind: 'single' };
  finding(ctx, node, 'single alone has its own meaning in a ceiling only; here it is a literal');
  return undefined;
}

/** Whether the constraint waits for a narrowing to bind it; until then it admits nothing. */
export function isUnbound(constraint: Constraint): boolean {
  return constraint.kind === 'single' && constraint.of === undefined;
}

/** Whether the meaning, made where nothing folds, is one value and the lists of it. */
export function isOneValue(of: Meanings): boolean {
  const [views, ...others] = of;
  const [only, ...more] = views?.values() ?? [];
  if (only === undefined || more.length > 0 || others.length > 0 || only.missing) return false;
  return scalars(lift(only, 'admit'), 1)?.length === 1;
}

function read(node: DocMap, outer: ReadContext, inner: ReadInner): SingleConstraint | undefined {
  const ctx = inside(outer, word);
  const value = entryOf(node, word)?.value ?? node;
  if (value.kind !== 'scalar') {
    return problem(ctx, value, { allowed: 'one value', message: 'single is bound to one value' });
  }
  const of = inner({ kind: 'list', at: value.at, items: [value] }, ctx);
  return of === undefined ? undefined : { kind: 'single', of };
}

function toDocument(constraint: SingleConstraint, place: Place, inner: PrintInner): Json {
  if (constraint.of === undefined) return word;
  const list = inner(constraint.of, place);
  const [value = null] = isJsonArray(list) ? list : [list];
  return { single: value };
}

/** Not bound: nothing when it admits, and everything when it refuses. */
function meaning(constraint: SingleConstraint, ctx: CompileContext, inner: MeanInner): Meanings {
  if (constraint.of !== undefined) return inner(constraint.of, ctx);
  if (ctx.polarity === 'admit') return inView(viewAt(ctx.place), { leaves: noLeaves });
  return inView(viewAt(ctx.place), { leaves: anyLeaves, arrays: anyArrays });
}

/** The kind `single`. */
export const single: Kind<SingleConstraint> = {
  name: word,
  help: 'Bound to exactly one value. Short, in a ceiling: `single`, one value that a narrowing has to bind; unbound it refuses.',
  keys: {
    single: { help: 'The value.' },
  },
  onFields: true,
  read,
  toDocument,
  meaning,
};
