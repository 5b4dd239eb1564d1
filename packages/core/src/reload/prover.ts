/** The prover as a port: whether NEW attenuates OLD, answered by whoever can prove it, elsewhere. */
import type { Alarm, ExecutorId } from '../ground/index.js';
import type { Comparison, ExecutorComparison } from '../policy/index.js';
import type { GenerationSource } from './source.js';

/** Compares. */
export interface Prover {
  /** May reject; then nothing is known, which counts as widening. */
  compare(old: GenerationSource, next: GenerationSource): Promise<Comparison>;
}

/** What a proof is asked with. */
export interface Question {
  readonly old: GenerationSource;
  readonly next: GenerationSource;
  /** Of both. */
  readonly executors: Iterable<ExecutorId>;
}

/** How long a proof may take, in milliseconds; budgets count steps, so this is met by a prover that hangs. */
export const proofDeadlineMs = 120_000;

/** Asks the prover. Never rejects: a prover that rejects, or is silent past the deadline, leaves every executor `unknown`. */
export async function proved(prover: Prover, question: Question, alarm: Alarm): Promise<Comparison> {
  const { old, next, executors } = question;
  let stop = (): void => undefined;
  const late = new Promise<Comparison>((resolve) => {
    const why = `no proof within ${proofDeadlineMs / 1000} s`;
    stop = alarm.after(proofDeadlineMs, () => resolve(undecided(executors, why)));
  });
  try {
    return await Promise.race([prover.compare(old, next), late]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return undecided(executors, `the prover failed: ${why}`);
  } finally {
    stop();
  }
}

/** A comparison that knows nothing, and why. */
export function undecided(executors: Iterable<ExecutorId>, why: string): Comparison {
  const nothing: ExecutorComparison = { relation: 'unknown', witnesses: [], undecided: [why] };
  return {
    relation: 'unknown',
    executors: Object.fromEntries([...executors].map((executor) => [executor, nothing])),
    witnesses: [],
  };
}
