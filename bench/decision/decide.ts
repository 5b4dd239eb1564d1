/** One decision with its reason, on the workload: Pawl's authority beside the index written by hand and policy engines. */
import { admits } from '../../packages/core/src/authority/index.js';
import { type Contender, type Effort, type Seen, measure } from '../measure/rounds.js';
import { loadWorkload } from '../workload/load.js';
import { type WorkloadCall, sizes } from '../workload/workload.js';
import { handIndex } from './hand.js';
import { pawlAccess, pawlAuthority } from './pawl.js';
import { ajv } from './peer/ajv.js';
import { casl } from './peer/casl.js';
import { cedar } from './peer/cedar.js';
import type { Judge, Peer } from './peer/judge.js';

/** What one policy engine took. */
export interface PeerFigures extends Seen {
  /** Over Pawl, in minima. */
  readonly overPawl: number;
}

/** Microseconds of CPU a decision at one number of rules. */
export interface DecisionFigures {
  readonly rules: number;
  readonly hand: Seen;
  readonly pawl: Seen;
  /** Pawl over the index by hand, in minima. */
  readonly ratio: number;
  readonly peers: readonly PeerFigures[];
}

/** Measures every size in one process; every verdict is checked first. */
export function decide(effort: Effort): readonly DecisionFigures[] {
  const groups = sizes.map(({ rules, tools }) => contenders(rules, tools));
  const seen = measure(groups.flat(), effort);
  return sizes.map(({ rules }, i) => {
    const from = groups.slice(0, i).reduce((sum, group) => sum + group.length, 0);
    const [hand, pawl, ...others] = seen.slice(from, from + groups[i]!.length);
    const peers = others.map((each) => ({ ...each, overPawl: each.min / pawl!.min }));
    return { rules, hand: hand!, pawl: pawl!, ratio: pawl!.min / hand!.min, peers };
  });
}

/** Cedar looks at every policy for every call: at 2,000 rules these take as long as half a million calls of Pawl. */
const cedarCalls: Readonly<Record<number, number>> = { 20: 400, 200: 100, 2000: 40 };

function contenders(size: number, tools: number): readonly Contender[] {
  const { rules, calls } = loadWorkload(size, tools);
  const hand = handIndex(rules);
  const authority = pawlAuthority(rules);
  const accesses = calls.map(pawlAccess);
  for (const [i, call] of calls.entries()) {
    check(call, hand(call).allow, `the index by hand at ${size} rules`);
    check(call, admits(authority, accesses[i]!).level !== undefined, `Pawl at ${size} rules`);
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
    peer(casl, casl.judge(rules), calls),
    peer(ajv, ajv.judge(rules), calls),
    peer(cedar, cedar.judge(rules), calls.slice(0, cedarCalls[size])),
  ];
}

function peer<Question>(
  { name }: Peer<Question>,
  engine: Judge<Question>,
  calls: readonly WorkloadCall[],
): Contender {
  const questions = calls.map((call) => engine.question(call));
  for (const [i, question] of questions.entries())
    check(calls[i]!, engine.judge(question) !== undefined, name);
  return {
    name,
    units: questions.length,
    run: () => {
      let sum = 0;
      for (const question of questions) sum += engine.judge(question)?.length ?? 1;
      return sum;
    },
  };
}

function check(call: WorkloadCall, allow: boolean, who: string): void {
  if (allow !== call.allow)
    throw new Error(`${who} says ${allow} and not ${call.allow} of ${JSON.stringify(call)}`);
}
