/** The two implementations that the benchmark compares, and the workload on which it does. */
import { describe, expect, test } from 'vitest';
import { admits } from '../../packages/core/src/authority/index.js';
import { describeWithShared } from '../../test/shared.js';
import { generatedWorkload, referenceWorkload } from '../workload/load.js';
import { type WorkloadCall, sizes } from '../workload/workload.js';
import { handIndex } from './hand.js';
import { pawlAccess, pawlAuthority } from './pawl.js';
import { ajv } from './peer/ajv.js';
import { casl } from './peer/casl.js';
import { cedar } from './peer/cedar.js';
import type { Judge } from './peer/judge.js';

/** Of 10,000 calls, as the description of the workload states. */
const allowed: Readonly<Record<number, number>> = { 20: 5040, 200: 5043, 2000: 5044 };

describe.each(sizes)('the decision benchmark at $rules rules', ({ rules: size, tools }) => {
  const { rules, calls } = generatedWorkload(size, tools, 10_000);

  test('has as many allowed calls as its description says', () => {
    expect(calls.filter((call) => call.allow)).toHaveLength(allowed[size]!);
  });

  test('[P.numbers.bench] compares implementations that agree on every call', () => {
    const hand = handIndex(rules);
    const authority = pawlAuthority(rules);
    for (const call of calls) {
      const answer = admits(authority, pawlAccess(call));
      expect([hand(call).allow, answer.level !== undefined]).toEqual([call.allow, call.allow]);
    }
  });
});

describe('the engines beside it', () => {
  const verdicts = <Q>(engine: Judge<Q>, calls: readonly WorkloadCall[]): readonly boolean[] =>
    calls.map((call) => engine.judge(engine.question(call)) !== undefined);

  test.each([
    { size: 20, tools: 5, quick: 1000, slow: 200 },
    { size: 200, tools: 25, quick: 500, slow: 40 },
    { size: 2000, tools: 100, quick: 1000, slow: 10 },
  ])('[P.numbers.bench] give the same verdicts at $size rules', ({ size, tools, quick, slow }) => {
    const { rules, calls } = generatedWorkload(size, tools, quick);
    const expected = calls.map(({ allow }) => allow);
    expect(verdicts(casl.judge(rules), calls)).toEqual(expected);
    // Compiling 2,000 schemas takes seconds; the benchmark itself checks that size.
    if (size < 2000) expect(verdicts(ajv.judge(rules), calls)).toEqual(expected);
    expect(verdicts(cedar.judge(rules), calls.slice(0, slow))).toEqual(expected.slice(0, slow));
  });
});

describeWithShared('the generated workload', 'data/policy-workload', () => {
  test.each(sizes)('is that of the reference files at $rules rules', ({ rules: size, tools }) => {
    const made = generatedWorkload(size, tools, 2000);
    expect(made).toEqual(referenceWorkload(size));
  });
});
