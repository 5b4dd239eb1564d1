/** Comparing policies against enumeration: in finite universes every access is judged under both. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { certificateFaults } from '../../packages/core/src/policy/compare/certificate.js';
import { comparePolicies } from '../../packages/core/src/policy/compare/compare.js';
import { judgeCall } from '../../packages/core/src/reload/judge.js';
import { type Access, finitePair, gainedIn, loadedFinite, rows } from '../oracle/finite.js';
import type { Policy } from '../random-policies.js';

/** One access of each row that is freer under NEW. */
function gained(
  old: Policy,
  next: Policy,
): readonly (Access & { readonly tool: string; readonly verb: string })[] {
  return rows.flatMap((row) => {
    const access = gainedIn(row, old, next);
    return access === undefined ? [] : [{ tool: row.tool, verb: row.verb, ...access }];
  });
}

describe('in finite universes', () => {
  test('[P.includes.exact] every relation is the one that judging each access under both policies gives', () => {
    const seen = { equal: 0, attenuation: 0, widening: 0, unknown: 0 };
    fc.assert(
      fc.property(finitePair, ([one, two]) => {
        const [old, next] = [loadedFinite(one), loadedFinite(two)];
        fc.pre(old !== undefined && next !== undefined);
        const sides = { old: old.policy, next: next.policy, judge: judgeCall };
        const { relation, executors, certificate } = comparePolicies(sides);
        seen[relation] += 1;
        const [forth, back] = [gained(one, two), gained(two, one)];
        const expected = forth.length > 0 ? 'widening' : back.length > 0 ? 'attenuation' : 'equal';
        const witnesses = Object.values(executors).flatMap((each) => each.witnesses);
        expect([relation, expected === relation ? [] : [forth, back, witnesses]]).toEqual([expected, []]);
        if (relation !== 'widening') expect(certificateFaults(certificate ?? null, sides)).toEqual([]);
      }),
      { numRuns: Number(process.env['PAIRS'] ?? 120) },
    );
    for (const relation of ['equal', 'attenuation', 'widening'] as const)
      expect(seen[relation]).toBeGreaterThan(5);
  });
});
