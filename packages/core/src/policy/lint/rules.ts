/** Where the rules of a document stand in the compiled policy. */
import type { Rule, Verb } from '../../authority/index.js';
import { verbsOn } from '../compare/inclusion.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { ToolPolicy } from '../tool-policy.js';

/** One rule of a document on one verb of a tool: one entry a box. */
export interface Standing {
  readonly tool: ToolPolicy;
  readonly verb: Verb;
  readonly rule: Rule;
}

/** Every rule of a list on the tools that an executor may reach, by its path in the document. */
export function standings(
  executors: readonly ExecutorPolicy[],
  list: 'allow' | 'ask',
): ReadonlyMap<string, readonly Standing[]> {
  const found = new Map<string, Standing[]>();
  for (const tool of executors.flatMap(toolsOf)) {
    const [policy] = tool.authorities.factors;
    for (const verb of verbsOn(tool)) {
      for (const rule of policy?.bucket(tool.frame.tool, verb)?.[list] ?? []) {
        const standing = { tool, verb, rule };
        const known = found.get(rule.rule);
        if (known === undefined) found.set(rule.rule, [standing]);
        else known.push(standing);
      }
    }
  }
  return found;
}

function toolsOf(executor: ExecutorPolicy): readonly ToolPolicy[] {
  return executor.reachable.flatMap((name) => executor.forTool(name) ?? []);
}
