/** Comparing policies against SMT solvers on random pairs; `npm run check:z3` asks them about many more. */
import { afterAll, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../packages/core/src/ground/index.js';
import { agreementOf, comparePairs, levelOf } from '../oracle/check.js';
import { loaded, pair } from '../oracle/pairs.js';
import { type Answer, Z3, askCvc5, cvc5IsHere } from '../oracle/solvers.js';

const compared = comparePairs(150, 20_261_130);
const forth = compared.questions.slice(0, 160);
const z3 = new Z3();
afterAll(() => z3.stop());
const cvc5 = cvc5IsHere();
if (!cvc5) console.warn('cvc5 is not installed (Debian has it as the package cvc5): it is not asked');

describe('against SMT solvers', () => {
  test('[P.includes.exact] z3 disagrees with no answer that both decide', { timeout: 180_000 }, async () => {
    const answers: Answer[] = [];
    for (const { scripts } of forth) answers.push(await z3.ask(scripts));
    const { agreed, undecided, disagreements } = agreementOf(forth, answers);
    console.log(`z3: ${agreed} agreed, ${undecided} undecided of ${forth.length}`);
    expect(disagreements).toEqual([]);
    expect(agreed).toBeGreaterThan(forth.length / 2);
    expect(answers).toContain('sat');
    expect(answers).toContain('unsat');
  });

  test.skipIf(!cvc5)(
    '[P.includes.exact] cvc5, where it is installed, disagrees with no answer that both decide',
    { timeout: 180_000 },
    () => {
      const some = forth.slice(0, 60);
      const { agreed, undecided, disagreements } = agreementOf(
        some,
        askCvc5(some.map(({ scripts }) => scripts)),
      );
      console.log(`cvc5: ${agreed} agreed, ${undecided} undecided of ${some.length}`);
      expect(disagreements).toEqual([]);
      expect(agreed).toBeGreaterThan(some.length / 3);
    },
  );

  test('[P.includes.exact] every widening has a witness, each is what it claims to be, and every certificate holds', () => {
    expect(compared.faults).toEqual([]);
    expect(compared.relations.unknown).toBe(0);
    expect(compared.shown).toBeGreaterThan(compared.relations.widening * 0.9);
  });

  test('[P.level.three-sets] the reading of policies that solvers are asked about is that of the matcher', () => {
    const scalar = fc.constantFrom<Json>(
      'a',
      'A',
      'b',
      'ab',
      'k',
      's',
      'é',
      '',
      'axb',
      1,
      2,
      2.5,
      4,
      true,
      null,
    );
    const plain = fc.record({ x: scalar, y: scalar }, { requiredKeys: ['x'] });
    const path = fc.constantFrom('/', '/w', '/w/a', '/w/b/k', '/w/K', '/x/y/k', '/w/ab', '/w/.a', '/w/bk');
    const head = fc.constantFrom(-1, 0, 1, 2, 2.5, 3, 5);
    const file = fc.record({ path, head, tail: head }, { requiredKeys: ['path'] });
    let judged = 0;
    fc.assert(
      fc.property(
        pair,
        fc.array(plain, { maxLength: 8 }),
        fc.array(file, { maxLength: 8 }),
        (one, plains, files) => {
          const gate = loaded(one.old, one.tool);
          fc.pre(gate !== undefined);
          const calls: readonly JsonObject[] = one.tool.path === undefined ? plains : files;
          for (const args of calls) {
            const verdict = gate.call(one.tool.name, args);
            if ((verdict.filled?.length ?? 0) > 0) continue;
            judged += 1;
            expect([args, levelOf(one.old, one.tool, args)]).toEqual([args, verdict.decision]);
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(judged).toBeGreaterThan(400);
  });
});
