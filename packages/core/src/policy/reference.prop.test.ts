/** Small policies at random against a naive reading of POLICY sections 2 to 4, and the laws that any reading must keep. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../test/policies.js';
import type { Json, JsonObject } from '../ground/index.js';
import { argumentsHold, beneath, canonical, leafMeets } from '../../../../test/naive-reading.js';
import {
  type Call,
  type Policy,
  type Rule,
  asking,
  call,
  compiled,
  denial,
  oneOrTwo,
  pathConstraint,
  policyOf,
  scalar,
  target,
} from '../../../../test/random-policies.js';

interface Access {
  readonly verb: string;
  readonly path?: string;
  readonly extent?: 'subtree';
  readonly move?: true;
}

function accessesOf({ tool, args }: Call): readonly Access[] {
  const at = (name: string): string => canonical(args[name] as string);
  switch (tool) {
    case 's/t':
      return [{ verb: 'call' }];
    case 'f/read_text_file':
      return [{ verb: 'read', path: at('path') }];
    case 'f/directory_tree':
      return [{ verb: 'read', path: at('path'), extent: 'subtree' }];
    case 'f/edit_file':
      return [
        { verb: 'read', path: at('path') },
        { verb: 'write', path: at('path') },
      ];
    case 'f/read_multiple_files':
      return (args['paths'] as string[]).map((each) => ({ verb: 'read', path: canonical(each) }));
    default:
      return [
        { verb: 'delete', path: at('source'), extent: 'subtree', move: true },
        { verb: 'write', path: at('destination'), extent: 'subtree', move: true },
      ];
  }
}

function concerns(rule: Rule, { tool, args: _args }: Call, access: Access): boolean {
  const named =
    rule.tools === undefined ||
    rule.tools.some((each) => each === tool || (each.endsWith('/*') && tool.startsWith(each.slice(0, -1))));
  const has = Object.keys(rule.where ?? {}).every((key) =>
    key === 'path' ? access.path !== undefined : tool === 's/t',
  );
  return named && has && (rule.verbs?.includes(access.verb) ?? true);
}

function meets(rule: Rule, one: Call, access: Access): boolean {
  if (!concerns(rule, one, access) || !argumentsHold(rule, one.args, 'refuse')) return false;
  const constraint = rule.where?.['path'];
  if (constraint === undefined || access.path === undefined) return true;
  const test = (part: Json, at: string): boolean => leafMeets(part, at, 'refuse', 'path');
  const below = (part: Json): boolean => beneath(access.path ?? '').some((at) => test(part, at));
  if (access.extent === undefined || rule.reach === 'named') return test(constraint, access.path);
  if (access.move === undefined) return below(constraint);
  const follows = (text: string): boolean => text.startsWith('**/');
  if (Array.isArray(constraint)) {
    return (constraint as string[]).some((each) =>
      follows(each) ? test([each], access.path ?? '') : below([each]),
    );
  }
  const within = (constraint as { in?: string[] }).in;
  return within?.every(follows) === true ? test(constraint, access.path) : below(constraint);
}

/** Whether a list judges an argument as a path, for which its text has no canonical form. */
function unreadable(policy: Policy, { tool, args }: Call): boolean {
  if (tool !== 's/t') return false;
  const rules = [...policy.allow, ...policy.ask, ...policy.deny];
  return Object.entries(args).some(([name, held]) => {
    const asPath = rules.some((rule) =>
      JSON.stringify(rule.where?.[`args.${name}`] ?? '').includes('"path":'),
    );
    return asPath && [held].flat().some((leaf) => typeof leaf === 'string' && !leaf.startsWith('/'));
  });
}

/** Enough values for some of them to be in whatever random constraints leave over. */
const anyTexts = [
  'a',
  'A',
  'b',
  'ab',
  '/w/a',
  '/w/b',
  '/w/b/k',
  '/w/a/k',
  '/w/k',
  '/w',
  '/k',
  '/q',
  'other',
  'apart',
  '/w/apart',
  '',
];
const anyValues: readonly Json[] = [...anyTexts, 0, 1, 2, 3, 3.5, 9, true, false, null, {}];

/** A list of plain arguments is the region of its elements: the call with each combination of them is judged. */
function pointsOf({ tool, args }: Call): readonly Call[] {
  let points: JsonObject[] = [{}];
  for (const [name, held] of Object.entries(args)) {
    const each: readonly Json[] = Array.isArray(held) && held.length > 0 ? held : [held ?? null];
    points = points.flatMap((point) => each.map((element) => ({ ...point, [name]: element })));
  }
  return points.map((point) => ({ tool, args: point }));
}

/** An empty list stands for some element, whichever is freest; nothing in it is refused for how it reads. */
function choicesOf({ tool, args }: Call): readonly Call[] {
  let choices: JsonObject[] = [{}];
  for (const [name, held] of Object.entries(args)) {
    const each = Array.isArray(held) && held.length === 0 ? anyValues : [held ?? null];
    choices = choices.flatMap((choice) => each.map((element) => ({ ...choice, [name]: element })));
  }
  return choices.map((choice) => ({ tool, args: choice }));
}

