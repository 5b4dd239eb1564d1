/** What was delegated: rules that narrow an executor's authority, perhaps that of another agent as well, step by step. */
import {
  type AgentName,
  type DocNode,
  type Json,
  type LoadProblem,
  type ToolName,
  Expect,
  nodeOf,
  toolName,
} from '../ground/index.js';
import type { ExecutorPolicy } from './compile-input.js';
import type { RuleSource, ToolPattern } from './document.js';
import { readRules } from './read-rule.js';
import { matchesTool } from './rule-index.js';

/** An agent, or an instance of it. */
export interface Principal {
  readonly agent: AgentName;
  readonly instance: string | undefined;
}

/** One delegation. Frozen; it holds no authority, but says how much of its parent's is left. */
export interface Delegation {
  /** Unique in its process; names the rules in records. */
  readonly id: string;
  /** Whose authority was delegated first. */
  readonly of: Principal;
  /** What it narrows further; undefined for what the executor itself delegated. */
  readonly within: Delegation | undefined;
  /** Of these at least one has to hold as well. */
  readonly allow: readonly RuleSource[];
  /** Whose authority has to hold as well. */
  readonly as: Principal | undefined;
  /** How deep it may be delegated further; policies may leave less. */
  readonly depth: number;
}

/** From the first to the last. */
export function stepsOf(delegation: Delegation): readonly Delegation[] {
  const { within } = delegation;
  return within === undefined ? [delegation] : [...stepsOf(within), delegation];
}

/** Rules that narrow, as they were asked for. */
export interface Narrower {
  readonly allow: readonly RuleSource[];
  /** Tools, and patterns of tools, that the parent has nothing of. */
  readonly notHeld: readonly string[];
}

const nowhere = { line: 1, column: 1 } as const;

/**
 * Reads a list of allow rules against what the parent holds. Tools that it has not are left out and told, whether they exist or
 * not: who delegates learns nothing of tools that are not its own.
 */
export function readNarrower(
  allow: Json,
  parent: Pick<ExecutorPolicy, 'reachable'>,
  id: string,
): Narrower | { readonly problems: readonly LoadProblem[] } {
  const expect = new Expect();
  const node: DocNode = nodeOf(allow, nowhere);
  const read = readRules(expect, 'allow', { node, path: 'allow' });
  if (read.length === 0) expect.problem(nowhere, 'allow', 'no rule', 'at least one rule, as in a policy');
  if (expect.problems.length > 0) return { problems: expect.problems };
  const notHeld = new Set<string>();
  const kept = read.flatMap((rule) => {
    const tools = (rule.tools ?? []).filter((pattern) => {
      const has = parent.reachable.some((tool) => isMeant(pattern, tool));
      if (!has) notHeld.add(`${pattern.server}/${pattern.tool}`);
      return has;
    });
    return tools.length === 0 ? [] : [{ ...rule, tools, path: `delegated.${id}.${rule.path}` }];
  });
  return { allow: kept, notHeld: [...notHeld] };
}

function isMeant(pattern: ToolPattern, tool: ToolName): boolean {
  if (!pattern.glob) return toolName(pattern.server, pattern.tool) === tool;
  const cut = tool.indexOf('/');
  return pattern.server === tool.slice(0, cut) && matchesTool(pattern, pattern.server, tool.slice(cut + 1));
}
