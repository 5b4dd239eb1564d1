/** Comparing policies about commands: against judging command lines one by one, and what the witnesses are. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowing, policy, some } from '../../../../../test/commands.js';
import type { Gate } from '../../../../../test/policies.js';
import { judgeCall } from '../../reload/judge.js';
import type { Comparison } from '../comparison.js';
import { comparePolicies } from './compare.js';

const compare = (old: Gate, next: Gate): Comparison =>
  comparePolicies({ old: old.policy, next: next.policy, judge: judgeCall });

const freedom = { deny: 0, once: 1, session: 2, permit: 3 } as const;

/** Conditions on the command, and more of them. */
const where = fc.constantFrom(
  '{ args.command: any }',
  '{ args.command: [git status, "ls; cat /data/a"] }',
  some('{ prefix: git }'),
  some('{ program: [git] }'),
  some('{ program: [git, ls] }'),
  some('{ program: [git], sub: [status] }'),
  some('{ program: [git], args: [status, "**"] }'),
  some('{ program: [cat, ls] }', ', path: /data/**'),
  some('{ program: [cat, ls] }', ', path: ["/data/**", "/proj/**"]'),
  some('{ program: ["*"], env: any, redirect: { write: [/data/**] } }'),
  some('{ program: [cat], redirect: { read: [/data/**], write: [/data/out/**] } }'),
  some('{ in: { program: ["*"] }, except: { program: [git], sub: [push] } }'),
  some('{ optional: { program: [ls], args: [-l] } }'),
);
const refusing = fc.constantFrom(
  '{ args.command: { program: [git] } }',
  '{ args.command: { program: [git], sub: [push] } }',
  '{ args.command: { has: [-l], env: any } }',
  '{ args.command: { redirect: { write: [/data/out/**] }, env: any } }',
);
const verbs = fc.constantFrom('', '', '', 'verbs: [execute, read], ');

interface Lists {
  readonly allow: readonly (readonly [verbs: string, where: string])[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}
const lists: fc.Arbitrary<Lists> = fc.record({
  allow: fc.array(fc.tuple(verbs, where), { minLength: 1, maxLength: 3 }),
  deny: fc.array(refusing, { maxLength: 1 }),
  ask: fc.array(refusing, { maxLength: 1 }),
});

function gateOf({ allow, deny, ask }: Lists): Gate | undefined {
  const rules = (list: readonly string[]): string => `[ ${list.join(', ')} ]`;
  const rule = (each: string): string => `{ tools: [sh/run], where: ${each} }`;
  const allowed = allow.map(([verb, each]) => `{ tools: [sh/run], ${verb}where: ${each} }`);
  try {
    return policy(
      `allow: ${rules(allowed)}, deny: ${rules(deny.map(rule))}, ask: ${rules(ask.map((each) => rule(each)))}`,
    );
  } catch {
    // Verbs that the tool has only where a rule reads commands, or rules that are wholly denied: no policy.
    return undefined;
  }
}

const lines: readonly (string | undefined)[] = [
  undefined,
  'git status',
  'git  status',
  'git status -s',
  'git push',
  'git -c a=b push',
  'ls',
  'ls -l',
  'ls /data',
  'cat /data/a',
  'cat /data/a > /data/out/b',
  'cat /data/a > /data/b',
  'cat < /data/a',
  'cat /etc/passwd',
  'cat a',
  'A=1 ls',
  'A=1 git push',
  'ls; cat /data/a',
  'ls; git status',
  'ls $x',
  'gitk',
  'rm /data/a',
  "sh -c 'git status'",
];

describe('[P.kind.command] policies about commands', () => {
  test('an attenuation lets no command line through that OLD refuses', () => {
    let attenuations = 0;
    let widenings = 0;
    fc.assert(
      fc.property(lists, lists, (one, two) => {
        const [old, next] = [gateOf(one), gateOf(two)];
        if (old === undefined || next === undefined) return;
        const { relation } = compare(old, next);
        if (relation === 'widening') widenings++;
        if (relation !== 'attenuation' && relation !== 'equal') return;
        attenuations++;
        for (const line of lines) {
          const args = line === undefined ? {} : { command: line };
          const now = next.call('sh/run', args);
          const judged = (now.filled?.length ?? 0) > 0 && now.args !== undefined ? now.args : args;
          expect([line, freedom[now.decision] <= freedom[old.call('sh/run', judged).decision]]).toEqual([
            line,
            true,
          ]);
        }
      }),
      { numRuns: 250 },
    );
    expect(attenuations).toBeGreaterThan(3);
    expect(widenings).toBeGreaterThan(40);
  }, 240_000);

  test.each([
    ['{ args.command: { program: [git, ls] } }', '{ args.command: { program: [git] } }', 'attenuation'],
    ['{ args.command: any }', '{ args.command: { program: [git] } }', 'attenuation'],
    ['{ args.command: { program: [git] } }', '{ args.command: [git status] }', 'attenuation'],
    [
      '{ args.command: { program: [git], sub: [status] } }',
      '{ args.command: { program: [git], args: [status, "**"] } }',
      'attenuation',
    ],
    ['{ args.command: { program: [git], args: ["**"] } }', '{ args.command: { program: [git] } }', 'equal'],
    ['{ args.command: { program: [git] } }', '{ args.command: { program: [git, ls] } }', 'widening'],
    ['{ args.command: { program: [git] } }', '{ args.command: any }', 'widening'],
    ['{ args.command: { program: [git] }, path: /data/** }', '{ args.command: [git status] }', 'widening'],
    [
      '{ args.command: { program: [cat] }, path: /data/** }',
      '{ args.command: { program: [cat] }, path: [/data/**, /etc/**] }',
      'widening',
    ],
    [
      '{ args.command: { program: [cat], redirect: { write: [/a/**] } } }',
      '{ args.command: { program: [cat], redirect: { write: [/a/**, /b/**] } } }',
      'widening',
    ],
  ])('%s to %s is %s', (old, next, relation) => {
    const found = compare(allowing(old), allowing(next));
    expect(found.relation).toBe(relation);
    for (const { witnesses } of Object.values(found.executors))
      for (const witness of witnesses) expect(witness.kind).toBe('call');
  });
});
