/** What is delegated against what parent and rules say each for themselves, for random policies, rules and calls. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Call, asking, call, compiled, policyOf, target } from '../../../../test/random-policies.js';
import type { Gate } from '../../../../test/policies.js';
import { type Admission, admit } from '../dispatch/admit.js';
import { type Json, parseAgentName, parseToolName } from '../ground/index.js';
import { type Principal, type Delegation, policyOf as policyFor } from '../policy/index.js';
import { type Delegated, delegate } from './index.js';

const agent = parseAgentName('a');
if (agent === undefined) throw new Error('a is a name');
const a: Principal = { agent, instance: undefined };
const freedom = { deny: 0, once: 1, session: 2, permit: 3 } as const;
const rules = fc.array(fc.oneof({ weight: 2, arbitrary: target }, asking), { minLength: 1, maxLength: 3 });
const parents = policyOf.map((policy) => compiled(policy, { delegate: { depth: 3 } }));

function delegated(parent: Gate, allow: Json, within?: Delegation): Delegated | undefined {
  const made = delegate(
    parent.policy,
    { ...a, delegation: within },
    { allow, depth: 2 },
    within === undefined ? 'd1' : 'd2',
  );
  return made.kind === 'delegated' ? made : undefined;
}

function judged({ policy }: Gate, delegation: Delegation, { tool, args }: Call): Admission {
  const executor = policyFor(policy, { ...a, delegation });
  const name = parseToolName(tool);
  if ('kind' in executor || name === undefined) throw new Error('it was delegated');
  return admit({ executor, tool: name, shown: tool, args, disclosure: undefined });
}

describe('[P.delegate.meet] what is delegated', () => {
  test('is admitted iff parent and rules admit it, at the lower of their levels', () => {
    let admitted = 0;
    fc.assert(
      fc.property(parents, rules, fc.array(call, { minLength: 4, maxLength: 8 }), (parent, allow, calls) => {
        const alone = compiled({ allow, ask: [], deny: [] });
        if (parent === undefined || alone === undefined) return;
        const made = delegated(parent, allow as unknown as Json);
        for (const each of calls) {
          const [one, two] = [parent.call(each.tool, each.args), alone.call(each.tool, each.args)];
          const unchanged = one.filled?.length === 0 && two.filled?.length === 0;
          if (made === undefined) {
            expect(one.decision === 'deny' || two.decision === 'deny' || !unchanged).toBe(true);
            continue;
          }
          const child = judged(parent, made.delegation, each);
          if (child.kind === 'admitted') {
            admitted += 1;
            const levels = [parent, alone].map((side) => freedom[side.call(each.tool, child.args).decision]);
            expect(freedom[child.level]).toBeLessThanOrEqual(Math.min(...levels));
            if (child.filled.length === 0) expect(freedom[child.level]).toBe(Math.min(...levels));
          } else if (unchanged) {
            expect([one.decision, two.decision]).toContain('deny');
          }
        }
      }),
      { numRuns: 120 },
    );
    expect(admitted).toBeGreaterThan(20);
  });

  test('of what was delegated lies within it, and tells truly what was asked for in vain', () => {
    let told = 0;
    fc.assert(
      fc.property(parents, rules, rules, fc.array(call, { maxLength: 6 }), (parent, first, second, calls) => {
        const made = parent && delegated(parent, first as unknown as Json);
        const further = made && delegated(parent, second as unknown as Json, made.delegation);
        if (parent === undefined || made === undefined || further === undefined) return;
        const alone = compiled({ allow: second, ask: [], deny: [] });
        const beyond = new Set(further.certificate.notGranted.map(({ tool }) => tool as string));
        for (const each of calls) {
          const [child, grandchild] = [made, further].map(({ delegation }) =>
            judged(parent, delegation, each),
          );
          if (grandchild?.kind === 'admitted') {
            const before = judged(parent, made.delegation, { ...each, args: grandchild.args });
            expect(before.kind).toBe('admitted');
            if (before.kind === 'admitted')
              expect(freedom[grandchild.level]).toBeLessThanOrEqual(freedom[before.level]);
          }
          if (child?.kind === 'admitted' || alone === undefined) continue;
          const asked = alone.call(each.tool, each.args);
          if (asked.decision === 'deny' || further.certificate.notHeld.length > 0) continue;
          if ((asked.filled?.length ?? 0) > 0 || child?.denial.layer === 'decode') continue;
          told += 1;
          expect([...beyond]).toContain(each.tool);
        }
      }),
      { numRuns: 120 },
    );
    expect(told).toBeGreaterThan(3);
  });
});
