/** One executor: the accesses of every tool of NEW against OLD. */
import { OutOfSteps, type Steps, TooManyStates } from '../../authority/index.js';
import type { ToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { Witness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { blindGap, blindWitness } from './blind.js';
import { type ToolProof, compareTool, jointGains, unbudgeted } from './inclusion.js';
import type { Judge } from './judge.js';
import { type Sides, witnessOf } from './witness.js';

/** What is compared. */
export interface ExecutorQuestion {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  /** Undefined: there are too many kinds of names. */
  readonly tools: readonly ToolName[] | undefined;
  readonly judge: Judge;
  readonly steps: Steps;
}

/** What came of it. */
export interface ExecutorAnswer {
  readonly witnesses: readonly Witness[];
  readonly undecided: readonly string[];
  /** Proof for each tool that NEW says anything of. */
  readonly proofs: Readonly<Record<ToolName, ToolProof>>;
}

/** Compares an executor that both sides have. Never throws. */
export function compareExecutor(question: ExecutorQuestion): ExecutorAnswer {
  const { next, old, tools } = question;
  if (tools === undefined)
    return { witnesses: [], undecided: ['the patterns of tools tell too many names apart'], proofs: {} };
  const witnesses: Witness[] = [];
  const undecided: string[] = [];
  const proofs: Record<ToolName, ToolProof> = {};
  for (const tool of tools) {
    const now = next.forTool(tool);
    if (now === undefined) continue;
    const before = old.forTool(tool);
    const found = within(() => compareUnlimited(question, now, before));
    if (found === undefined) undecided.push(`${tool}: the comparison takes more steps than are allowed`);
    else if ('proof' in found) proofs[tool] = found.proof;
    else witnesses.push(found.witness);
  }
  return { witnesses, undecided, proofs };
}

type Compared = { readonly proof: ToolProof } | { readonly witness: Witness };

function compareUnlimited(
  { next, old, judge, steps }: ExecutorQuestion,
  now: ToolPolicy,
  before: ToolPolicy | undefined,
): Compared {
  const sides = { next, old, judge };
  const found = compareTool(now, before, { next: unbudgeted, old: unbudgeted }, steps);
  if (found.kind === 'included') {
    const unseen = before && found.proof !== 'same' ? blindGap(now, before, steps) : undefined;
    if (unseen === undefined) return { proof: found.proof };
    return { witness: blindWitness(now, unseen, sides) };
  }
  return { witness: shownBy(now, before, witnessOf(now, found, sides), { sides, steps }) };
}

/** The witness, or a call that shows another gain where no call shows this one. */
function shownBy(
  now: ToolPolicy,
  before: ToolPolicy | undefined,
  witness: Witness,
  { sides, steps }: { readonly sides: Sides; readonly steps: Steps },
): Witness {
  if (witness.kind !== 'access') return witness;
  const call = within(() => {
    for (const gained of jointGains(now, before, steps)) {
      const other = witnessOf(now, gained, sides);
      if (other.kind === 'call') return other;
    }
    return undefined;
  });
  return call ?? witness;
}

/** Undefined where it takes too many steps. */
function within<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates) return undefined;
    throw error;
  }
}