function levelOf(policy: Policy, whole: Call): Verdict['decision'] {
  if (unreadable(policy, whole)) return 'deny';
  if (whole.tool !== 's/t') return pointLevel(policy, whole);
  const order: readonly Verdict['decision'][] = ['permit', 'session', 'once', 'deny'];
  const levels = pointsOf(whole).map((point) => {
    return Math.min(...choicesOf(point).map((choice) => order.indexOf(pointLevel(policy, choice))));
  });
  return order[Math.max(...levels)] ?? 'deny';
}

function pointLevel(policy: Policy, one: Call): Verdict['decision'] {
  const order: readonly Verdict['decision'][] = ['permit', 'session', 'once', 'deny'];
  let lowest = 0;
  for (const access of accessesOf(one)) {
    if (policy.deny.some((rule) => meets(rule, one, access))) return 'deny';
    const points =
      access.path === undefined
        ? [undefined]
        : access.extent === undefined
          ? [access.path]
          : beneath(access.path);
    const usable = policy.allow.filter(
      (rule) => concerns(rule, one, access) && argumentsHold(rule, one.args, 'admit'),
    );
    let rank = order.findIndex((_level, i) => {
      const free = usable.filter((rule) => order.indexOf(rule.ask ?? 'permit') <= i);
      return points.every((at) =>
        free.some(
          (rule) =>
            at === undefined ||
            rule.where?.['path'] === undefined ||
            leafMeets(rule.where['path'], at, 'admit', 'path'),
        ),
      );
    });
    if (rank < 0 || rank > 2) return 'deny';
    for (const rule of policy.ask)
      if (meets(rule, one, access)) rank = Math.max(rank, order.indexOf(rule.ask ?? 'once'));
    lowest = Math.max(lowest, rank);
  }
  return order[lowest] ?? 'deny';
}

const runs = { numRuns: 70 };
const rank = (verdict: Verdict): number => ['permit', 'session', 'once', 'deny'].indexOf(verdict.decision);

describe('against the naive reading', () => {
  test('[P.level.three-sets] the level of a call is the one that a naive reading finds', () => {
    fc.assert(
      fc.property(policyOf, fc.array(call, { minLength: 1, maxLength: 6 }), (policy, calls) => {
        const real = compiled(policy);
        fc.pre(real !== undefined);
        for (const one of calls) {
          const verdict = real.call(one.tool, one.args);
          const filled = verdict.filled !== undefined && verdict.filled.length > 0;
          const judged = filled ? { tool: one.tool, args: verdict.args ?? {} } : one;
          expect([one, levelOf(policy, judged)]).toEqual([one, verdict.decision]);
          if (filled) expect(levelOf(policy, one)).toBe('deny');
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('laws', () => {
  test('[P.authority.order-free] the order of rules changes neither verdict nor arguments', () => {
    fc.assert(
      fc.property(policyOf, call, fc.integer({ min: 0, max: 5 }), (policy, one, turn) => {
        const turned = <T>(list: readonly T[]): readonly T[] =>
          list.length === 0
            ? list
            : [...list.slice(turn % list.length), ...list.slice(0, turn % list.length)].reverse();
        const [straight, other] = [
          compiled(policy),
          compiled({ allow: turned(policy.allow), ask: turned(policy.ask), deny: turned(policy.deny) }),
        ];
        fc.pre(straight !== undefined && other !== undefined);
        const [a, b] = [straight.call(one.tool, one.args), other.call(one.tool, one.args)];
        expect([b.decision, b.code, b.args, b.filled]).toEqual([a.decision, a.code, a.args, a.filled]);
      }),
      runs,
    );
  });

  test('[P.authority.all-accesses] one more allow rule never turns a permit into a refusal', () => {
    fc.assert(
      fc.property(policyOf, target, call, (policy, more, one) => {
        const [before, after] = [compiled(policy), compiled({ ...policy, allow: [...policy.allow, more] })];
        fc.pre(before !== undefined && after !== undefined);
        const verdict = before.call(one.tool, one.args);
        fc.pre(verdict.decision !== 'deny' && verdict.filled?.length === 0);
        const now = after.call(one.tool, one.args);
        fc.pre(now.code !== 'malformed_arguments');
        expect(rank(now)).toBeLessThanOrEqual(rank(verdict));
      }),
      runs,
    );
  });

  test('[P.level.deny-wins] one more denial, ask entry, ceiling or narrowing never admits more', () => {
    const limit = fc.oneof(
      pathConstraint.map((each) => ({ filesystem: { path: each } })),
      oneOrTwo(scalar).map((each) => ({ s: { 'args.x': each } })),
    );
    fc.assert(
      fc.property(policyOf, fc.tuple(denial, asking, limit), call, (policy, [deny, ask, ceiling], one) => {
        const before = compiled(policy);
        fc.pre(before !== undefined);
        const verdict = before.call(one.tool, one.args);
        const less = [
          compiled({ ...policy, deny: [...policy.deny, deny] }),
          compiled({ ...policy, ask: [...policy.ask, ask] }),
          compiled(policy, { ceiling }),
        ];
        for (const after of less) {
          const now = after?.call(one.tool, one.args);
          if (now === undefined || (now.filled?.length ?? 0) > 0) continue;
          expect(rank(now)).toBeGreaterThanOrEqual(rank(verdict));
        }
      }),
      runs,
    );
  });
});
