/** Comparing rules that judge one argument as it is sent and as a path, against judging every spelling of a few paths. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Gate, closed, gate } from '../../../../../test/policies.js';
import type { Json, JsonObject } from '../../ground/index.js';
import { judgeCall } from '../../reload/judge.js';
import type { Comparison } from '../comparison.js';
import { certificateFaults } from './certificate.js';
import { comparePolicies } from './compare.js';

const one = { type: ['string', 'number', 'array'] };
const tools = { s: { t: closed({ p: one, q: { type: 'string' } }) } };

const texts: readonly Json[] = [
  ['/d/s'],
  ['/d/s', '/d/x'],
  { prefix: '/d/' },
  { prefix: '/d/s' },
  { prefix: '/' },
  { suffix: '/x' },
  { glob: '/d/*' },
  { glob: '*..*' },
  { except: ['/d/s'] },
  { except: { prefix: '/d/s' } },
];
const paths: readonly Json[] = [
  { path: ['/d/**'] },
  { path: ['/d/s'] },
  { path: ['/d/s/**'] },
  { path: ['/**'] },
  { path: ['/e/**', '/d/x'] },
  { except: { path: ['/d/s'] } },
];
const text = fc.constantFrom(...texts);
const path = fc.constantFrom(...paths);
const constraint: fc.Arbitrary<Json> = fc.oneof(
  text,
  { weight: 2, arbitrary: path },
  { weight: 2, arbitrary: fc.tuple(path, text).map(([a, b]) => ({ all: [a, b] })) },
  fc.tuple(path, text).map(([a, b]) => ({ either: [a, b] })),
  { weight: 2, arbitrary: fc.tuple(path, text).map(([a, b]) => ({ in: a, except: b })) },
  fc.tuple(text, path).map(([a, b]) => ({ in: a, except: b })),
);

interface Lists {
  readonly allow: readonly JsonObject[];
  readonly deny: readonly JsonObject[];
  readonly ask: readonly JsonObject[];
}
const rule = (where: JsonObject, more: JsonObject = {}): JsonObject => ({ tools: ['s/t'], where, ...more });
const listsOver = (where: fc.Arbitrary<JsonObject>): fc.Arbitrary<Lists> =>
  fc.record({
    allow: fc.array(
      fc
        .tuple(where, fc.constantFrom<JsonObject>({}, {}, { ask: 'once' }))
        .map(([each, ask]) => rule(each, ask)),
      { minLength: 1, maxLength: 2 },
    ),
    deny: fc.array(
      where.map((each) => rule(each)),
      { maxLength: 1 },
    ),
    ask: fc.array(
      where.map((each) => rule(each)),
      { maxLength: 1 },
    ),
  });
const single = constraint.map((p): JsonObject => ({ 'args.p': p }));
const double = fc.oneof(
  single,
  fc.tuple(constraint, constraint).map(([p, q]): JsonObject => ({ 'args.p': p, 'args.q': q })),
);

function gateOf(agent: Lists): Gate | undefined {
  const servers = { s: { command: 's', root: '/d' } };
  try {
    return gate(JSON.stringify({ pawl: 1, servers, agents: { a: agent } }), tools, {
      vanishedTool: 'finding',
    });
  } catch {
    // Rules that are wholly denied: no policy.
    return undefined;
  }
}

const spelled: readonly string[] = `
  /d /d/s /d/x /d/s/x /e /e/x / /d/S
  /d/ /d/./s /d/s/ //d/s s ./s s/x ../e x . ..
  /d/s/.. /d/s/../x /d/../e /d/../e/x /e/../d/s /e/../d/x /d/x/../s /d/s/../../e
  /d/s/../../d/x /d/s/../.. /d/../d/s/x /x/../d /e/.. /e/x/../../d/s
`
  .trim()
  .split(/\s+/u);

const freedom = { deny: 0, once: 1, session: 2, permit: 3 } as const;
const compare = (old: Gate, next: Gate): Comparison =>
  comparePolicies({ old: old.policy, next: next.policy, judge: judgeCall });

function gains(old: Gate, next: Gate, calls: readonly JsonObject[]): readonly JsonObject[] {
  return calls.filter((args) => {
    const now = next.call('s/t', args);
    // A call that is filled counts as the filled one.
    const judged = (now.filled?.length ?? 0) > 0 && now.args !== undefined ? now.args : args;
    return freedom[now.decision] > freedom[old.call('s/t', judged).decision];
  });
}

/** What came of comparing many pairs; every answer is right as far as the calls tell. */
function tally(
  pairs: fc.Arbitrary<readonly [Lists, Lists]>,
  calls: readonly JsonObject[],
  runs: number,
): Record<string, number> {
  const seen: Record<string, number> = {
    attenuation: 0,
    equal: 0,
    unknown: 0,
    widening: 0,
    shown: 0,
  };
  const count = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1);
  fc.assert(
    fc.property(pairs, ([a, b]) => {
      const [old, next] = [gateOf(a), gateOf(b)];
      if (old === undefined || next === undefined) return;
      const { relation, executors, certificate } = compare(old, next);
      count(relation);
      const found = gains(old, next, calls);
      if (relation === 'attenuation' || relation === 'equal') {
        expect([relation, found]).toEqual([relation, []]);
        expect(
          certificateFaults(certificate ?? null, { old: old.policy, next: next.policy, judge: judgeCall }),
        ).toEqual([]);
      }
      if (relation === 'equal') expect(gains(next, old, calls)).toEqual([]);
      for (const witness of Object.values(executors).flatMap(({ witnesses }) => witnesses)) {
        if (witness.kind !== 'call') continue;
        count('shown');
        expect(gains(old, next, [witness.args])).toEqual([witness.args]);
      }
    }),
    { numRuns: runs },
  );
  return seen;
}

/** Two policies, or one and a change of it. */
const pairsOf = (lists: fc.Arbitrary<Lists>): fc.Arbitrary<readonly [Lists, Lists]> =>
  fc.oneof(
    fc.tuple(lists, lists),
    fc
      .tuple(lists, lists, fc.constantFrom('allow' as const, 'deny' as const, 'ask' as const), fc.boolean())
      .map(([base, other, list, turned]) => {
        const changed = { ...base, [list]: other[list] };
        return turned ? ([changed, base] as const) : ([base, changed] as const);
      }),
  );

describe('[P.includes.exact] an argument that is judged as it is sent and as a path', () => {
  test('an attenuation lets no spelling through that OLD refuses, and widenings are shown by one', () => {
    const calls = [...spelled.map((p) => ({ p })), { p: 5 }, { p: ['/d/s', 's'] }, {}];
    const seen = tally(pairsOf(listsOver(single)), calls, 200);
    expect(seen['equal']).toBeGreaterThan(10);
    expect(seen['attenuation']).toBeGreaterThan(10);
    expect(seen['shown']).toBeGreaterThan(0.85 * (seen['widening'] ?? 0));
    expect(seen['unknown']).toBeLessThan(6);
  }, 240_000);

  test('so do two such arguments', () => {
    const few = spelled.filter((_, at) => at % 3 === 0);
    const calls = few.flatMap((p) => [{ p }, ...few.map((q) => ({ p, q }))]);
    const seen = tally(pairsOf(listsOver(double)), calls, 50);
    expect(seen['shown']).toBeGreaterThan((seen['widening'] ?? 0) / 2);
    expect(seen['unknown']).toBeLessThan(6);
  }, 240_000);
});
