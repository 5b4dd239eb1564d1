/** presence: whether a value is there at all. */
import type { DocMap, DocScalar, Json } from '../../ground/index.js';
import { anyArrays } from './algebra.js';
import type { PresenceConstraint } from './constraint.js';
import { type CompileContext, type ReadContext, viewAt } from './context.js';
import type { Kind } from './kind.js';
import { anyLeaves } from './leaves.js';
import { type Meanings, inView } from './meaning.js';
import { problem } from './problems.js';

const words: readonly PresenceConstraint['word'][] = ['any', 'present', 'absent'];

/** The presence that a bare scalar names; in a list the words are literals. */
export function presenceWord(node: DocScalar): PresenceConstraint | undefined {
  const word = words.find((each) => each === node.value);
  return word === undefined ? undefined : { kind: 'presence', word };
}

function read(node: DocMap, ctx: ReadContext): undefined {
  return problem(ctx, node, { allowed: words.join(', '), message: 'presence has no long form' });
}

function toDocument(constraint: PresenceConstraint): Json {
  return constraint.word;
}

function meaning(constraint: PresenceConstraint, ctx: CompileContext): Meanings {
  const missing = constraint.word !== 'present';
  if (constraint.word === 'absent') return inView(viewAt(ctx.place), { missing });
  return inView(viewAt(ctx.place), { missing, leaves: anyLeaves, arrays: anyArrays });
}

/** The kind `presence`. */
export const presence: Kind<PresenceConstraint> = {
  name: 'presence',
  help: 'Short only: `any` (absent or any value), `present`, `absent`. As texts they are written in a list: `[any]`.',
  keys: {},
  onFields: true,
  read,
  toDocument,
  meaning,
};
