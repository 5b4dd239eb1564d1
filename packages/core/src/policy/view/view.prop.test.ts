/** The model's view against what decides calls, in both directions, over tools, policies and calls at random. */
import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { type World, ajv, holds, never } from '../../../../../test/model-view.js';
import { type Json, type JsonObject, isJsonObject, own } from '../../ground/index.js';

/** What stands at a property of a random tool. */
const text = { type: 'string' };
const property: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  text,
  text,
  { type: 'string', enum: ['a', 'b', 'c'] },
  { type: 'string', default: 'a' },
  { type: 'string', enum: ['a', 'b', 'z'], default: 'z' },
  { type: 'number' },
  { type: 'integer', minimum: 0 },
  { type: 'integer', default: 3 },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { anyOf: [text, { type: 'null' }], default: null },
  { type: ['string', 'number'] },
);
const listed: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'array', items: text },
  { type: 'array', items: { type: ['string', 'number'] }, default: [] },
  { type: ['string', 'array'], items: text },
  {},
);
const nested: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'object', properties: { m: text, n: { type: 'integer' } }, required: ['m'] },
  { type: 'object', properties: { m: text, n: { type: 'integer' } }, additionalProperties: false },
);

/** Scalars of calls and rules. */
const scalar = fc.constantFrom<Json>('a', 'b', 'c', 'z', 'A', 1, 2, 3, 2.5, -1, true, false, null);
const values = fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 });

/** Constraints that a schema can say in full. */
const plain: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: values },
  fc.constantFrom<Json>({ min: 1, max: 2 }, { above: 0 }, { below: 2.5 }, { min: 2, integer: true }),
  fc.constantFrom<Json>('present', 'absent', 'any'),
  values.map((optional) => ({ optional })),
  scalar.filter((one) => one !== null).map((single) => ({ single })),
  fc.tuple(values, values).map(([one, two]) => ({ in: one, except: two })),
  values.map((one) => ({ either: [one, { min: 2, max: 3 }] })),
);
/** Constraints of which it says the type alone. */
const pattern: fc.Arbitrary<Json> = fc.constantFrom<Json>({ prefix: 'a' }, { prefix: 'b' }, { glob: '?' });

function schemaOf(
  property: fc.Arbitrary<JsonObject>,
  object: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      p: property,
      q: property,
      r: property,
      o: object,
      required: fc.subarray(['p', 'q', 'r']),
      additional: fc.constantFrom<Json | undefined>(undefined, false, true),
    })
    .map(({ p, q, r, o, required, additional }) => ({
      type: 'object',
      properties: { p, q, r, o },
      required,
      ...(additional === undefined ? {} : { additionalProperties: additional }),
    }));
}

const key = fc.constantFrom('args.p', 'args.q', 'args.r', 'args.o.m', 'args.o.n', 'args.o');

function rule(constraint: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(
      fc.uniqueArray(fc.tuple(key, constraint), { selector: ([name]) => name, maxLength: 3 }),
      fc.boolean(),
    )
    .map(([where, rest]) =>
      where.length === 0
        ? { tools: ['s/t'] }
        : { tools: ['s/t'], where: { ...Object.fromEntries(where), ...(rest ? { rest: 'any' } : {}) } },
    );
}

function agentOf(constraint: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  const where = fc.tuple(key, values).map(([name, one]) => ({ [name]: one }));
  return fc
    .record({
      allow: fc.array(rule(constraint), { minLength: 1, maxLength: 3 }),
      deny: fc.array(
        fc.tuple(where, where).map(([one, two]) => ({ tools: ['s/t'], where: { ...one, ...two } })),
        { maxLength: 2 },
      ),
      ceiling: fc.option(where, { nil: undefined }),
    })
    .map(({ allow, deny, ceiling }) => ({
      allow,
      deny,
      ...(ceiling === undefined ? {} : { ceiling: { s: ceiling } }),
    }));
}

const pool: readonly Json[] = [
  'a',
  'b',
  'c',
  'z',
  'A',
  'ab',
  '/x/a',
  '/y/b',
  1,
  2,
  3,
  2.5,
  -1,
  true,
  false,
  null,
  [],
  ['a'],
  ['b', 'a'],
  ['z', 1],
];

