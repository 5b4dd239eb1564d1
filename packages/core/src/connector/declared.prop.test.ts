/** Declared fields against a reading of POLICY section 5 that knows nothing of sets: groups, omissions, wildcards, filling. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Gate, closed, gate } from '../../../../test/policies.js';
import type { JsonObject } from '../ground/index.js';

const vocabulary = ['n', 's', 'w'];
const wildcard = 'all';

/** A tool with the group `site` (plain) and `ref` (prefix `:`), and what its connector and its schema say of leaving them out. */
interface Table {
  readonly row: 'reads' | 'accesses';
  readonly fallback: string | undefined;
  readonly omitted: string | undefined;
}

/** One rule, which may name values of the field, and perhaps a denial of some. */
interface Rules {
  readonly allowed: readonly string[] | undefined;
  readonly denied: readonly string[];
}

const some = fc.subarray(vocabulary, { minLength: 1 });
const table = fc.record<Table>({
  row: fc.constantFrom('reads', 'accesses'),
  fallback: fc.constantFrom(undefined, 'n', wildcard),
  omitted: fc.constantFrom(undefined, 'none', 'refuse', 's', wildcard),
});
const rules = fc.record<Rules>({
  allowed: fc.option(some, { nil: undefined }),
  denied: fc.oneof(fc.constant([]), fc.subarray(vocabulary, { minLength: 1, maxLength: 1 })),
});
const call = fc.record(
  {
    site: fc.constantFrom('n', 's', 'w', wildcard, 'x', 'N'),
    ref: fc.constantFrom('n:1', 's:2:n', `${wildcard}:1`, 'x:1', 'plain', ':'),
  },
  { requiredKeys: [] },
);

function gateOf({ row, fallback, omitted }: Table, { allowed, denied }: Rules): Gate {
  const sources = '[site, { argument: ref, prefix: ":" }]';
  const access =
    row === 'reads' ? `verb: read, reads: { f: ${sources} }` : `accesses: [ { verb: read, f: ${sources} } ]`;
  const rule =
    allowed === undefined ? '{ tools: [c/t] }' : `{ tools: [c/t], where: { f: [${allowed.join(', ')}] } }`;
  const text = { type: 'string' };
  const schema = closed({ site: fallback === undefined ? text : { ...text, default: fallback }, ref: text });
  return gate(
    `pawl: 1
servers: { c: { command: x, connector: k } }
connectors: { k: { fields: { f: { kind: oneOf, values: [n, s, w], wildcard: all } }, tools: { t: { ${access}${omitted === undefined ? '' : `, omitted: { f: ${omitted} }`} } } } }
agents: { a: { allow: [ ${rule} ]${denied.length === 0 ? '' : `, deny: [ { tools: [c/t], where: { f: [${denied.join(', ')}] } } ]`} } }`,
    { c: { t: schema } },
  );
}

/** What a call names; `open`: its plain argument may be filled; undefined: the call is refused whatever the rules say. */
interface Named {
  readonly values: readonly string[];
  readonly open: boolean;
  readonly needed: boolean;
}

function named(
  { row, fallback, omitted }: Table,
  { site, ref }: { site?: string; ref?: string },
): Named | undefined {
  const plain = site ?? (omitted === undefined ? fallback : undefined);
  const before = ref?.includes(':') === true ? ref.slice(0, ref.indexOf(':')) : undefined;
  const values = [plain, before].filter((value) => value !== undefined);
  return values.length > 0 ? { values, open: plain === wildcard, needed: false } : leftOut(row, omitted);
}

function leftOut(row: Table['row'], omitted: Table['omitted']): Named | undefined {
  const nothing = { values: [], open: false, needed: false };
  if (omitted === 'refuse') return undefined;
  if (omitted === 'none') return nothing;
  if (omitted !== undefined) return { values: [omitted], open: omitted === wildcard, needed: false };
  return row === 'reads' ? { values: [wildcard], open: true, needed: true } : nothing;
}

/** A denial folds letters, and meets the wildcard. */
function isDenied(denied: readonly string[], value: string): boolean {
  return value === wildcard ? denied.length > 0 : denied.includes(value.toLowerCase());
}

/** The value of `site` with which the call goes, `sent` where it goes as it is; undefined: it is refused. */
function naive(
  of: Table,
  { allowed, denied }: Rules,
  sent: { site?: string; ref?: string },
): string | undefined {
  const read = named(of, sent);
  if (read === undefined) return undefined;
  const { values, open, needed } = read;
  if (values.some((value) => isDenied(denied, value))) return undefined;
  if (allowed === undefined) return needed ? undefined : 'sent';
  if (values.length === 0) return undefined;
  const points = values.filter((value) => value !== wildcard);
  if (points.some((value) => !allowed.includes(value))) return undefined;
  if (points.length === values.length) return 'sent';
  const [only, second] = points.length === 0 ? allowed : new Set(points);
  if (!open || only === undefined || second !== undefined) return undefined;
  return goesAs(of, { allowed, denied }, { ...sent, site: only });
}

function goesAs(of: Table, under: Rules, filled: { site: string; ref?: string }): string | undefined {
  return naive(of, under, filled) === 'sent' ? filled.site : undefined;
}

describe('against the naive reading', () => {
  test('[P.connector.group] [P.connector.omitted] [P.connector.wildcard] calls go, and are filled, as it says', () => {
    const seen = { filled: 0, sent: 0, refused: 0 };
    fc.assert(
      fc.property(table, rules, fc.array(call, { minLength: 1, maxLength: 8 }), (of, under, calls) => {
        const policy = gateOf(of, under);
        for (const args of calls) {
          const expected = naive(of, under, args);
          const verdict = policy.call('c/t', args);
          const about = { of, under, args };
          expect({ ...about, permitted: verdict.decision === 'permit' }).toEqual({
            ...about,
            permitted: expected !== undefined,
          });
          if (expected === undefined) seen.refused += 1;
          else if (expected === 'sent') seen.sent += 1;
          else {
            seen.filled += 1;
            expect({ ...about, filled: verdict.args?.['site'] }).toEqual({ ...about, filled: expected });
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(Math.min(seen.filled, seen.sent, seen.refused)).toBeGreaterThan(5);
  });

  test('[P.decode.judged-is-forwarded] what is forwarded goes again, and stays as it is', () => {
    fc.assert(
      fc.property(table, rules, call, (of, under, args: JsonObject) => {
        const policy = gateOf(of, under);
        const { decision, args: forwarded } = policy.call('c/t', args);
        if (decision !== 'permit' || forwarded === undefined) return;
        expect(policy.call('c/t', forwarded)).toMatchObject({ decision: 'permit', args: forwarded });
      }),
      { numRuns: 300 },
    );
  });
});
