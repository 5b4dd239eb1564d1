/** number: a number within bounds. */
import { type DocMap, type Json, entryOf } from '../../ground/index.js';
import type { NumberConstraint } from './constraint.js';
import { type CompileContext, type ReadContext, viewAt } from './context.js';
import type { Kind } from './kind.js';
import { numberLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { interval } from './number-set.js';
import { inside, numberMember, problem } from './problems.js';

const bounds = ['min', 'max', 'above', 'below'] as const;

function read(node: DocMap, ctx: ReadContext): NumberConstraint | undefined {
  const before = ctx.problems.length;
  const found: { -readonly [K in (typeof bounds)[number]]?: number } & { integer?: boolean } = {};
  for (const key of bounds) {
    const value = numberMember(ctx, node, key);
    if (value !== undefined) found[key] = value + 0;
  }
  const integer = entryOf(node, 'integer')?.value;
  if (integer !== undefined) {
    if (integer.kind === 'scalar' && integer.value === true) found.integer = true;
    else
      problem(inside(ctx, 'integer'), integer, { allowed: 'true', message: 'integer is true or not given' });
  }
  return ctx.problems.length > before ? undefined : { kind: 'number', ...found };
}

function toDocument(constraint: NumberConstraint): Json {
  const { kind: _kind, ...members } = constraint;
  return members;
}

function meaning(constraint: NumberConstraint, ctx: CompileContext): Meanings {
  return scalarsIn(viewAt(ctx.place), numberLeaves(interval(constraint)));
}

/** The kind `number`. */
export const number: Kind<NumberConstraint> = {
  name: 'number',
  help: 'A number within bounds.',
  keys: {
    min: { help: 'At least.' },
    max: { help: 'At most.' },
    above: { help: 'More than.' },
    below: { help: 'Less than.' },
    integer: { help: '`true`: a whole number.' },
  },
  onFields: false,
  read,
  toDocument,
  meaning,
};
