/** One executor: the accesses of every tool of NEW against OLD. */
import { OutOfSteps, type Steps, TooManyStates } from '../../authority/index.js';
import type { ToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { CallWitness, Witness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { type BlindGap, blindGap, blindWitness } from './blind.js';
import {
  type ToolInclusion,
  type ToolProof,
  compareTool,
  jointGains,
  unbudgeted,
  verbsBeside,
} from './inclusion.js';
import type { Judge, Sides } from './judge.js';
import { rejudgedGain } from './rejudged.js';
import { type Gained, accessWitness, witnessOf } from './witness.js';

/** What is compared. */
export interface ExecutorQuestion {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  /** Undefined: there are too many kinds of names. */
  readonly tools: readonly ToolName[] | undefined;
  readonly judge: Judge;
  readonly steps: Steps;
  /** Tools of which both sides are known to say the same. */
  readonly same?: ReadonlySet<ToolName>;
}

/** What came of it. */
export interface ExecutorAnswer {
  readonly witnesses: readonly Witness[];
  readonly undecided: readonly string[];
  /** Proof for each tool that NEW says anything of. */
  readonly proofs: ReadonlyMap<ToolName, ToolProof>;
}

/** Most gains of one executor that are completed to calls; the others are told as accesses. */
const mostShown = 16;

/** Compares an executor that both sides have. Never throws. */
export function compareExecutor(question: ExecutorQuestion): ExecutorAnswer {
  const { next, old, tools, same } = question;
  const witnesses: Witness[] = [];
  const undecided: string[] = [];
  const proofs = new Map<ToolName, ToolProof>();
  if (tools === undefined) undecided.push('the patterns of tools tell too many names apart');
  for (const tool of tools ?? []) {
    const now = same?.has(tool) === true ? undefined : next.forTool(tool);
    if (now === undefined) continue;
    const before = old.forTool(tool);
    const show = witnesses.length < mostShown;
    const found = within(() => compareUnlimited(question, now, before, show));
    if (found === undefined) undecided.push(`${tool}: the comparison takes more steps than are allowed`);
    else if ('proof' in found) proofs.set(tool, found.proof);
    else witnesses.push(found.witness);
  }
  return { witnesses, undecided, proofs };
}

/** Whether an executor gains nothing. Stops at the first gain. Never throws. */
export function gainsNothing(question: ExecutorQuestion): boolean {
  const { next, old, tools, same, steps, judge } = question;
  if (tools === undefined) return false;
  return tools.every((tool) => {
    const now = same?.has(tool) === true ? undefined : next.forTool(tool);
    if (now === undefined) return true;
    return (
      within(
        () => compareAccesses(now, old.forTool(tool), { next, old, judge }, steps).kind === 'included',
      ) === true
    );
  });
}

type Compared = { readonly proof: ToolProof } | { readonly witness: Witness };

function compareUnlimited(
  { next, old, judge, steps }: ExecutorQuestion,
  now: ToolPolicy,
  before: ToolPolicy | undefined,
  show: boolean,
): Compared {
  const sides = { next, old, judge };
  const found = compareAccesses(now, before, sides, steps);
  if (found.kind === 'included') return { proof: found.proof };
  if (found.kind === 'rejudged') return { witness: found.witness };
  if (!show) return { witness: accessWitness(now, found) };
  if (found.kind === 'blind') return { witness: blindWitness(now, found.gap, sides) };
  return { witness: shownGain(now, before, found, { sides, steps }) };
}

type Accesses =
  | ToolInclusion
  | ({ readonly kind: 'blind'; readonly gap: BlindGap } & Gained)
  | { readonly kind: 'rejudged'; readonly witness: CallWitness };

/** What NEW gains of a tool by rules without budgets, because it no longer looks, or because it looks once where OLD does twice. */
function compareAccesses(
  now: ToolPolicy,
  before: ToolPolicy | undefined,
  sides: Sides,
  steps: Steps,
): Accesses {
  const found = compareTool(now, before, { next: unbudgeted, old: unbudgeted }, steps);
  if (found.kind === 'gained' || before === undefined || found.proof === 'same') return found;
  const gap = blindGap(now, before, steps);
  if (gap !== undefined) return { ...gap, kind: 'blind', gap };
  const witness = rejudgedGain(now, before, sides, steps);
  return witness === undefined ? found : { kind: 'rejudged', witness };
}

/**
 * A call that shows a gain, this one or another one; else the access. Where every call makes further accesses, one that shows a gain
 * has them all allowed: these are looked at first, and where there are none no call is looked for.
 */
function shownGain(
  now: ToolPolicy,
  before: ToolPolicy | undefined,
  gained: Gained,
  { sides, steps }: { readonly sides: Sides; readonly steps: Steps },
): Witness {
  const alone = verbsBeside(now.frame, gained.of).length === 0;
  const own = alone ? witnessOf(now, gained, sides) : undefined;
  if (own?.kind === 'call') return own;
  let some = false;
  const call = within(() => {
    for (const joint of jointGains(now, before, steps)) {
      some = true;
      const other = witnessOf(now, joint, sides);
      if (other.kind === 'call') return other;
    }
    return 'none' as const;
  });
  if (call !== undefined && call !== 'none') return call;
  if (own !== undefined) return own;
  return some || call === undefined ? witnessOf(now, gained, sides) : accessWitness(now, gained);
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
