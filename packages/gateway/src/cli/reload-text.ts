/** What came of a reload, in words for operators. */
import type { Comparison, ExecutorComparison, Json, LoadProblem, Reloaded, Witness } from '@pawl/core';
import { formatProblem } from '../config/index.js';
import { counted, visible } from './layout.js';

/** Witnesses shown for one executor; the rest is counted. */
const witnessesShown = 3;

/** Lines that say what a reload came to; of a refused one also what would be gained, and the ways on. */
export function reloadLines(answer: Reloaded): readonly string[] {
  const { number, hash } = answer.generation;
  const stays = `generation ${number} (${hash.slice(0, 12)}) stays in force`;
  switch (answer.kind) {
    case 'same':
      return [`nothing changed: ${stays}`];
    case 'activated':
      return activatedLines(answer);
    case 'refused':
      return [
        `refused: ${stays}; the change would let agents do more than they may now`,
        ...gainLines(answer.comparison),
        ...waysOn(number, answer.comparison),
      ];
    case 'invalid':
      return [
        `the policy cannot be used: ${stays}`,
        ...answer.problems.map((problem: LoadProblem) => `  ${formatProblem(answer.file, problem)}`),
      ];
    case 'failed':
      return [`not done: ${stays}: ${visible(answer.why, 400)}`];
  }
}

function activatedLines({
  generation,
  comparison,
  moved,
  reissued,
}: Extract<Reloaded, { kind: 'activated' }>): readonly string[] {
  const { number, hash } = generation;
  const first = `generation ${number} (${hash.slice(0, 12)}) is in force: ${comparison.relation}`;
  if (moved.length === 0) return [`${first}; capabilities stay`];
  const who = `capabilities of ${moved.map((each) => visible(each)).join(', ')} have ended`;
  return [first, `  ${who}${reissued === 0 ? '' : `; fresh ones in ${counted(reissued, 'open session')}`}`];
}

/** Per executor what it would gain, and what would widen without concerning one. */
export function gainLines(comparison: Comparison): readonly string[] {
  const executors = Object.entries(comparison.executors)
    .filter(([, { relation }]) => relation === 'widening' || relation === 'unknown')
    .flatMap(([executor, one]) => executorLines(executor, one));
  const whole = comparison.witnesses.map((witness) => `  everybody: ${witnessText(witness)}`);
  return [...executors, ...whole];
}

function executorLines(executor: string, one: ExecutorComparison): readonly string[] {
  const shown = one.witnesses.slice(0, witnessesShown).map((witness) => `    ${witnessText(witness)}`);
  const rest = one.witnesses.length - shown.length;
  const open = (one.undecided ?? []).map((why) => `    not decided: ${visible(why, 300)}`);
  const more = rest > 0 ? [`    and ${counted(rest, 'more gain')}`] : [];
  return [`  ${visible(executor)}: ${one.relation}`, ...shown, ...more, ...open];
}

function witnessText(witness: Witness): string {
  if (witness.kind === 'call') {
    const times = witness.repeat === undefined ? '' : `, made ${counted(witness.repeat, 'time')}`;
    const { tool, args, old, rule } = witness;
    return visible(`${tool} ${JSON.stringify(args)}${times}: ${old} -> ${witness.new} by ${rule}`, 400);
  }
  if (witness.kind === 'access')
    return visible(`access ${JSON.stringify(witness.access)} by ${witness.rule}`, 400);
  return visible(`${witness.path}: ${witness.what} ${short(witness.old)} -> ${short(witness.new)}`, 400);
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

function waysOn(number: number, { executors }: Comparison): readonly string[] {
  const gained = Object.entries(executors)
    .filter(([, { relation }]) => relation === 'widening' || relation === 'unknown')
    .map(([executor]) => visible(executor));
  const who = gained.length === 0 ? 'no capability ends' : `capabilities of ${gained.join(', ')} end`;
  return [
    'ways on:',
    `  keep    nothing to do: generation ${number} goes on`,
    `  accept  pawl reload --bump-epoch (${who}; --reissue gives open sessions fresh ones)`,
    `  undo    edit the policy back; pawl reload --to G goes back to an earlier generation`,
  ];
}
