/** Whether a whole region is permitted: every access in it, outright and any number of times. */
import { OutOfSteps, Steps, TooManyStates } from '../authority/index.js';
import type { References } from '../connector/index.js';
import { type JsonObject, type ToolName, Expect, nodeOf } from '../ground/index.js';
import { ruleForTool } from './boxes.js';
import type { ExecutorPolicy } from './compile-input.js';
import { compareTool, unbudgeted } from './compare/inclusion.js';
import { readRules } from './read-rule.js';
import { readAlike, toolPolicy } from './tool-policy.js';

const place = { line: 1, column: 1 } as const;
const noReferences: References = Object.freeze({ sets: new Map(), facts: new Map() });
const mostSteps = 100_000;
const everyRule = (): boolean => true;

/**
 * Whether the executor may make every call of the tool that these constraints hold, or every call of it: nothing of it is denied, asked for, or counted. What
 * takes too long to see, and what no rule could say, is false. Pure.
 */
export function permitsWholly(executor: ExecutorPolicy, tool: ToolName, where?: JsonObject): boolean {
  const policy = executor.forTool(tool);
  if (policy === undefined || policy.limits.length > 0 || executor.alsoUnder !== undefined) return false;
  const { frame } = policy;
  const expect = new Expect();
  const region = where === undefined ? { tools: [tool] } : { tools: [tool], where };
  const [rule] = readRules(expect, 'grant', { node: nodeOf([region], place), path: 'region' });
  if (rule === undefined) return false;
  const applied = ruleForTool({ expect, references: noReferences, polarity: 'admit' }, 'allow', rule, frame);
  if (expect.problems.length > 0 || !('boxes' in applied)) return false;
  const asked = toolPolicy({ frame, allow: [applied], ask: [], deny: [], limits: [] }, []);
  try {
    const counting = { next: everyRule, old: unbudgeted };
    return compareTool(readAlike(asked, policy), policy, counting, new Steps(mostSteps)).kind === 'included';
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates) return false;
    throw error;
  }
}
