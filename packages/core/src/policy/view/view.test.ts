/** The model's view, by example. */
import { describe, expect, test } from 'vitest';
import { worldOf } from '../../../../../test/model-view.js';
import { type Gate, closed, gate } from '../../../../../test/policies.js';
import { type Json, type JsonObject, deepFreeze, own, parseToolName } from '../../ground/index.js';
import { executorOf } from '../index.js';
import { modelView } from './view.js';

const text = { type: 'string' };
const payment = closed(
  {
    to: { type: 'string', description: 'Who gets it.' },
    amount: { type: 'number', minimum: 0.01 },
    urgent: { type: 'boolean', default: false },
    memo: text,
  },
  'to',
  'amount',
);

/** The narrowed schema under allow rules of this `where`, and what else the agent has. */
function view(schema: JsonObject, where: readonly JsonObject[], agent: JsonObject = {}): JsonObject {
  const allow = where.map((one) => ({ tools: ['s/t'], where: one }));
  const world = worldOf(deepFreeze(schema), { allow, ...agent });
  if (world === undefined) throw new Error('the policy does not load');
  return world.narrowed;
}

function member(schema: JsonObject, ...path: readonly string[]): Json | undefined {
  let at: Json | undefined = schema;
  for (const name of path) at = own(own(at as JsonObject, 'properties') as JsonObject, name);
  return at;
}

describe('the schema that a model is shown', () => {
  test('[P.view.exact] lists values, bounds numbers, leaves out what must be absent', () => {
    const schema = view(payment, [{ 'args.to': ['ann', 'bo'], 'args.amount': { above: 0, max: 100 } }]);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        to: { type: 'string', description: 'Who gets it.', enum: ['ann', 'bo'] },
        amount: { type: 'number', minimum: 0.01, exclusiveMinimum: 0, maximum: 100 },
      },
      required: ['to', 'amount'],
      additionalProperties: false,
    });
  });

  test('[P.view.bound] drops an argument that is bound, required or not', () => {
    const schema = view(payment, [{ 'args.to': { single: 'ann' }, rest: 'any' }]);
    expect(Object.keys(schema['properties'] as JsonObject)).toEqual(['amount', 'urgent', 'memo']);
    expect(schema['required']).toEqual(['amount']);
  });

  test('[P.view.exact] requires what is not filled in, and drops a default that is not allowed', () => {
    const schema = view(payment, [{ 'args.urgent': [true], rest: 'any' }]);
    expect(member(schema, 'urgent')).toEqual({ type: 'boolean', const: true });
    expect(schema['required']).toEqual(['to', 'amount', 'urgent']);
  });

  test('[P.view.exact] counts rules that ask like any other', () => {
    const schema = view(payment, [{ 'args.to': ['ann'], rest: 'any' }], {
      allow: [
        { tools: ['s/t'], where: { 'args.to': ['ann'], rest: 'any' } },
        { tools: ['s/t'], where: { 'args.to': ['bo'], rest: 'any' }, ask: 'once' },
      ],
    });
    expect(member(schema, 'to')).toMatchObject({ enum: ['ann', 'bo'] });
  });

  test('[P.view.exact] takes away what is denied, in every spelling', () => {
    const schema = view(payment, [], {
      allow: [{ tools: ['s/t'] }],
      deny: [
        { tools: ['s/t'], where: { 'args.to': ['bo', 'production'] } },
        { tools: ['s/t'], where: { 'args.amount': { above: 50 } } },
      ],
    });
    expect(member(schema, 'to')).toMatchObject({
      not: { pattern: expect.stringContaining('[Pp][Rr][Oo]') as string },
    });
    expect(member(schema, 'amount')).toEqual({ type: 'number', minimum: 0.01, maximum: 50 });
  });

  test('[P.view.exact] says which values go together, outside of the root’s anyOf', () => {
    const schema = view(payment, [
      { 'args.to': ['ann', 'bo'], 'args.amount': { max: 10 }, rest: 'any' },
      { 'args.to': ['cy', 'di'], 'args.amount': { max: 1000 }, rest: 'any' },
    ]);
    expect(member(schema, 'to')).toMatchObject({ enum: ['ann', 'bo', 'cy', 'di'] });
    expect(member(schema, 'amount')).toMatchObject({ maximum: 1000 });
    expect(schema).not.toHaveProperty('anyOf');
    expect(schema['if']).toEqual({
      properties: { to: { enum: ['ann', 'bo'] }, amount: { maximum: 10 } },
      required: ['to', 'amount'],
    });
  });

  test('[P.view.bound] reaches into objects and lists', () => {
    const schema = closed({
      box: closed({ kind: text, size: { type: 'integer' } }, 'kind'),
      tags: { type: 'array', items: text },
      items: { type: 'array', items: { type: 'object', properties: { sku: text, note: text } } },
    });
    const narrow = view(schema, [
      { 'args.box.kind': ['a', 'b'], 'args.tags': ['x', 'y'], 'args.items.sku': ['s1', 's2'] },
    ]);
    expect(member(narrow, 'box')).toEqual({
      ...closed({ kind: { type: 'string', enum: ['a', 'b'] } }, 'kind'),
    });
    expect(member(narrow, 'tags')).toEqual({ type: 'array', items: { type: 'string', enum: ['x', 'y'] } });
    expect(member(narrow, 'items')).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: { sku: { type: 'string', enum: ['s1', 's2'] } },
        required: ['sku'],
        additionalProperties: false,
      },
    });
    expect(new Set(narrow['required'] as string[])).toEqual(new Set(['box', 'tags', 'items']));
  });

  test('[P.view.real-tools] keeps references whole', () => {
    const schema: JsonObject = {
      type: 'object',
      $defs: { Mode: { type: 'string', enum: ['fast', 'slow', 'off'] } },
      properties: { mode: { $ref: '#/$defs/Mode', description: 'How.' }, other: { $ref: '#/$defs/Mode' } },
    };
    const narrow = view(schema, [{ 'args.mode': ['fast', 'slow'], rest: 'any' }]);
    expect(member(narrow, 'mode')).toEqual({
      description: 'How.',
      allOf: [{ $ref: '#/$defs/Mode' }],
      enum: ['fast', 'slow'],
    });
    expect(member(narrow, 'other')).toBe(member(schema, 'other'));
    expect(narrow['$defs']).toBe(schema['$defs']);
  });

  test('[P.view.sound] a nullable argument with the default null stays so where it may be left out', () => {
    const optional = { anyOf: [text, { type: 'null' }], default: null };
    const schema = view(closed({ who: optional }), [{ 'args.who': { optional: ['ann', 'bo'] } }]);
    expect(member(schema, 'who')).toEqual({ ...optional, enum: [null, 'ann', 'bo'] });
  });
});

