/** The production matcher as comparing uses it: what a call comes to under a policy. */
import type { JsonObject, ToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { CallDecision } from '../comparison.js';

/** What a call comes to. */
export interface Judged {
  readonly decision: CallDecision;
  /** Of what is admitted; the greater, the freer: `once` 1, `session` 2, `permit` 3; refused 0. */
  readonly freedom: 0 | 1 | 2 | 3;
  /** Path of a rule that admits it. */
  readonly rule: string | undefined;
  /** How often in one session it is admitted at this freedom; Infinity: any number of times. */
  readonly times: number;
}

/** Judges one call. Pure. */
export type Judge = (executor: ExecutorPolicy, tool: ToolName, args: JsonObject) => Judged;

/** Both sides of one executor, and who judges. */
export interface Sides {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  readonly judge: Judge;
}
