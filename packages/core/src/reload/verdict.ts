/** The verdict: what a comparison comes to for executors that this store has known, and whose epochs an operator act moves. */
import { type ExecutorId, mintId } from '../ground/index.js';
import type { ChangeWitness, Comparison, ExecutorComparison, Relation } from '../policy/index.js';

/** What a comparison is judged with. */
export interface Surroundings {
  /** Executors of NEW. */
  readonly next: Iterable<ExecutorId>;
  /** Executors that the store has ever known, or that an existing credential stands for: none of them is new. */
  readonly known: ReadonlySet<ExecutorId>;
  /** Widenings that whoever proposes knows of, as a process that would have to be started. */
  readonly changes: readonly ChangeWitness[];
}

/** A verdict. */
export interface Verdict {
  /** The comparison, corrected: fit to be shown. */
  readonly comparison: Comparison;
  /** Whether it may be activated without an operator act. */
  readonly attenuates: boolean;
  /** Executors that gained, or may have. */
  readonly gained: ReadonlySet<ExecutorId>;
  /** Something gained of which no executor in particular is named, and nothing shows it: everybody may have gained. */
  readonly everybody: boolean;
}

/**
 * Judges a comparison. Nothing makes it milder: an executor that the comparison leaves out is `unknown`, one that was known
 * before is not `new`, and the whole is at least as wide as each of its parts.
 */
export function verdictOf(given: Comparison, around: Surroundings): Verdict {
  const comparison = corrected(given, around);
  const gained = new Set(
    Object.entries(comparison.executors)
      .filter(([, one]) => widens(one))
      .map(([executor]) => mintId.executor(executor)),
  );
  const attenuates = comparison.relation === 'equal' || comparison.relation === 'attenuation';
  return {
    comparison,
    attenuates,
    gained,
    everybody: !attenuates && gained.size === 0 && comparison.witnesses.length === 0,
  };
}

function corrected(given: Comparison, around: Surroundings): Comparison {
  const executors = { ...given.executors };
  for (const executor of around.next) executors[executor] = correctedOne(given, executor, around);
  const witnesses = [...given.witnesses, ...around.changes.filter((change) => !isTold(change, given))];
  const relation = wholeRelation(given.relation, Object.values(executors), witnesses.length > 0);
  const { certificate, ...rest } = given;
  const same = relation === given.relation && certificate !== undefined;
  return { ...rest, executors, witnesses, relation, ...(same ? { certificate } : {}) };
}

/** Whether the comparison shows a change itself, whole or part by part. */
function isTold({ path }: ChangeWitness, { witnesses, executors }: Comparison): boolean {
  const shown = [...witnesses, ...Object.values(executors).flatMap((one) => one.witnesses)];
  return shown.some(
    (each) => each.kind === 'change' && (each.path === path || each.path.startsWith(`${path}.`)),
  );
}

/** The widest of what was given, what the executors come to, and what witnesses of the whole show. */
function wholeRelation(
  given: Relation,
  executors: readonly ExecutorComparison[],
  witnessed: boolean,
): Relation {
  const milder = given === 'equal' || given === 'attenuation';
  if (executors.some(({ relation }) => relation === 'widening') || (milder && witnessed)) return 'widening';
  return executors.some(widens) && milder ? 'unknown' : given;
}

function correctedOne(given: Comparison, executor: ExecutorId, { known }: Surroundings): ExecutorComparison {
  const one = Object.hasOwn(given.executors, executor) ? given.executors[executor] : undefined;
  if (one === undefined)
    return { relation: 'unknown', witnesses: [], undecided: ['the comparison says nothing of it'] };
  if (one.relation !== 'new' || !known.has(executor)) return one;
  const back: ChangeWitness = {
    kind: 'change',
    what: 'executor',
    path: pathOf(executor),
    old: 'absent, and known before: its credentials would authorise again',
    new: 'declared',
  };
  return { relation: 'widening', witnesses: [back, ...one.witnesses] };
}

function widens({ relation }: ExecutorComparison): boolean {
  return relation === 'widening' || relation === 'unknown';
}

function pathOf(executor: ExecutorId): string {
  return executor.includes('/') ? `instances.${executor}` : `agents.${executor}`;
}
