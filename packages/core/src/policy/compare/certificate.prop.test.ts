/** Certificates that were tampered with: none makes a widening pass, and none passes with a part of its proof taken out. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Policy,
  type Rule,
  asking,
  compiled,
  denial,
  policyOf,
  target,
} from '../../../../../test/random-policies.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject } from '../../ground/index.js';
import { judgeCall } from '../../reload/judge.js';
import { type CertifiedPair, certificateFaults } from './certificate.js';
import { comparePolicies } from './compare.js';

/** A policy, and one that holds less. */
const lessened: fc.Arbitrary<readonly [more: Policy, less: Policy]> = fc
  .tuple(
    policyOf,
    fc.oneof(fc.record({ deny: denial }), fc.record({ ask: asking }), fc.record({ drop: fc.nat(3) }), {
      weight: 2,
      arbitrary: fc.record({ allow: fc.oneof(target, asking), split: fc.boolean() }),
    }),
  )
  .map(([policy, change]): readonly [Policy, Policy] => {
    if ('deny' in change) return [policy, { ...policy, deny: [...policy.deny, change.deny] }];
    if ('ask' in change) return [policy, { ...policy, ask: [...policy.ask, change.ask] }];
    if ('allow' in change) {
      const allow = change.split ? policy.allow.flatMap(apart) : policy.allow;
      return [{ ...policy, allow: [...allow, change.allow] }, policy];
    }
    return [policy, { ...policy, allow: policy.allow.filter((_: Rule, at: number) => at !== change.drop) }];
  });

/** A rule with a list of two as two rules. */
function apart(rule: Rule): readonly Rule[] {
  const found = Object.entries(rule.where ?? {}).find(([, one]) => isJsonArray(one) && one.length === 2);
  if (found === undefined) return [rule];
  const [field, list] = found;
  return (isJsonArray(list) ? list : []).map((one) => ({
    ...rule,
    where: { ...rule.where, [field]: [one] },
  }));
}

interface Case {
  /** NEW attenuates OLD and not the other way round. */
  readonly less: CertifiedPair;
  readonly certificate: JsonObject;
  /** The same two the other way round: a widening. */
  readonly more: CertifiedPair;
}

function caseOf([more, less]: readonly [Policy, Policy]): Case | undefined {
  const [old, next] = [compiled(more)?.policy, compiled(less)?.policy];
  if (old === undefined || next === undefined) return undefined;
  const pair: CertifiedPair = { old, next, judge: judgeCall };
  const { relation, certificate } = comparePolicies(pair);
  if (relation !== 'attenuation' || certificate === undefined || !isJsonObject(certificate)) return undefined;
  return { less: pair, certificate, more: { old: next, next: old, judge: judgeCall } };
}

