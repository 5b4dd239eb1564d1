/** The right to delegate: how a document gives it, and which changes of it widen. */
import { describe, expect, test } from 'vitest';
import { type Gate, closed, gate, load } from '../../../../../test/policies.js';
import { judgeCall } from '../../reload/judge.js';
import { comparePolicies } from './compare.js';

const tools = { s: { t: closed({ x: { type: 'string' } }) } };
const document = (key: string, allow = 's/t'): string =>
  `pawl: 1\nservers: { s: { command: x } }\nagents:\n  a:\n    allow: [ { tools: [${allow}] } ]\n    ${key}\n`;
const of = (key: string, allow?: string): Gate => gate(document(key, allow), tools);
const changed = (old: Gate, next: Gate): unknown => {
  const { relation, executors } = comparePolicies({ old: old.policy, next: next.policy, judge: judgeCall });
  return [relation, Object.values(executors).flatMap(({ witnesses }) => witnesses)];
};
const [none, zero, one, two] = [
  '',
  'delegate: { depth: 0 }',
  'delegate: { depth: 1 }',
  'delegate: { depth: 2 }',
];

describe('[P.delegate.right] a change of the right to delegate', () => {
  test('widens where it is new or goes deeper, and says so', () => {
    const witness = (before: number | null, now: number): unknown => [
      'widening',
      [{ kind: 'change', what: 'delegation depth', path: 'agents.a.delegate.depth', old: before, new: now }],
    ];
    expect(changed(of(none), of(one))).toEqual(witness(null, 1));
    expect(changed(of(zero), of(one))).toEqual(witness(0, 1));
    expect(changed(of(one), of(two))).toEqual(witness(1, 2));
  });

  test('attenuates where it goes less deep, or away', () => {
    expect(changed(of(two), of(one))).toEqual(['attenuation', []]);
    expect(changed(of(one), of(none))).toEqual(['attenuation', []]);
    expect(changed(of(one), of(one))).toEqual(['equal', []]);
  });

  test('names the tool that a rule newly gives', () => {
    expect(changed(of(one), of(one, 's/t, pawl/delegate'))).toMatchObject([
      'widening',
      [{ kind: 'call', tool: 'pawl/delegate' }],
    ]);
  });
});

describe('[P.policy.positions] the key delegate', () => {
  const problems = (key: string, allow?: string): readonly string[] =>
    load(document(key, allow), tools).problems.map(
      ({ at, found, allowed }) => `${at.line} ${found} | ${allowed}`,
    );

  test('has a depth, a whole number, and nothing else', () => {
    expect(problems('delegate: {}')).toEqual(['6 no depth | depth: a whole number of at least 0']);
    expect(problems('delegate: { depth: 1.5 }')).toHaveLength(1);
    expect(problems('delegate: { depth: 1, to: [b] }')).toEqual(['6 key "to" | depth']);
    expect(problems('delegate: 1')).toHaveLength(1);
  });

  test('is what a rule for pawl/delegate needs', () => {
    expect(problems(none, 's/t, pawl/delegate')).toEqual([
      '5 server pawl | pawl/delegate of an agent with the key delegate',
    ]);
    expect(problems(zero, 's/t, pawl/delegate')).toEqual([]);
    expect(of(zero, 's/t, pawl/delegate').permits('pawl/delegate', { allow: [{ tools: ['s/t'] }] })).toBe(
      false,
    );
    expect(of(one, 's/t, pawl/delegate').permits('pawl/delegate', { allow: [{ tools: ['s/t'] }] })).toBe(
      true,
    );
  });
});
