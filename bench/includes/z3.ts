/** The question of inclusion as z3 is asked it: some access that a rule of NEW allows and no rule of OLD. */
import { admitted } from '../../test/oracle/encode.js';
import {
  type Argument,
  type Formula,
  and,
  declarations,
  is,
  not,
  or,
  smt,
} from '../../test/oracle/formula.js';
import { any, star } from '../../test/oracle/regex.js';
import { type Answer, Z3 } from '../../test/oracle/solvers.js';
import type { DocumentRule } from './policies.js';

/** Most milliseconds that z3 has. */
const patience = 10_000;

const text = (name: string, mayMiss: boolean): Argument => ({
  name,
  tags: mayMiss ? ['missing', 'text'] : ['text'],
  texts: star(any),
});
const number = (name: string, mayMiss: boolean): Argument => ({
  name,
  tags: mayMiss ? ['missing', 'number'] : ['number'],
  texts: star(any),
});
const args = [
  text('path', false),
  text('mode', true),
  number('size', true),
  text('host', true),
  text('ref', true),
];
const tool = { name: 'w/t', path: 'path', args };

/** Asks whether the rules of NEW allow more; what z3 takes to start is not counted. */
export async function askZ3(
  old: readonly DocumentRule[],
  next: readonly DocumentRule[],
): Promise<{ readonly answer: Answer; readonly milliseconds: number }> {
  const numbers = new Map<string, number>();
  const gained = and(allowed(next, numbers), not(allowed(old, numbers)));
  const place = number('place', false);
  const z3 = new Z3(patience);
  try {
    await z3.ask(['']);
    const begun = performance.now();
    const answer = await z3.ask([`${declarations([...args, place])}\n(assert ${smt(gained)})`]);
    return { answer, milliseconds: performance.now() - begun };
  } finally {
    z3.stop();
  }
}

/** Tool and verb together are a number. */
function allowed(rules: readonly DocumentRule[], numbers: Map<string, number>): Formula {
  return or(
    ...rules.map((rule) => {
      const name = `${rule.tools.join()} ${rule.verbs.join()}`;
      const at = numbers.get(name) ?? numbers.size;
      numbers.set(name, at);
      const here = and(is('place', 'number'), { kind: 'compare', of: 'place', how: '=', with: at });
      return and(here, admitted({ allow: [rule], ask: [], deny: [] }, tool, 'permit'));
    }),
  );
}