describe('what keywords cannot say', () => {
  const schema = closed({ file: text, to: { type: 'string', description: 'Who.' } }, 'file', 'to');

  function described(
    disclose: 'names' | 'values' | undefined,
    where: JsonObject,
    agent: JsonObject = {},
  ): JsonObject {
    const document = {
      pawl: 1,
      servers: { s: { command: 'x', root: '/x' } },
      agents: { a: { allow: [{ tools: ['s/t'], where }], ...agent } },
    };
    const loaded: Gate = gate(JSON.stringify(document), { s: { t: schema } });
    const executor = executorOf(loaded.policy, 'a', undefined);
    const policy = 'kind' in executor ? undefined : executor.forTool(parseToolName('s/t')!);
    const { definition } = modelView(policy!, { name: 't', inputSchema: schema }, disclose);
    const members = Object.entries(own(definition, 'inputSchema') as JsonObject).find(
      ([key]) => key === 'properties',
    );
    const texts = Object.entries(members?.[1] as JsonObject).map(([name, one]) => [
      name,
      own(one as JsonObject, 'description'),
    ]);
    return Object.fromEntries(texts);
  }

  test('[P.view.lines] stands as one line of the description, a ceiling’s beside', () => {
    const where = { 'args.file': { path: ['/x/**', '/y/*.md'] }, 'args.to': { glob: '*@corp.example' } };
    expect(described(undefined, where, { ceiling: { s: { 'args.to': { suffix: '.example' } } } })).toEqual({
      file: 'Allowed: {"path":["/x/**","/y/*.md"]}',
      to: 'Who.\nAllowed: {"glob":"*@corp.example"}; Only within: {"suffix":".example"}',
    });
  });

  test('[P.view.lines] is named only where the document discloses names, or the list is long', () => {
    const where = { 'args.file': { glob: 'secret*' }, 'args.to': 'any' };
    expect(described('names', where)).toEqual({ file: 'Limited by the policy', to: 'Who.' });
    const many = { either: Array.from({ length: 9 }, (_, at) => ({ prefix: `p${at}, ` })) };
    expect(described(undefined, { ...where, 'args.file': many })['file']).toBe('Limited by the policy');
    expect(described('values', { ...where, 'args.file': many })['file']).toContain('p8');
  });

  test('[P.view.lines] has at most 200 characters and no line breaks', () => {
    const where = { 'args.file': { glob: `a\n${'😀'.repeat(300)}*` }, rest: 'any' };
    const line = described('values', where)['file'] as string;
    expect(Array.from(line)).toHaveLength(200);
    expect(line.endsWith('…')).toBe(true);
    expect(line).not.toMatch(/[\n\r]/u);
  });

  test('[P.view.lines] does not name what is denied', () => {
    const line = described(
      'values',
      { 'args.file': { prefix: '/x' }, rest: 'any' },
      {
        deny: [{ tools: ['s/t'], where: { 'args.file': { glob: '*hidden*' } } }],
      },
    );
    expect(JSON.stringify(line)).not.toContain('hidden');
  });
});
