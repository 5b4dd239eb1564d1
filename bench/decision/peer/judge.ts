/** How the benchmark asks a policy engine: a question is made of a call beforehand, only the answer is measured. */
import type { BareCall } from '../../workload/generate.js';
import type { WorkloadRule } from '../../workload/workload.js';

/** An engine that knows the rules. */
export interface Judge<Question> {
  /** What the engine takes; made before anything is measured. */
  question(call: BareCall): Question;
  /** What allows the call, as far as the engine can name it; undefined: refused. */
  judge(question: Question): string | undefined;
}

/** An engine as the benchmark knows it: the rules of one size, given once. */
export interface Peer<Question = unknown> {
  readonly name: string;
  readonly judge: (rules: readonly WorkloadRule[]) => Judge<Question>;
}
