/** What tests of constraints share: documents from plain data, a context to read them in, values at random. */
import * as fc from 'fast-check';
import type { ReadContext } from '../packages/core/src/authority/kind/index.js';
import {
  type Missing,
  Spread,
  type Value,
  canonicalText,
  compileConstraint,
  member,
  missing,
  readConstraint,
} from '../packages/core/src/authority/kind/index.js';
import type { DocNode, Json } from '../packages/core/src/ground/index.js';

const at = { line: 1, column: 1 };

/** The document that states this JSON. */
export function doc(value: Json): DocNode {
  if (Array.isArray(value)) return { kind: 'list', at, items: value.map(doc) };
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', at, value: value as null };
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return {
    kind: 'map',
    at,
    entries: entries.map(([key, member]) => ({ key, keyAt: at, value: doc(member) })),
  };
}

/** A context with a root, a home, one set and one fact; fresh lists of problems and findings. */
export function readContext(changes: Partial<ReadContext> = {}): ReadContext {
  return {
    place: 'raw',
    polarity: 'admit',
    path: { root: '/proj', home: '/home/dev', case: 'sensitive', platform: 'posix' },
    sets: new Map([['crew', ['ann', 'bo']]]),
    facts: new Map<string, Json>([['rota', { today: ['x', 'y'], lead: 'ann', none: [], deep: { a: 1 } }]]),
    problems: [],
    findings: [],
    docPath: 'where',
    ...changes,
  };
}

/** Scalars from a small pool, so that constraints at random hit them. */
export const scalarPool: readonly (string | number | boolean | null)[] = [
  'a',
  'A',
  'b',
  'ab',
  'aB',
  'abc',
  's',
  'ſ',
  '',
  'é',
  '/a',
  '/a/b',
  '/A',
  '/b/.env',
  '/',
  '1',
  0,
  1,
  1.5,
  2,
  -3,
  1e300,
  true,
  false,
  null,
];
const scalar = fc.constantFrom(...scalarPool);

/** JSON values from the pool, nested arrays and objects included. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    scalar,
    fc.constant<Json>({ a: 1 }),
    fc.array(tie('json'), { maxLength: 3 }),
  ),
})).json;

/** Values at a position of a call. */
export const value: fc.Arbitrary<Value> = fc.oneof(
  { arbitrary: json, weight: 6 },
  { arbitrary: fc.constant<Value>(missing), weight: 1 },
  {
    arbitrary: fc
      .array(fc.oneof(json, fc.constant<Missing>(missing)), { maxLength: 3 })
      .map((elements) => new Spread(elements)),
    weight: 2,
  },
);

/**
 * Whether a text that a call sends meets the constraint: `refused` where a kind that judges it refuses it. Throws where the
 * constraint cannot be read.
 */
export function judged(
  constraint: Json,
  sent: string,
  changes: Partial<ReadContext> = {},
): boolean | 'refused' {
  const ctx = readContext(changes);
  const found = readConstraint(doc(constraint), ctx);
  if (found === undefined) throw new Error(ctx.problems.map((each) => each.message).join('; '));
  let refused = false;
  const holds = compileConstraint(found, ctx).some((views) =>
    [...views].every(([view, set]) => {
      const read = canonicalText(view, sent, ctx.path);
      refused ||= !read.ok;
      return read.ok && member(set, read.text);
    }),
  );
  return refused ? 'refused' : holds;
}

/** Whether a constraint is refused at load: what was found, and in what words. */
export function problemsOf(constraint: Json, changes: Partial<ReadContext> = {}): readonly string[] {
  const ctx = readContext(changes);
  const found = readConstraint(doc(constraint), ctx);
  if (found !== undefined) return [];
  return ctx.problems.map(
    ({ path, message, found: what, allowed }) => `${path}: ${message}; found ${what}; allowed ${allowed}`,
  );
}
