/** From a constraint to the sets of values that it admits. */
import { clause, everythingSet, nothingSet, valueSet } from './algebra.js';
import type { Constraint } from './constraint.js';
import { type CompileContext, type ViewName, viewAt } from './context.js';
import { lift } from './meaning.js';
import { remembering } from './memo.js';
import { meaningOf } from './registry.js';
import { isUnbound } from './single.js';
import type { Leaves, ValueSet } from './set-types.js';

/** A conjunction: the value, in each of these views, is in the set. */
export type Alternative = ReadonlyMap<ViewName, ValueSet>;

/**
 * The values that meet the constraint, as a disjunction of alternatives; nearly always one, in one view. Lists are lifted:
 * admitting, every element meets it; refusing, some element does. Exact within one view; where alternatives or views are
 * joined, a list must meet one of them with all its elements (admitting) and may meet them with different ones (refusing):
 * the less is admitted. A single that is not bound admits nothing at all. Throws TooManyStates, never for a constraint that was read under the same context.
 */
export function compileConstraint(constraint: Constraint, ctx: CompileContext): readonly Alternative[] {
  return compiled(keyOf(constraint, ctx), () => compile(constraint, ctx));
}

/** What was compiled: rules that a new document repeats have the very sets that they had, and so the same fingerprints. */
const compiled = remembering<readonly Alternative[]>(16_384);

/** Constraints are plain data, and these are all parts of the context that a meaning looks at. */
function keyOf(constraint: Constraint, { place, polarity, pathNamed, path }: CompileContext): string {
  const { root, home, case: folding, platform } = path;
  return JSON.stringify([constraint, place, polarity, pathNamed, root, home, folding, platform], written);
}

/** JSON has no infinities. */
function written(_key: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? String(value) : value;
}

function compile(constraint: Constraint, ctx: CompileContext): readonly Alternative[] {
  if (isUnbound(constraint)) {
    return [new Map([[viewAt(ctx.place), ctx.polarity === 'admit' ? nothingSet : everythingSet]])];
  }
  return meaningOf(constraint, ctx).map(
    (views) => new Map([...views].map(([view, meaning]) => [view, lift(meaning, ctx.polarity)])),
  );
}

/** The leaves themselves, and lists and spreads all of whose leaves are among them. */
export function everyElement(leaves: Leaves): ValueSet {
  const element = valueSet({ ...onlyLeaves(leaves), arrays: [clause({ leaves: onlyLeaves(leaves) })] });
  return valueSet({ ...element, spreads: [clause({ all: element })] });
}

/** The leaves themselves, and lists and spreads some leaf of which is among them. */
export function someElement(leaves: Leaves): ValueSet {
  const element = valueSet({ ...onlyLeaves(leaves), arrays: [clause({ someLeaf: [onlyLeaves(leaves)] })] });
  return valueSet({ ...element, spreads: [clause({ some: [element] })] });
}

function onlyLeaves(set: Leaves): Leaves {
  const { null: nil, true: yes, false: no, numbers, text, objects } = set;
  return { null: nil, true: yes, false: no, numbers, text, objects };
}
