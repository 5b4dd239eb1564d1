/** One decision with its reason, on the workload: Pawl's authority beside the index written by hand. */
import { admits } from '../../packages/core/src/authority/index.js';
import { type Contender, type Effort, type Seen, measure } from '../measure/rounds.js';
import { loadWorkload } from '../workload/load.js';
import { sizes } from '../workload/workload.js';
import { handIndex } from './hand.js';
import { pawlAccess, pawlAuthority } from './pawl.js';

/** Microseconds of CPU a decision at one number of rules. */
export interface DecisionFigures {
  readonly rules: number;
  readonly hand: Seen;
  readonly pawl: Seen;
  /** Pawl over the index by hand, in minima. */
  readonly ratio: number;
}

/** Measures every size in one process; every verdict is checked first. */
export function decide(effort: Effort): readonly DecisionFigures[] {
  const seen = measure(
    sizes.flatMap(({ rules, tools }) => contenders(rules, tools)),
    effort,
  );
  return sizes.map(({ rules }, i) => {
    const [hand, pawl] = [seen[2 * i]!, seen[2 * i + 1]!];
    return { rules, hand, pawl, ratio: pawl.min / hand.min };
  });
}

function contenders(size: number, tools: number): readonly Contender[] {
  const { rules, calls } = loadWorkload(size, tools);
  const hand = handIndex(rules);
  const authority = pawlAuthority(rules);
  const accesses = calls.map(pawlAccess);
  for (const [i, call] of calls.entries()) {
    const verdicts = [hand(call).allow, admits(authority, accesses[i]!).level !== undefined];
    if (verdicts.some((allow) => allow !== call.allow))
      throw new Error(`call ${i} of ${size} rules: ${verdicts.join(', ')} and not ${call.allow}`);
  }
  const units = calls.length;
  return [
    {
      name: `hand index, ${size} rules`,
      units,
      run: () => {
        let sum = 0;
        for (const call of calls) {
          const answer = hand(call);
          sum += answer.allow ? answer.rule.length : answer.code.length;
        }
        return sum;
      },
    },
    {
      name: `pawl, ${size} rules`,
      units,
      run: () => {
        let sum = 0;
        for (const access of accesses) {
          const answer = admits(authority, access);
          sum += answer.level === undefined ? answer.authority.layer.length : answer.rules[0]!.rule.length;
        }
        return sum;
      },
    },
  ];
}