/** A call of values that the schema takes, now and then with an argument that it does not name. */
function callOf(schema: JsonObject): fc.Arbitrary<JsonObject> {
  const members = Object.entries(own(schema, 'properties') as Record<string, JsonObject>).map(
    ([name, one]) => {
      if (isJsonObject(own(one, 'properties'))) return [name, callOf(one)] as const;
      const takes = ajv.compile(one);
      return [name, fc.constantFrom(...pool.filter((value) => takes(value)))] as const;
    },
  );
  return fc
    .tuple(
      fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Json>>, { requiredKeys: [] }),
      fc.nat(20),
    )
    .map(([args, extra]) => (extra === 0 ? { ...args, extra: 'a' } : args));
}

/** A tool, a policy for it, and calls. */
function worlds(
  schema: fc.Arbitrary<JsonObject>,
  agent: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<[JsonObject, JsonObject, readonly JsonObject[]]> {
  return schema.chain((one) =>
    fc.tuple(fc.constant(one), agent, fc.array(callOf(one), { minLength: 20, maxLength: 40 })),
  );
}

/** Names of arguments of which some rule asks for a pattern. */
function patterned(agent: JsonObject): readonly string[] {
  const found = [...JSON.stringify(agent).matchAll(/"args\.(?<name>[a-z.]+)":\{"(?:prefix|glob)"/gu)];
  return [...new Set(found.map((match) => match.groups?.['name'] ?? ''))];
}

/** The call with every choice of other values for the arguments given that patterns judge. */
function respelled(args: JsonObject, [name, ...rest]: readonly string[]): readonly JsonObject[] {
  if (name === undefined) return [args];
  const [outer = '', inner] = name.split('.');
  const others = respelled(args, rest);
  return others.flatMap((one) => {
    const at = own(one, outer);
    return pool.map((value) => ({
      ...one,
      [outer]: inner === undefined ? value : { ...(at as JsonObject), [inner]: value },
    }));
  });
}

function isGiven(args: JsonObject, name: string): boolean {
  const [outer = '', inner] = name.split('.');
  const held = own(args, outer);
  return inner === undefined ? held !== undefined : isJsonObject(held) && Object.hasOwn(held, inner);
}

/** A refusal is one of a pattern where other texts for the same arguments are admitted. */
function byPattern(world: World, args: JsonObject, agent: JsonObject): void {
  const others = respelled(
    args,
    patterned(agent)
      .filter((name) => isGiven(args, name))
      .slice(0, 3),
  );
  if (!others.some((one) => world.gate.call('s/t', one).decision !== 'deny')) never(world, args);
}

describe('the model’s view', () => {
  test('[P.view.sound] [P.view.exact] takes what dispatch admits; of what it takes nothing is refused for a value or its presence', () => {
    holds(worlds(schemaOf(property, nested), agentOf(plain)), never);
  });

  test('[P.view.sound] [P.view.exact] beside patterns it refuses nothing for what other texts would not mend', () => {
    holds(worlds(schemaOf(property, nested), agentOf(fc.oneof(plain, pattern))), byPattern);
  });

  test('[P.view.sound] takes every list that dispatch admits', () => {
    const constraint = fc.oneof(
      plain,
      values.map((items) => ({ items, minItems: 1 })),
      values.map((items) => ({ items, maxItems: 1 })),
    );
    holds(worlds(schemaOf(fc.oneof(property, listed, listed), nested), agentOf(constraint)), () => undefined);
  });

  test('[P.view.exact] of one rule for lists says elements and numbers', () => {
    const agent = fc
      .tuple(values, fc.constantFrom({}, { minItems: 1 }, { maxItems: 1 }))
      .map(([items, size]) => ({
        allow: [{ tools: ['s/t'], where: { 'args.p': { items, ...size }, rest: 'any' } }],
        deny: [],
      }));
    const lists = fc.constantFrom<JsonObject>(
      { type: 'array', items: text },
      { type: 'array', items: { type: ['string', 'number'] } },
    );
    holds(worlds(schemaOf(lists, nested), agent), never);
  });
});
