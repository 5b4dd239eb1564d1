/** Budgets of rules (`uses`): each of NEW has to stand for one of OLD that includes it, or lie in what OLD allows unbudgeted. */
import type { Rule, Steps } from '../../authority/index.js';
import type { ToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { ChangeWitness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { change } from './changes.js';
import { type Counting, compareTool, unbudgeted, verbsOn } from './inclusion.js';

/** Both sides and the tools to look at. */
export interface BudgetQuestion {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  readonly steps: Steps;
}

interface Budget {
  readonly path: string;
  readonly uses: number;
  readonly tools: readonly ToolName[];
}

/** Budgets of NEW that stand for none of OLD. Throws OutOfSteps and TooManyStates. */
export function budgetGrowth(question: BudgetQuestion, tools: readonly ToolName[]): readonly ChangeWitness[] {
  const [now, before] = [question.next, question.old].map((side) => budgetsOf(side, tools));
  if (now === undefined || before === undefined || now.length === 0) return [];
  const open = now.filter(({ path, tools: own }) => !isHeld(question, own, path, unbudgeted));
  const choices = open.map((budget) =>
    before.filter(
      ({ path, uses }) =>
        uses >= budget.uses && isHeld(question, budget.tools, budget.path, (rule) => rule.rule === path),
    ),
  );
  const matched = matching(choices);
  return open
    .filter((_, at) => !matched.has(at))
    .map(({ path, uses }) => {
      const same = before.find((budget) => budget.path === path);
      return change('uses', `${path}.uses`, same?.uses ?? null, uses);
    });
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
    for (const { rule, uses } of policy === undefined ? [] : allowRules(policy)) {
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

/** Indexes that find a partner of their own, in a largest matching. */
function matching(choices: readonly (readonly Budget[])[]): ReadonlySet<number> {
  const partner = new Map<Budget, number>();
  const claim = (at: number, tried: Set<Budget>): boolean =>
    (choices[at] ?? []).some((choice) => {
      if (tried.has(choice)) return false;
      tried.add(choice);
      const holder = partner.get(choice);
      if (holder !== undefined && !claim(holder, tried)) return false;
      partner.set(choice, at);
      return true;
    });
  const found = choices.map((_, at) => claim(at, new Set()));
  return new Set(found.flatMap((good, at) => (good ? [at] : [])));
}
