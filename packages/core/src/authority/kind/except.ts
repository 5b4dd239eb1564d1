/** except: outside a constraint, whose patterns stand in the opposite position. */
import { type DocMap, type Json, entryOf } from '../../ground/index.js';
import type { ExceptConstraint } from './constraint.js';
import type { CompileContext, Place, ReadContext } from './context.js';
import type { Kind, MeanInner, PrintInner, ReadInner } from './kind.js';
import { type Meanings, allOf, outside } from './meaning.js';
import { flipped, inside, needed } from './problems.js';
import { viewTexts } from './views.js';

function read(node: DocMap, ctx: ReadContext, inner: ReadInner): ExceptConstraint | undefined {
  const entry = needed(ctx, node, 'except');
  const within = entryOf(node, 'in');
  const outer = within === undefined ? undefined : inner(within.value, inside(ctx, 'in'));
  if (entry === undefined) return undefined;
  const excepted = inner(entry.value, { ...inside(ctx, 'except'), polarity: flipped(ctx.polarity) });
  if (excepted === undefined || (within !== undefined && outer === undefined)) return undefined;
  return outer === undefined
    ? { kind: 'except', except: excepted }
    : { kind: 'except', in: outer, except: excepted };
}

function toDocument(constraint: ExceptConstraint, place: Place, inner: PrintInner): Json {
  const except = inner(constraint.except, place);
  return constraint.in === undefined ? { except } : { in: inner(constraint.in, place), except };
}

function meaning(constraint: ExceptConstraint, ctx: CompileContext, inner: MeanInner): Meanings {
  const excepted = inner(constraint.except, { ...ctx, polarity: flipped(ctx.polarity) });
  const rest = outside(
    excepted,
    ctx.polarity,
    (view) => viewTexts(view, ctx.path.platform),
    constraint.in !== undefined,
  );
  return constraint.in === undefined ? rest : allOf([inner(constraint.in, ctx), rest], ctx.polarity);
}

/** The kind `except`. */
export const except: Kind<ExceptConstraint> = {
  name: 'except',
  help: 'A value that is present and outside a constraint.',
  keys: {
    in: { help: 'Within this constraint.' },
    except: { help: 'Outside this one. Required.' },
  },
  onFields: true,
  read,
  toDocument,
  meaning,
};
