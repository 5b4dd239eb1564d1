/** Findings about rules that meet nothing: allow rules outside their ceiling, and asks for what is not allowed. */
import { type Box, TooManyStates, and, anyScalar, isEmpty } from '../../authority/index.js';
import type { LintedPolicy } from './linted.js';
import type { Note } from './note.js';
import { type Standing, standings } from './rules.js';

/** Most pairs of rules that are looked at; what is not seen by then is not told. */
const mostPairs = 200_000;

/** Notes rules that are alive for no executor of their agent, on no tool. */
export function idleRules(policy: LintedPolicy, note: Note): void {
  const pairs = { left: mostPairs };
  for (const agent of policy.agents.values()) {
    const executors = [...policy.executors.values()].filter((each) => each.agent === agent.name);
    const allows = standings(executors, 'allow');
    if (allows.size === 0) continue;
    for (const source of agent.allow) {
      const ceiling = ceilingThatShutsOut(allows.get(source.path) ?? [], pairs);
      if (ceiling !== undefined) note(source, `can never match: it lies wholly outside ${ceiling}`);
    }
    const asks = standings(executors, 'ask');
    for (const source of agent.ask)
      if (!(asks.get(source.path) ?? []).some((ask) => asksFor(ask, pairs)))
        note(source, 'asks for nothing: no allow rule holds anything that it meets');
  }
}

interface Pairs {
  left: number;
}

/** The ceiling or narrowing that no access of the rule passes; undefined where some may, or where the rule stands nowhere. */
function ceilingThatShutsOut(rules: readonly Standing[], pairs: Pairs): string | undefined {
  let shut: string | undefined;
  for (const { tool, verb, rule } of rules) {
    const [, ...limits] = tool.authorities.factors;
    const buckets = limits.map((limit) => limit.bucket(tool.frame.tool, verb)?.allow ?? []);
    const closed = buckets.find((allow) => !allow.some(({ box }) => together(rule.box, box, pairs)));
    if (closed === undefined) return undefined;
    shut = closed[0]?.rule ?? 'its ceiling';
  }
  return shut;
}

/** Folders and other regions meet where their names do not, so rules on paths may always meet. */
function asksFor({ tool, verb, rule }: Standing, pairs: Pairs): boolean {
  const allow = tool.authorities.factors[0]?.bucket(tool.frame.tool, verb)?.allow ?? [];
  if (rule.box.fields.some(({ key }) => tool.frame.fields[key]?.kind === 'path')) return allow.length > 0;
  return allow.some(({ box }) => together(rule.box, box, pairs));
}

/** Whether some value of each field may lie in both. What takes too long to see may. */
function together(one: Box, other: Box, pairs: Pairs): boolean {
  pairs.left -= 1;
  if (pairs.left < 0) return true;
  try {
    return one.fields.every(({ key, set, path }) => {
      const second = other.setOf(key);
      if (second === undefined) return true;
      const both = and(one.setOf(key) ?? set, second);
      // A field of a connector holds one value; an argument may be an empty list, which lies in every constraint.
      return !isEmpty(path === undefined ? and(both, anyScalar) : both);
    });
  } catch (error) {
    if (error instanceof TooManyStates) return true;
    throw error;
  }
}
