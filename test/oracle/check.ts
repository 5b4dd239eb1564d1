/** Compares random pairs of policies, and asks what SMT solvers say of the same pairs. */
import * as fc from 'fast-check';
import { comparePolicies } from '../../packages/core/src/policy/compare/compare.js';
import { certificateFaults } from '../../packages/core/src/policy/compare/certificate.js';
import type { CallWitness, Comparison, Witness } from '../../packages/core/src/policy/comparison.js';
import { judgeCall } from '../../packages/core/src/reload/judge.js';
import type { JsonObject } from '../../packages/core/src/ground/index.js';
import type { Gate, Verdict } from '../policies.js';
import { type Limited, type Tool, admitted, gains, levels } from './encode.js';
import { type Arguments, declarations, holds, smt } from './formula.js';
import { type Pair, loaded, pair } from './pairs.js';
import type { Answer, Scripts } from './solvers.js';

/** One direction of one pair: what Pawl says of it, and what a solver is asked. */
export interface Question {
  readonly pair: Pair;
  /** Whether Pawl says that NEW gains something; undefined: it does not know. */
  readonly gained: boolean | undefined;
  readonly scripts: Scripts;
}

/** What came of comparing without any solver. */
export interface Compared {
  readonly questions: readonly Question[];
  readonly pairs: number;
  readonly relations: Readonly<Record<Comparison['relation'], number>>;
  /** Widenings that a call shows, and those shown by an access alone. */
  readonly shown: number;
  readonly accesses: number;
  /** What is wrong with witnesses, certificates, or the oracle itself; none if all is well. */
  readonly faults: readonly string[];
}

/** Compares as many pairs that load, drawn by the seed. */
export function comparePairs(count: number, seed: number): Compared {
  const sum = new Sum();
  for (let part = 0; sum.pairs < count; part++) {
    for (const one of fc.sample(pair, { numRuns: count, seed: seed + part })) {
      const [old, next] = [loaded(one.old, one.tool), loaded(one.next, one.tool)];
      if (old !== undefined && next !== undefined && sum.pairs < count) sum.add(one, { old, next });
    }
  }
  return sum;
}

interface Gates {
  readonly old: Gate;
  readonly next: Gate;
}

class Sum implements Compared {
  pairs = 0;
  shown = 0;
  accesses = 0;
  readonly relations = { equal: 0, attenuation: 0, widening: 0, unknown: 0 };
  readonly questions: Question[] = [];
  readonly faults: string[] = [];

  add(one: Pair, gates: Gates): void {
    const sides = { old: gates.old.policy, next: gates.next.policy, judge: judgeCall };
    const { relation, executors, certificate } = comparePolicies(sides);
    this.pairs += 1;
    this.relations[relation] += 1;
    const gained = relation === 'unknown' ? undefined : relation === 'widening';
    this.questions.push({ pair: one, gained, scripts: scriptsOf(one) });
    const witnesses = Object.values(executors).flatMap((each) => each.witnesses);
    if (gained === true && witnesses.length === 0) this.faults.push(told(one, 'no witness'));
    for (const witness of witnesses) this.#witness(one, gates, witness);
    if (gained !== false) return;
    const back = { tool: one.tool, old: one.next, next: one.old };
    this.questions.push({ pair: back, gained: relation !== 'equal', scripts: scriptsOf(back) });
    for (const fault of certificateFaults(certificate ?? null, sides))
      this.faults.push(told(one, `certificate: ${fault}`));
  }

  #witness(one: Pair, gates: Gates, witness: Witness): void {
    if (witness.kind === 'access') this.accesses += 1;
    else if (witness.kind === 'call') this.shown += 1;
    const fault =
      witness.kind === 'call'
        ? witnessFault(one, gates, witness)
        : witness.kind === 'change'
          ? `found ${witness.what}`
          : undefined;
    if (fault !== undefined) this.faults.push(told(one, fault));
  }
}

/** A pair with what is to be said of it. */
function told({ tool, old, next }: Pair, what: string): string {
  return `${what}: ${tool.name}\n  old ${JSON.stringify(old)}\n  new ${JSON.stringify(next)}`;
}

function scriptsOf({ tool, old, next }: Pair): Scripts {
  const asserted = new Set(gains(old, next, tool).map((gain) => `(assert ${smt(gain)})`));
  return [...asserted].map((each) => `${declarations(tool.args)}\n${each}`);
}

/** What is wrong with a witness: what Pawl's matcher and the oracle say of its call is not what it claims. */
function witnessFault({ tool, old, next }: Pair, gates: Gates, witness: CallWitness): string | undefined {
  const call = `the call ${JSON.stringify(witness.args)}`;
  const [before, now] = [gates.old, gates.next].map((gate) => gate.call(witness.tool, witness.args));
  if (before === undefined || now === undefined) return `${call} is not judged`;
  if (decisionOf(before) !== witness.old || decisionOf(now) !== witness.new)
    return `${call} is judged otherwise`;
  const args = argumentsOf(now.args ?? witness.args, tool);
  return gains(old, next, tool).some((gain) => holds(gain, args)) ? undefined : `${call} shows no gain`;
}

function decisionOf({ decision }: Verdict): CallWitness['old'] {
  return decision === 'session' || decision === 'once' ? 'ask' : decision;
}

/** As the oracle writes them. */
function argumentsOf(args: JsonObject, { path }: Tool): Arguments {
  return path !== undefined && args[path] === '/' ? { ...args, [path]: '' } : args;
}

/** The level of a call, as the oracle reads the policy. */
export function levelOf(policy: Limited, tool: Tool, args: JsonObject): Verdict['decision'] {
  const all = argumentsOf(args, tool);
  return levels.find((level) => holds(admitted(policy, tool, level), all)) ?? 'deny';
}

/** What a solver said of all questions. */
export interface Agreement {
  readonly agreed: number;
  readonly undecided: number;
  readonly disagreements: readonly string[];
}

/** Lays what a solver said beside what Pawl says. */
export function agreementOf(questions: readonly Question[], answers: readonly Answer[]): Agreement {
  const disagreements: string[] = [];
  let undecided = 0;
  for (const [at, { pair: one, gained }] of questions.entries()) {
    const answer = answers[at] ?? 'unknown';
    if (answer === 'unknown' || gained === undefined) undecided += 1;
    else if ((answer === 'sat') !== gained)
      disagreements.push(told(one, `the solver says ${answer}, Pawl ${gained ? 'gained' : 'included'}`));
  }
  return { agreed: questions.length - undecided - disagreements.length, undecided, disagreements };
}