/** Every place in a value, with what stands there. */
function places(
  value: Json,
  at: readonly (string | number)[] = [],
): readonly { at: typeof at; value: Json }[] {
  const inner = isJsonArray(value)
    ? value.flatMap((item, index) => places(item, [...at, index]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([key, item]) => places(item ?? null, [...at, key]))
      : [];
  return [{ at, value }, ...inner];
}

/** The value with another one in a place; undefined takes out what stands there. */
function placed(value: Json, at: readonly (string | number)[], other: Json | undefined): Json {
  const [key, ...rest] = at;
  if (key === undefined) return other ?? null;
  if (isJsonArray(value)) {
    const items = [...value];
    if (rest.length === 0 && other === undefined) items.splice(Number(key), 1);
    else items[Number(key)] = placed(items[Number(key)] ?? null, rest, other);
    return items;
  }
  const { [String(key)]: own, ...others } = isJsonObject(value) ? value : {};
  if (rest.length === 0 && other === undefined) return others;
  return { ...others, [String(key)]: placed(own ?? null, rest, other) };
}

const junk = fc.constantFrom<Json>(
  null,
  0,
  '',
  'same',
  [],
  {},
  [[]],
  { by: '0.allow.0', rest: [] },
  true,
  'permit',
);
/** What a certificate is turned into. */
const mutation: fc.Arbitrary<(certificate: Json, other: Json) => Json> = fc.oneof(
  fc.tuple(fc.nat(), junk).map(([which, value]) => (certificate: Json): Json => {
    const all = places(certificate);
    return placed(certificate, all[which % all.length]?.at ?? [], value);
  }),
  fc.nat().map((which) => (certificate: Json): Json => {
    const all = places(certificate);
    return placed(certificate, all[which % all.length]?.at ?? [], undefined);
  }),
  fc.tuple(fc.nat(), fc.nat()).map(([one, two]) => (certificate: Json): Json => {
    const all = places(certificate);
    const [a, b] = [all[one % all.length], all[two % all.length]];
    return a === undefined || b === undefined
      ? null
      : placed(placed(certificate, a.at, b.value), b.at, a.value);
  }),
  fc.constant((certificate: Json): Json => {
    const all = places(certificate).filter(({ at }) => at.length === 3);
    return all.reduce<Json>((now, { at }) => placed(now, at, 'same'), certificate);
  }),
  fc.constant((_: Json, other: Json): Json => other),
  fc.constantFrom<Json>(0, 2, '1', null).map(
    (version) =>
      (certificate: Json): Json =>
        placed(certificate, ['pawl'], version),
  ),
  fc.constantFrom(10, 600, 20_000).map((depth) => (certificate: Json): Json => {
    let tree: Json = { by: '0.allow.0', rest: [] };
    for (let at = 0; at < depth; at++) tree = { by: '0.allow.0', rest: [['path', tree]] };
    const trees = places(certificate).filter(
      ({ at }) => at.includes('allowed') && typeof at.at(-1) === 'number',
    );
    return placed(certificate, trees[0]?.at ?? ['executors', 'a'], tree);
  }),
);

describe('certificates', () => {
  test('[P.includes.exact] whatever is done to one, it never makes a widening pass', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        lessened,
        lessened,
        fc.array(mutation, { minLength: 6, maxLength: 12 }),
        (one, two, mutations) => {
          const found = caseOf(one);
          fc.pre(found !== undefined);
          const other = caseOf(two)?.certificate ?? {};
          expect(certificateFaults(found.certificate, found.less)).toEqual([]);
          expect(certificateFaults(found.certificate, found.more)).not.toEqual([]);
          for (const mutate of mutations) {
            tried += 1;
            expect(certificateFaults(mutate(found.certificate, other), found.more)).not.toEqual([]);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(tried).toBeGreaterThan(300);
  });

  test('[P.includes.exact] one is no good when what covers a rule is taken out, or what sticks out of that is left unproved', () => {
    let trees = 0;
    fc.assert(
      fc.property(lessened, (one) => {
        const found = caseOf(one);
        // A rule that holds nothing needs no cover: such come of exceptions, and of texts that are no paths.
        const mayBeEmpty = /"path":\{[^}]*"except"|"args\.\w":\{.*"path"/u.test(JSON.stringify(one));
        fc.pre(found !== undefined && !mayBeEmpty);
        const { certificate, less } = found;
        const all = places(certificate).filter(
          ({ at, value }) => isNeeded(certificate, at) && isJsonObject(value),
        );
        for (const { at, value } of all) {
          trees += 1;
          expect(certificateFaults(placed(certificate, at, undefined), less)).not.toEqual([]);
          expect(certificateFaults(placed(certificate, [...at, 'by'], '7.allow.9'), less)).not.toEqual([]);
          const { rest } = isJsonObject(value) ? value : {};
          if (rest === undefined || !isJsonArray(rest) || rest.length === 0) continue;
          expect(certificateFaults(placed(certificate, [...at, 'rest'], []), less)).not.toEqual([]);
        }
      }),
      { numRuns: 25, seed: 5 },
    );
    expect(trees).toBeGreaterThan(10);
  });

  test('[P.includes.exact] one of which an executor or a tool is left out proves nothing of it', () => {
    fc.assert(
      fc.property(lessened, (one) => {
        const found = caseOf(one);
        fc.pre(found !== undefined);
        const { certificate, less } = found;
        for (const { at } of places(certificate).filter(({ at }) => at.length === 2 || at.length === 3))
          expect(certificateFaults(placed(certificate, at, undefined), less)).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('what several rules cover together', () => {
  test('[P.includes.exact] is not proved by the first of them alone', () => {
    const rule = (...list: readonly string[]): Rule => ({ tools: ['s/t'], where: { 'args.x': list } });
    const found = caseOf([
      { allow: [rule('a'), rule('b'), rule('k')], ask: [], deny: [] },
      { allow: [rule('a', 'b')], ask: [], deny: [] },
    ]);
    const certificate = found?.certificate ?? {};
    const open = places(certificate).filter(
      ({ at, value }) => at.at(-1) === 'rest' && isJsonArray(value) && value.length > 0,
    );
    expect(open.length).toBeGreaterThan(0);
    for (const { at } of open)
      expect(found && certificateFaults(placed(certificate, at, []), found.less)).not.toEqual([]);
  });
});

describe('what OLD cannot read', () => {
  test('[P.includes.exact] a certificate is no proof where NEW no longer looks at it', () => {
    const free = { tools: ['s/t'], where: { 'args.x': 'any' }, ask: 'once' } as const;
    const looking = { ...free, where: { 'args.x': ['a'] } };
    const found = caseOf([
      { allow: [free], ask: [], deny: [] },
      { allow: [free], ask: [looking], deny: [] },
    ]);
    expect(found && certificateFaults(found.certificate, found.less)).toEqual([]);
    expect(found && comparePolicies(found.more).relation).toBe('widening');
    expect(found && certificateFaults(found.certificate, found.more)).not.toEqual([]);
  });
});

/** The trees that say how rules of the freest level are covered: no other level says the same. */
function isNeeded(certificate: Json, at: readonly (string | number)[]): boolean {
  const [, , , , level] = at;
  return certificate !== null && at.at(-2) === 'allowed' && level === 0;
}
