/** Comparing policies of many rules: CPU of one comparison in a process that is warm, of its certificate, and of z3 beside it. */
import { type CompiledPolicy, certificateFaults, comparePolicies, judgeCall } from '@pawl/core';
import { summary } from '../measure/rounds.js';
import type { WorkloadRule } from '../workload/workload.js';
import { compiledOf, documentOf, halves, narrowed, rulesOf, stated, widened } from './policies.js';
import { askZ3 } from './z3.js';

/** A size: how many rules, over how many tools, and whether all are of one tool and verb. */
interface Size {
  readonly name: string;
  readonly rules: number;
  readonly tools: number;
  readonly oneBucket: boolean;
}

const sizes: readonly Size[] = [
  { name: '1,000 rules, 50 tools', rules: 1000, tools: 50, oneBucket: false },
  { name: '5,000 rules, 250 tools', rules: 5000, tools: 250, oneBucket: false },
  { name: '1,000 in one tool and verb', rules: 1000, tools: 1, oneBucket: true },
];

/** A change of all the rules; `round` makes it another one each time. */
interface Change {
  readonly name: string;
  readonly expected: readonly string[];
  readonly rounds: number;
  readonly old: (rules: readonly WorkloadRule[], round: number) => Rules;
  readonly next: (rules: readonly WorkloadRule[], round: number) => Rules;
}
type Rules = ReturnType<typeof halves>;

const unchanged = (rules: readonly WorkloadRule[]): Rules => rules.map(stated);
const split = (rules: readonly WorkloadRule[], round: number): Rules =>
  rules.flatMap((rule, at) => halves(rule, at + round));
const one =
  (edit: (rule: WorkloadRule) => WorkloadRule) =>
  (rules: readonly WorkloadRule[], round: number): Rules => {
    const place = (round * 37 + 11) % rules.length;
    return rules.map((rule, at) => stated(at === place ? edit(rule) : rule));
  };

const changes: readonly Change[] = [
  {
    name: 'one rule narrowed',
    expected: ['attenuation', 'equal'],
    rounds: 12,
    old: unchanged,
    next: one((rule) => narrowed(rule, 5)),
  },
  {
    name: 'one rule widened',
    expected: ['widening', 'equal'],
    rounds: 12,
    old: unchanged,
    next: one(widened),
  },
  {
    name: 'every rule narrowed',
    expected: ['attenuation'],
    rounds: 4,
    old: unchanged,
    next: (rules, round) => rules.map((rule) => stated(narrowed(rule, 5 + round))),
  },
  { name: 'every rule split in two', expected: ['equal'], rounds: 4, old: unchanged, next: split },
  { name: 'every two halves merged', expected: ['equal'], rounds: 4, old: split, next: unchanged },
];

/** What was seen, milliseconds of CPU; the certificate's size in bytes. */
export interface IncludesFigures {
  readonly size: string;
  readonly change: string;
  readonly relation: string;
  /** Parsing and reading the text of NEW. */
  readonly read: ReturnType<typeof summary>;
  /** Compiling NEW with OLD at hand, as a daemon and its prover do. */
  readonly compile: ReturnType<typeof summary>;
  /** The comparison alone, with its witness or certificate. */
  readonly compare: ReturnType<typeof summary>;
  /** Undefined where there is no certificate. */
  readonly check: ReturnType<typeof summary> | undefined;
  readonly bytes: number;
  /** What z3 says of whether NEW holds more, and milliseconds that passed. */
  readonly z3: { readonly answer: string; readonly milliseconds: number } | undefined;
}

/** Measures. `quick`: two rounds of each, no 5,000 rules, z3 only for single rules. */
export async function measureIncludes(quick: boolean): Promise<readonly IncludesFigures[]> {
  const figures: IncludesFigures[] = [];
  for (const size of quick ? sizes.filter(({ rules }) => rules < 5000) : sizes) {
    const rules = rulesOf(size.rules, size.tools, size.oneBucket);
    warmUp(rules.slice(0, 200), size.tools);
    // Twice 5,000 rules are more than a document may hold.
    const some =
      size.rules < 5000 ? changes : changes.filter(({ old, next }) => old !== split && next !== split);
    for (const change of some) figures.push(await measured(size, change, rules, quick));
  }
  return figures;
}

function warmUp(rules: readonly WorkloadRule[], tools: number): void {
  for (let round = 0; round < 3; round++) {
    for (const { old, next } of changes) {
      const sides = pair(old(rules, round), next(rules, round), tools);
      const { certificate } = comparePolicies(sides);
      if (certificate !== undefined) certificateFaults(certificate, sides);
    }
  }
}

function pair(
  old: Rules,
  next: Rules,
  tools: number,
): { old: CompiledPolicy; next: CompiledPolicy; judge: typeof judgeCall } {
  const before = compiledOf(documentOf(old, tools));
  return { old: before, next: compiledOf(documentOf(next, tools), before), judge: judgeCall };
}

async function measured(
  { name, tools }: Size,
  change: Change,
  rules: readonly WorkloadRule[],
  quick: boolean,
): Promise<IncludesFigures> {
  const seen: Record<'read' | 'compile' | 'compare' | 'check', number[]> = {
    read: [],
    compile: [],
    compare: [],
    check: [],
  };
  let [relation, bytes] = ['', 0];
  let old = change.old(rules, 0);
  let before = compiledOf(documentOf(old, tools));
  for (let round = 0; round < (quick ? 2 : change.rounds); round++) {
    if (change.old !== unchanged) {
      old = change.old(rules, round);
      before = compiledOf(documentOf(old, tools));
    }
    const document = timed(seen.read, () => documentOf(change.next(rules, round), tools));
    const next = timed(seen.compile, () => compiledOf(document, before));
    const sides = { old: before, next, judge: judgeCall };
    // What compiling left behind is not to be cleared while comparing is measured.
    globalThis.gc?.();
    const found = timed(seen.compare, () => comparePolicies(sides));
    relation = found.relation;
    if (!change.expected.includes(relation)) throw new Error(`${name}, ${change.name}: ${relation}`);
    const { certificate } = found;
    if (certificate === undefined) continue;
    bytes = JSON.stringify(certificate).length;
    const faults = timed(seen.check, () => certificateFaults(certificate, sides));
    if (faults.length > 0) throw new Error(faults.join('; '));
  }
  const asked = !quick || change.name.startsWith('one');
  const z3 = asked ? await askZ3(old, change.next(rules, 0)) : undefined;
  const { read, compile, compare } = seen;
  const checked = seen.check.length === 0 ? undefined : summary(seen.check);
  const summed = { read: summary(read), compile: summary(compile), compare: summary(compare) };
  return { size: name, change: change.name, relation, ...summed, check: checked, bytes, z3 };
}

function timed<T>(samples: number[], run: () => T): T {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  samples.push((user + system) / 1000);
  return result;
}
