/** What is delegated against what parent and rules say each for themselves, for random policies, rules and calls. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Call,
  type Rule,
  asking,
  call,
  compiled,
  policyOf,
  target,
} from '../../../../test/random-policies.js';
import type { Gate } from '../../../../test/policies.js';
import { type Admission, admit } from '../dispatch/admit.js';
import { type Json, parseAgentName, parseToolName } from '../ground/index.js';
import { type Delegation, type Principal, policyOf as policyFor } from '../policy/index.js';
import { type Delegated, delegate } from './index.js';

const agent = parseAgentName('a');
if (agent === undefined) throw new Error('a is a name');
const a: Principal = { agent, instance: undefined };
const freedom = { deny: 0, once: 1, session: 2, permit: 3 } as const;
const rules = fc.array(fc.oneof({ weight: 2, arbitrary: target }, asking), { minLength: 1, maxLength: 3 });
const parents = policyOf.map((policy) => compiled(policy, { delegate: { depth: 3 } }));

function delegated(parent: Gate, allow: readonly Rule[], within?: Delegation): Delegated | undefined {
  const request = { allow: allow as unknown as Json, depth: 2 };
  const id = within === undefined ? 'd1' : 'd2';
  const made = delegate(parent.policy, { ...a, delegation: within }, request, id);
  return made.kind === 'delegated' ? made : undefined;
}

function judged({ policy }: Gate, delegation: Delegation, { tool, args }: Call): Admission {
  const executor = policyFor(policy, { ...a, delegation });
  const name = parseToolName(tool);
  if ('kind' in executor || name === undefined) throw new Error('it was delegated');
  return admit({ executor, tool: name, shown: tool, args, disclosure: undefined });
}

/** Whether the child admits the call, which it must exactly where both sides do. */
function isMeet(sides: readonly [Gate, Gate], made: Delegated | undefined, each: Call): boolean {
  const own = sides.map((side) => side.call(each.tool, each.args));
  const unchanged = own.every(({ filled }) => filled?.length === 0);
  const child = made && judged(sides[0], made.delegation, each);
  if (child?.kind !== 'admitted') {
    if (unchanged) expect(own.map(({ decision }) => decision)).toContain('deny');
    return false;
  }
  const least = Math.min(...sides.map((side) => freedom[side.call(each.tool, child.args).decision]));
  expect(freedom[child.level]).toBeLessThanOrEqual(least);
  if (child.filled.length === 0) expect(freedom[child.level]).toBe(least);
  return true;
}

function liesWithin(parent: Gate, { delegation }: Delegated, further: Delegated, each: Call): void {
  const grandchild = judged(parent, further.delegation, each);
  if (grandchild.kind !== 'admitted') return;
  const child = judged(parent, delegation, { ...each, args: grandchild.args });
  expect(child.kind).toBe('admitted');
  if (child.kind === 'admitted') expect(freedom[grandchild.level]).toBeLessThanOrEqual(freedom[child.level]);
}

/** Whether the rules of `further` ask for this call in vain; then the certificate has to name its tool. */
function isInVain(parent: Gate, alone: Gate, { delegation }: Delegated, each: Call): boolean {
  const child = judged(parent, delegation, each);
  if (child.kind === 'admitted' || child.denial.layer === 'decode') return false;
  return alone.call(each.tool, each.args).filled?.length === 0;
}

describe('[P.delegate.meet] what is delegated', () => {
  test('is admitted iff parent and rules admit it, at the lower of their levels', () => {
    let admitted = 0;
    const calls = fc.array(call, { minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(parents, rules, calls, (parent, allow, some) => {
        const alone = compiled({ allow, ask: [], deny: [] });
        if (parent === undefined || alone === undefined) return;
        const made = delegated(parent, allow);
        admitted += some.filter((each) => isMeet([parent, alone], made, each)).length;
      }),
      { numRuns: 120 },
    );
    expect(admitted).toBeGreaterThan(3);
  });

  test('of what was delegated lies within it, and tells truly what was asked for in vain', () => {
    let told = 0;
    const calls = fc.array(call, { maxLength: 6 });
    fc.assert(
      fc.property(parents, rules, rules, calls, (parent, first, second, some) => {
        const made = parent && delegated(parent, first);
        const further = made && delegated(parent, second, made.delegation);
        const alone = compiled({ allow: second, ask: [], deny: [] });
        if (parent === undefined || made === undefined) return;
        if (further === undefined || alone === undefined) return;
        for (const each of some) liesWithin(parent, made, further, each);
        const { notGranted, notHeld } = further.certificate;
        const vain = notHeld.length > 0 ? [] : some.filter((each) => isInVain(parent, alone, made, each));
        told += vain.length;
        const named = notGranted.map(({ tool }) => tool as string);
        for (const each of vain) expect(named).toContain(each.tool);
      }),
      { numRuns: 200 },
    );
    expect(told).toBeGreaterThan(0);
  });
});
