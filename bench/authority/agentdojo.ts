/** AgentDojo: what a user's task needs, in three grants, and the cases of a suite. */
import type { Json } from '@pawl/core';
import type { Binding, Grant, ToolGrant } from './grant.js';
import type { AttackedSuite, SuiteCall, SuiteTask, SuiteTool } from './suite.js';

/** The suites. */
export const agentDojoSuites = ['banking', 'slack', 'travel', 'workspace'] as const;

/** `tools`: the tools of the task and everything that reads; `bound`: with their authority; `counted`: with the number of calls. */
export const grantKinds = ['tools', 'bound', 'counted'] as const;
/** One of the three grants. */
export type GrantKind = (typeof grantKinds)[number];

/** The name under which a task's user acts with a grant. */
export function agentOf(task: SuiteTask, kind: GrantKind): string {
  return `${task.id}.${kind}`;
}

/** The grants of every task, by agent. */
export function grantsOf(
  { tools, userTasks }: Pick<AttackedSuite, 'tools' | 'userTasks'>,
  kinds: readonly GrantKind[] = grantKinds,
): ReadonlyMap<string, Grant> {
  return new Map(
    kinds.flatMap((kind) =>
      userTasks.map((task) => [agentOf(task, kind), grantOf(tools, task, kind)] as const),
    ),
  );
}

/** One grant of one task. */
export function grantOf(tools: readonly SuiteTool[], task: SuiteTask, kind: GrantKind): Grant {
  return tools.flatMap((tool): readonly ToolGrant[] => {
    const calls = task.ground_truth.filter((call) => call.function === tool.name);
    if (tool.effect === 'read') return [{ tool: tool.name, bindings: [] }];
    if (calls.length === 0) return [];
    const bindings =
      kind === 'tools' ? [] : (tool.authority_args ?? []).map((name) => bindingOf(name, calls));
    return [{ tool: tool.name, bindings, ...(kind === 'counted' && { uses: calls.length }) }];
  });
}

/** An argument bound to the values that occur: absent only if it is absent in a call of the task. */
function bindingOf(name: string, calls: readonly SuiteCall[]): Binding {
  const given = calls.map(({ args }) => args[name]).filter((value) => value !== undefined && value !== null);
  const values: readonly Json[] = given.flatMap((value) => value as Json | Json[]);
  const list = given.some((value) => Array.isArray(value));
  return { path: [name], values: unique(values), optional: given.length < calls.length, list };
}

function unique(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
