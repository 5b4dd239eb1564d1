/** The production matcher, for comparing policies: witnesses are judged exactly as calls are. */
import { type Admission, admit } from '../dispatch/index.js';
import type { JsonObject, ToolName } from '../ground/index.js';
import type { ExecutorPolicy, Judged } from '../policy/index.js';

const freedoms = { once: 1, session: 2, permit: 3 } as const;

/** Judges one call as dispatch and `decide` do. */
export function judgeCall(executor: ExecutorPolicy, tool: ToolName, args: JsonObject): Judged {
  const admission: Admission = admit({ executor, tool, shown: tool, args, disclosure: 'names' });
  if (admission.kind === 'refused') return { decision: 'deny', freedom: 0, rule: undefined, times: 0 };
  const { level, rules } = admission;
  const budgets = new Map(rules.map(({ rule, uses }) => [rule, uses ?? Infinity]));
  return {
    decision: level === 'permit' ? 'permit' : 'ask',
    freedom: freedoms[level],
    rule: rules[0]?.rule,
    times: [...budgets.values()].reduce((sum, uses) => sum + uses, 0),
  };
}
