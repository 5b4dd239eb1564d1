/** What came of a reload, in words for operators. */
import type { Comparison, ExecutorComparison, Reloaded, Witness } from '@pawl/core';
import { formatProblem } from '../config/index.js';
import { witnessText } from './diff-view.js';
import { counted, visible } from './layout.js';

/** Witnesses shown for one executor; the rest is counted. */
const witnessesShown = 3;

/**
 * Lines that say what a reload came to; of a refused one also what would be gained, and the ways on. `to` is the stored
 * generation that was proposed instead of the file: accepting must propose it again, and not what the file says.
 */
export function reloadLines(answer: Reloaded, to?: number): readonly string[] {
  const { number, hash } = answer.generation;
  const stays = `generation ${number} (${hash.slice(0, 12)}) stays in force`;
  if (answer.kind === 'same') return [`nothing changed: ${stays}`];
  if (answer.kind === 'activated') return activatedLines(answer);
  if (answer.kind === 'failed') return [`not done: ${stays}: ${visible(answer.why, 400)}`];
  if (answer.kind === 'invalid') {
    const problems = answer.problems.map((problem) => `  ${formatProblem(answer.file, problem)}`);
    return [`the policy cannot be used: ${stays}`, ...problems];
  }
  return [`refused: ${stays}; ${whyRefused(answer)}`, ...gainLines(answer.comparison), ...waysOn(answer, to)];
}

/** Characters of a hash by which an operator names what was shown. */
const hashShown = 16;

function whyRefused({ comparison: { relation }, expected, hash }: Refused): string {
  const gains = 'the change would let agents do more than they may now';
  if (expected === undefined) return gains;
  const changed = `what was shown as ${expected.slice(0, hashShown)} has changed since, and is ${hash.slice(0, hashShown)} now`;
  const attenuates = relation === 'equal' || relation === 'attenuation';
  return `${changed}: nothing of it was taken${attenuates ? '' : `; ${gains}`}`;
}

type Refused = Extract<Reloaded, { kind: 'refused' }>;

function activatedLines({
  generation,
  comparison,
  moved,
  reissued,
  emptied,
}: Extract<Reloaded, { kind: 'activated' }>): readonly string[] {
  const { number, hash } = generation;
  const first = `generation ${number} (${hash.slice(0, 12)}) is in force: ${comparison.relation}`;
  if (moved.length === 0) return [`${first}; capabilities stay`];
  const who = `capabilities of ${moved.map((each) => visible(each)).join(', ')} have ended`;
  const fresh = reissued === 0 ? '' : `; fresh ones in ${counted(reissued, 'open session')}`;
  return [first, `  ${who}${fresh}`, ...emptiedLines(emptied)];
}

/** Open sessions that show no tools to their agents now, and what helps. */
function emptiedLines(emptied: number): readonly string[] {
  if (emptied === 0) return [];
  const which = counted(emptied, 'open session has', 'open sessions have');
  return [`  ${which} no tools until the agents connect again; with --reissue they would have fresh ones`];
}

/** Per executor what it would gain, and what would widen without concerning one. */
export function gainLines(comparison: Comparison): readonly string[] {
  const executors = Object.entries(comparison.executors)
    .filter(([, { relation }]) => relation === 'widening' || relation === 'unknown')
    .flatMap(([executor, one]) => executorLines(executor, one));
  const whole = comparison.witnesses.map((witness) => `  everybody: ${shown(witness)}`);
  return [...executors, ...whole];
}

function executorLines(executor: string, one: ExecutorComparison): readonly string[] {
  const told = one.witnesses.slice(0, witnessesShown).map((witness) => `    ${shown(witness)}`);
  const rest = one.witnesses.length - told.length;
  const open = (one.undecided ?? []).map((why) => `    not decided: ${visible(why, 300)}`);
  const more = rest > 0 ? [`    and ${counted(rest, 'more gain')}`] : [];
  return [`  ${visible(executor)}: ${one.relation}`, ...told, ...more, ...open];
}

function shown(witness: Witness): string {
  return visible(witnessText(witness), 400);
}

function waysOn(
  { generation: { number }, comparison, hash }: Refused,
  to: number | undefined,
): readonly string[] {
  const { executors } = comparison;
  const gained = Object.entries(executors)
    .filter(([, { relation }]) => relation === 'widening' || relation === 'unknown')
    .map(([executor]) => visible(executor));
  const who =
    gained.length === 0
      ? 'no capability ends'
      : `capabilities of ${gained.join(', ')} end; --reissue gives open sessions fresh ones`;
  const source = to === undefined ? '' : ` --to ${to}`;
  return [
    'ways on:',
    `  keep    nothing to do: generation ${number} goes on`,
    `  accept  pawl reload --bump-epoch${source} --expect ${hash.slice(0, hashShown)} (${who})`,
    to === undefined
      ? '  undo    edit the policy back; pawl reload --to G goes back to an earlier generation'
      : '  other   pawl reload proposes the file; --to another G an earlier generation',
  ];
}
