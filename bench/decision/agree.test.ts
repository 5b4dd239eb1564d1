/** The two implementations that the benchmark compares, and the workload on which it does. */
import { describe, expect, test } from 'vitest';
import { admits } from '../../packages/core/src/authority/index.js';
import { describeWithShared } from '../../test/shared.js';
import { generatedWorkload, referenceWorkload } from '../workload/load.js';
import { sizes } from '../workload/workload.js';
import { handIndex } from './hand.js';
import { pawlAccess, pawlAuthority } from './pawl.js';

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

describeWithShared('the generated workload', 'data/policy-workload', () => {
  test.each(sizes)('is that of the reference files at $rules rules', ({ rules: size, tools }) => {
    const made = generatedWorkload(size, tools, 2000);
    expect(made).toEqual(referenceWorkload(size));
  });
});
