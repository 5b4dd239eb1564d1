/** Budgets of rules (`uses`): each of NEW has to stand for one of OLD that includes it, or lie in what OLD allows unbudgeted. */
import type { Rule, Steps } from '../../authority/index.js';
import type { ToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { CallWitness, ChangeWitness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { change } from './changes.js';
import type { Judge } from './judge.js';
import { witnessOf } from './witness.js';
import { type Counting, compareTool, unbudgeted, verbsOn } from './inclusion.js';

/** Both sides and the tools to look at. */
export interface BudgetQuestion {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  readonly judge: Judge;
  readonly steps: Steps;
}

interface Budget {
  readonly path: string;
  readonly uses: number;
  readonly tools: readonly ToolName[];
}

/** Budgets of NEW that stand for none of OLD. Throws OutOfSteps and TooManyStates. */
export function budgetGrowth(
  question: BudgetQuestion,
  tools: readonly ToolName[],
): readonly (CallWitness | ChangeWitness)[] {
  const [now, before] = [question.next, question.old].map((side) => budgetsOf(side, tools));
  if (now === undefined || before === undefined || now.length === 0) return [];
  const open = now.filter(({ path, tools: own }) => !isHeld(question, own, path, unbudgeted));
  const fits = (budget: Budget, other: Budget): boolean =>
    other.uses >= budget.uses &&
    isHeld(question, budget.tools, budget.path, (rule) => rule.rule === other.path);
  const matched = matching(open, before, fits);
  return open
    .filter((_, at) => !matched.has(at))
    .flatMap((budget) => {
      const same = before.find(({ path }) => path === budget.path);
      const told = change('uses', `${budget.path}.uses`, same?.uses ?? null, budget.uses);
      const call = callOf(question, budget);
      return call === undefined ? [told] : [call, told];
    });
}

/** A call that a budgeted rule admits and OLD does not, were it never used before. */
function callOf(
  { next, old, judge, steps }: BudgetQuestion,
  { path, tools }: Budget,
): CallWitness | undefined {
  for (const tool of tools) {
    const policy = next.forTool(tool);
    if (policy === undefined) continue;
    const counting = { next: ({ rule }: Rule): boolean => rule === path, old: (): boolean => true };
    const found = compareTool(policy, old.forTool(tool), counting, steps);
    if (found.kind !== 'gained') continue;
    const witness = witnessOf(policy, found, { next, old, judge });
    if (witness.kind === 'call') return witness;
  }
  return undefined;
}

function isHeld(
  { next, old, steps }: BudgetQuestion,
  tools: readonly ToolName[],
  path: string,
  counting: Counting,
): boolean {
  return tools.every((tool) => {
    const policy = next.forTool(tool);
    const own: Counting = ({ rule }) => rule === path;
    if (policy === undefined) return true;
    const counts = { next: own, old: counting };
    return compareTool(policy, old.forTool(tool), counts, steps).kind === 'included';
  });
}

function budgetsOf(side: ExecutorPolicy, tools: readonly ToolName[]): readonly Budget[] {
  const found = new Map<string, { uses: number; tools: Set<ToolName> }>();
  for (const tool of tools) {
    const policy = side.forTool(tool);
    for (const { rule, uses } of policy?.budgeted === true ? allowRules(policy) : []) {
      if (uses === undefined) continue;
      const budget = found.get(rule) ?? { uses, tools: new Set() };
      budget.tools.add(tool);
      found.set(rule, budget);
    }
  }
  return [...found].map(([path, { uses, tools: own }]) => ({ path, uses, tools: [...own] }));
}

function allowRules(policy: ToolPolicy): readonly Rule[] {
  const { authorities, frame } = policy;
  return verbsOn(policy).flatMap((verb) => authorities.factors[0]?.bucket(frame.tool, verb)?.allow ?? []);
}

/**
 * Indexes that find a partner of their own, in a largest matching. Partners of the same path are tried first, and whether two fit
 * is asked only when it matters.
 */
function matching(
  open: readonly Budget[],
  partners: readonly Budget[],
  fits: (budget: Budget, other: Budget) => boolean,
): ReadonlySet<number> {
  const partner = new Map<Budget, number>();
  const known = new Map<string, boolean>();
  const fit = (at: number, other: Budget): boolean => {
    const key = `${at} ${other.path}`;
    const budget = open[at];
    const answer = known.get(key) ?? (budget !== undefined && fits(budget, other));
    known.set(key, answer);
    return answer;
  };
  const claim = (at: number, tried: Set<Budget>): boolean =>
    [...partners]
      .sort((a, b) => Number(b.path === open[at]?.path) - Number(a.path === open[at]?.path))
      .some((choice) => {
        if (tried.has(choice) || !fit(at, choice)) return false;
        tried.add(choice);
        const holder = partner.get(choice);
        if (holder !== undefined && !claim(holder, tried)) return false;
        partner.set(choice, at);
        return true;
      });
  return new Set(open.flatMap((_, at) => (claim(at, new Set()) ? [at] : [])));
}
