/** Everything of one executor that is compared without a proof: settings, servers, tables, definitions, budgets and limits. */
import { OutOfSteps, type Steps, TooManyStates } from '../../authority/index.js';
import { type ServerName, type ToolName, splitToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { ChangeWitness, Witness } from '../comparison.js';
import type { CompiledPolicy } from '../compile.js';
import { budgetGrowth } from './budgets.js';
import { delegationGrowth, settingsGrowth, tableGrowth } from './changes.js';
import { definitionWitnesses } from './definitions.js';
import type { Judge } from './judge.js';
import { limitGrowth } from './limits.js';
import { skillGrowth } from './skills.js';

/** Both policies, and who judges examples. */
export interface BothPolicies {
  readonly old: CompiledPolicy;
  readonly next: CompiledPolicy;
  readonly judge: Judge;
}

/** One executor that both sides have. */
export interface OutrightQuestion {
  readonly now: ExecutorPolicy;
  readonly before: ExecutorPolicy;
  /** What grew of each server. */
  readonly grown: ReadonlyMap<ServerName, readonly ChangeWitness[]>;
  readonly tools: readonly ToolName[];
  readonly steps: Steps;
}

/** What grew for the executor. */
export interface Outright {
  readonly witnesses: readonly Witness[];
  readonly undecided: readonly string[];
  /** Servers whose change concerns the executor. */
  readonly servers: readonly ServerName[];
}

/** Compares. Never throws. */
export function outrightGrowth(both: BothPolicies, question: OutrightQuestion): Outright {
  const { old, next } = both;
  const { now, grown, tools } = question;
  const usable = tools.filter((tool) => now.forTool(tool)?.reachable === true);
  const servers = [...new Set(usable.map((tool) => splitToolName(tool).server))].filter((name) =>
    grown.has(name),
  );
  const counted = countedGrowth(both, question);
  return {
    servers,
    undecided:
      counted === undefined
        ? ['budgets, limits and skills: the comparison takes more steps than are allowed']
        : [],
    witnesses: [
      ...settingsGrowth(old.settings, next.settings),
      ...delegationGrowth(now.agent, old.agents.get(now.agent), next.agents.get(now.agent)),
      ...servers.flatMap((name) => grown.get(name) ?? []),
      ...usable.flatMap((tool) => toolGrowth(both, question, tool)),
      ...(counted ?? []),
    ],
  };
}

/** How the calls of a tool are read, and what its definition takes. */
function toolGrowth(
  { old, next, judge }: BothPolicies,
  { now, before }: OutrightQuestion,
  tool: ToolName,
): readonly Witness[] {
  const { server, tool: name } = splitToolName(tool);
  const [one, two] = [old, next].map((side) => side.servers.get(server));
  const policy = now.forTool(tool);
  if (one === undefined || two === undefined || policy === undefined) return [];
  const table = before.forTool(tool)?.frame.table ?? one.tools?.get(name)?.frame.table;
  const read =
    table === undefined
      ? []
      : tableGrowth(name, { frame: one, table }, { frame: two, table: policy.frame.table });
  const sides = { next: now, old: before, judge };
  return [...read, ...definitionWitnesses(one.tools?.get(name), two.tools?.get(name), policy, sides)];
}

function countedGrowth(
  { old, next, judge }: BothPolicies,
  { now, before, tools, steps }: OutrightQuestion,
): readonly Witness[] | undefined {
  const limits = {
    old: old.agents.get(now.agent)?.limits ?? [],
    next: next.agents.get(now.agent)?.limits ?? [],
  };
  const sides = { next: now, old: before, judge, steps };
  try {
    return [
      ...budgetGrowth(sides, tools),
      ...limitGrowth({ ...sides, limits }, tools),
      ...skillGrowth(sides, tools),
    ];
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates) return undefined;
    throw error;
  }
}
