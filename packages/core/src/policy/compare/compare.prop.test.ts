/** Comparing random policies against judging calls one by one. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Call,
  type Policy,
  type Rule,
  call,
  compiled,
  denial,
  asking,
  pathConstraint,
  policyOf,
  target,
} from '../../../../../test/random-policies.js';
import type { Gate } from '../../../../../test/policies.js';
import { judgeCall } from '../../reload/judge.js';
import type { Comparison } from '../comparison.js';
import { comparePolicies } from './compare.js';

const compare = (old: Gate, next: Gate): Comparison =>
  comparePolicies({ old: old.policy, next: next.policy, judge: judgeCall });

/** A policy and one that is a small change of it. */
const pair: fc.Arbitrary<readonly [Policy, Policy]> = fc
  .tuple(
    policyOf,
    fc.array(
      fc.oneof(
        fc.record({ list: fc.constant('allow' as const), rule: fc.oneof(target, asking) }),
        fc.record({ list: fc.constant('ask' as const), rule: asking }),
        fc.record({ list: fc.constant('deny' as const), rule: denial }),
        fc.record({
          list: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
          drop: fc.nat(3),
        }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    fc.boolean(),
  )
  .map(([policy, changes, swapped]) => {
    const changed = changes.reduce<Policy>((now, change) => {
      const list = now[change.list];
      const next: readonly Rule[] =
        'rule' in change ? [...list, change.rule] : list.filter((_, at) => at !== change.drop);
      return { ...now, [change.list]: next };
    }, policy);
    return swapped ? ([changed, policy] as const) : ([policy, changed] as const);
  });

const freedom = { deny: 0, once: 1, session: 2, permit: 3 } as const;

function freer(old: Gate, next: Gate, { tool, args }: Call): boolean {
  const now = next.call(tool, args);
  // A call that is filled counts as the filled one.
  const judged = now.args !== undefined && (now.filled?.length ?? 0) > 0 ? now.args : args;
  return freedom[now.decision] > freedom[old.call(tool, judged).decision];
}

describe('comparing', () => {
  test('[P.includes.exact] never says attenuation where some call is judged more freely, and shows each widening by a call that is', () => {
    let widenings = 0;
    let shown = 0;
    let unknown = 0;
    fc.assert(
      fc.property(pair, fc.array(call, { minLength: 40, maxLength: 40 }), ([a, b], calls) => {
        const [old, next] = [compiled(a), compiled(b)];
        fc.pre(old !== undefined && next !== undefined);
        const { relation, executors } = compare(old, next);
        if (relation === 'unknown') unknown += 1;
        const gains = calls.filter((one) => freer(old, next, one));
        if (relation !== 'widening') expect([relation, gains]).toEqual([relation, []]);
        else widenings += 1;
        for (const witness of Object.values(executors).flatMap(({ witnesses }) => witnesses)) {
          if (witness.kind !== 'call') continue;
          expect(freer(old, next, witness)).toBe(true);
          shown += 1;
        }
      }),
      { numRuns: 150 },
    );
    expect(shown).toBeGreaterThan(widenings / 2);
    expect(unknown).toBeLessThan(15);
  });

  test('[P.includes.exact] a policy equals itself with its rules in any order, and attenuates itself with one more allow rule', () => {
    fc.assert(
      fc.property(policyOf, target, (policy, more) => {
        const [one, turned, larger] = [
          compiled(policy),
          compiled({
            allow: [...policy.allow].reverse(),
            ask: [...policy.ask].reverse(),
            deny: [...policy.deny].reverse(),
          }),
          compiled({ ...policy, allow: [...policy.allow, more] }),
        ];
        fc.pre(one !== undefined && turned !== undefined && larger !== undefined);
        expect(compare(one, turned).relation).toBe('equal');
      }),
      { numRuns: 60 },
    );
  });

  test('[P.includes.exact] one more denial, ask entry or ceiling is an attenuation', () => {
    fc.assert(
      fc.property(policyOf, denial, asking, pathConstraint, (policy, deny, ask, path) => {
        const old = compiled(policy);
        fc.pre(old !== undefined);
        const less = [
          compiled({ ...policy, deny: [...policy.deny, deny] }),
          compiled({ ...policy, ask: [...policy.ask, ask] }),
          compiled(policy, { ceiling: { filesystem: { path } } }),
        ];
        for (const next of less)
          if (next !== undefined) expect(['attenuation', 'equal']).toContain(compare(old, next).relation);
      }),
      { numRuns: 60 },
    );
  });
});
