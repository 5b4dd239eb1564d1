/** `npm run check:z3 -- [--pairs N] [--seed N]`: what SMT solvers say of random pairs of policies, beside what Pawl says. */
import { parseArgs } from 'node:util';
import { type Agreement, agreementOf, comparePairs } from './check.js';
import { type Answer, Z3, askCvc5, cvc5IsHere } from './solvers.js';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const say = (text: string): unknown => process.stdout.write(`${text}\n`);

function tell(name: string, { agreed, undecided, disagreements }: Agreement, milliseconds: number): void {
  const seconds = (milliseconds / 1000).toFixed(1);
  say(
    `${name}: ${agreed} agreed, ${disagreements.length} disagreed, ${undecided} undecided, in ${seconds} s`,
  );
  for (const each of disagreements) say(each);
}

const begun = performance.now();
const compared = comparePairs(Number(values.pairs), Number(values.seed));
const { questions, relations, faults } = compared;
say(
  `${compared.pairs} pairs compared in ${((performance.now() - begun) / 1000).toFixed(1)} s: ${JSON.stringify(relations)}`,
);
say(`${questions.length} questions; ${compared.shown} witnesses are calls, ${compared.accesses} accesses`);
say(`${faults.length} faults of witnesses and certificates`);
for (const fault of faults) say(fault);

let wrong = faults.length;
const z3 = new Z3();
const asked = performance.now();
const answers: Answer[] = [];
for (const { scripts } of questions) answers.push(await z3.ask(scripts));
z3.stop();
const agreement = agreementOf(questions, answers);
wrong += agreement.disagreements.length;
tell('z3', agreement, performance.now() - asked);
if (cvc5IsHere()) {
  const start = performance.now();
  const all: Answer[] = [];
  for (let at = 0; at < questions.length; at += 100)
    all.push(...askCvc5(questions.slice(at, at + 100).map(({ scripts }) => scripts)));
  const other = agreementOf(questions, all);
  wrong += other.disagreements.length;
  tell('cvc5', other, performance.now() - start);
} else say('cvc5 is not installed and was not asked');
process.exit(wrong === 0 ? 0 : 1);
