/** Review: what the audit says of calls, read again against the policies that judged them. */
export {
  type CallRecord,
  type Explanation,
  type JudgingPolicy,
  type RulePlace,
  explain,
  judgingGeneration,
} from './explain.js';
export { ruleLines } from './flow.js';
export { type Suggestion, ruleJson, suggest, withAllow } from './suggest.js';
