/** The model's view where a connector says how arguments carry authority. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type World, ajv, holds, never, worldOf } from '../../../../../test/model-view.js';
import type { Json, JsonObject } from '../../ground/index.js';

const tenants = ['acme', 'globex', 'initech'];
const field = { kind: 'oneOf', values: tenants, wildcard: 'all' };

/** How a tool of a declared connector reads its arguments, with the schemas that it may have. */
const readings: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { verb: 'list', reads: { tenant: 'tenant_id' } },
  { verb: 'list', reads: { tenant: 'tenant_id' }, omitted: { tenant: 'all' } },
  { verb: 'list', reads: { tenant: 'tenant_id' }, omitted: { tenant: 'acme' } },
  { verb: 'list', reads: { tenant: 'tenant_id' }, omitted: { tenant: 'refuse' } },
  { verb: 'read', reads: { tenant: ['tenant_id', { argument: 'target', prefix: ':' }] } },
  { verb: 'send', reads: { tenant: ['tenant_id', 'other_id'] } },
  {
    accesses: [
      { verb: 'send', tenant: 'tenant_id' },
      { verb: 'read', tenant: 'other_id' },
    ],
  },
);

const tenant: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'string', enum: [...tenants, 'all'] },
  { type: 'string', enum: [...tenants, 'all'], default: 'all' },
  { type: 'string', default: 'acme' },
  { type: ['string', 'null'] },
);

const schemas: fc.Arbitrary<JsonObject> = fc
  .record({ tenant_id: tenant, other_id: tenant, required: fc.subarray(['tenant_id', 'target']) })
  .map(({ tenant_id, other_id, required }) => ({
    type: 'object',
    properties: {
      tenant_id,
      other_id,
      target: { type: 'string' },
      note: { type: 'string', enum: ['x', 'y'] },
    },
    required,
    additionalProperties: false,
  }));

const some = fc.subarray(tenants, { minLength: 1 });
const where: fc.Arbitrary<JsonObject> = fc.oneof(
  some.map((one) => ({ tenant: one })),
  fc
    .tuple(some, fc.constantFrom('x', 'y'))
    .map(([one, note]) => ({ tenant: one, 'args.note': [note], rest: 'any' })),
  fc.constant<JsonObject>({ 'args.note': ['x'], rest: 'any' }),
  some.map((one) => ({ tenant: { except: one } })),
);

const agents: fc.Arbitrary<JsonObject> = fc
  .record({
    allow: fc.array(fc.oneof(where, fc.constant(undefined)), { minLength: 1, maxLength: 3 }),
    deny: fc.array(
      some.map((one) => ({ tools: ['s/t'], where: { tenant: one.slice(0, 1) } })),
      { maxLength: 1 },
    ),
    ceiling: fc.option(some, { nil: undefined }),
  })
  .map(({ allow, deny, ceiling }) => ({
    allow: allow.map((one) => (one === undefined ? { tools: ['s/t'] } : { tools: ['s/t'], where: one })),
    deny,
    ...(ceiling === undefined ? {} : { ceiling: { k: { tenant: ceiling } } }),
  }));

const calls: fc.Arbitrary<JsonObject> = fc.record(
  {
    tenant_id: fc.constantFrom<Json>(...tenants, 'all', 'nobody', null),
    other_id: fc.constantFrom<Json>(...tenants, 'all'),
    target: fc.constantFrom('acme:main', 'globex:1', 'main', 'all:x', 'nobody:1', ':x'),
    note: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: [] },
);

function worlds(
  schema: fc.Arbitrary<JsonObject>,
  agent: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<[JsonObject, JsonObject, readonly JsonObject[]]> {
  return fc.tuple(schema, agent, fc.array(calls, { minLength: 20, maxLength: 40 }));
}

/** What the table asks of every call, whatever the rules are, a schema that is not narrowed for it does not say. */
function byRules(world: World, args: JsonObject): void {
  if (world.gate.call('s/t', args).layer !== 'decode') never(world, args);
}

function connector(reading: JsonObject): JsonObject {
  const tool = {
    ...reading,
    payload: ['target', 'note', 'other_id', 'tenant_id'].filter(
      (name) => !JSON.stringify(reading).includes(name),
    ),
  };
  return { connector: 'k', connectors: { k: { fields: { tenant: field }, tools: { t: tool } } } };
}

describe('the model’s view through a connector', () => {
  test.each(
    fc
      .sample(readings, { numRuns: 60, seed: 1 })
      .filter(
        (one, at, all) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at,
      ),
  )('[P.view.sound] takes what dispatch admits where a tool reads %j', (reading) => {
    holds(worlds(schemas, agents), () => undefined, connector(reading));
  });

  test.each<JsonObject>([
    { verb: 'list', reads: { tenant: 'tenant_id' } },
    { verb: 'list', reads: { tenant: 'tenant_id' }, omitted: { tenant: 'all' } },
    { verb: 'list', reads: { tenant: 'tenant_id' }, omitted: { tenant: 'acme' } },
  ])('[P.view.exact] and nothing else where one argument feeds the field: %j', (reading) => {
    holds(worlds(schemas, agents), byRules, connector(reading));
  });

  test('[P.view.exact] a prefix in another argument chooses among values', () => {
    const reading = { verb: 'read', reads: { tenant: ['tenant_id', { argument: 'target', prefix: ':' }] } };
    const ceiling = fc
      .subarray(tenants, { minLength: 1 })
      .map((one) => ({ allow: [{ tools: ['s/t'] }], ceiling: { k: { tenant: one } } }));
    const schema = fc.constant<JsonObject>({
      type: 'object',
      properties: { tenant_id: { type: 'string' }, target: { type: 'string' } },
      additionalProperties: false,
    });
    holds(worlds(schema, ceiling), byRules, connector(reading));
  });

  test('[P.view.lines] a path says in its description where it may be', () => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string', description: 'A file.' } },
      required: ['path'],
    };
    const connectors = {
      k: { fields: { file: { kind: 'path' } }, tools: { t: { verb: 'read', reads: { file: 'path' } } } },
    };
    const agent = {
      allow: [{ tools: ['s/t'], where: { file: ['/x/**', '/y/*.md'] } }],
      ceiling: { k: { file: '/x/in/**' } },
    };
    const world = worldOf(schema, agent, { connector: 'k', connectors });
    expect(world?.narrowed['properties']).toEqual({
      path: {
        type: 'string',
        description: 'A file.\nAllowed file: /x/**, /y/*.md; Only within file: /x/in/**',
      },
    });
    expect(ajv.validate(world?.narrowed ?? {}, { path: '/x/in/a' })).toBe(true);
  });
});
