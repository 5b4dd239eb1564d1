import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../ground/index.js';
import { parseJson } from './json.js';
import {
  type ToolSchema,
  argumentPaths,
  compileSchema,
  decodeArguments,
  missingRequired,
  propertyAt,
} from './schema.js';

function compiled(schema: Json): ToolSchema {
  const result = compileSchema(schema);
  if ('problem' in result) throw new Error(result.problem);
  return result;
}

/** The schema of one property `x`, optional. */
function x(schema: Json): ToolSchema {
  return compiled({ type: 'object', properties: { x: schema } });
}

/** What decoding makes of the arguments: `same`, the changed arguments, or `path: message`. */
function decoded(schema: ToolSchema, args: JsonObject): unknown {
  const result = decodeArguments(schema, args);
  if (!result.ok) return `${result.path}: ${result.message}`;
  expect(result.changed).toBe(result.args !== args);
  return result.changed ? result.args : 'same';
}

describe('[P.decode.types] types', () => {
  test.each<[Json, Json]>([
    [{ type: 'string' }, 'a'],
    [{ type: 'integer' }, 1],
    [{ type: 'integer' }, -3e300],
    [{ type: 'number' }, 1],
    [{ type: 'number' }, 1.5],
    [{ type: 'boolean' }, false],
    [{ type: 'array' }, [1, 'a']],
    [{ type: 'object' }, { any: [1] }],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'string', nullable: true }, null],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ type: ['number', 'string'] }, 'a'],
    [{}, { a: null }],
    [true, 7],
    [{ type: 'array', items: { type: 'integer' } }, [1, 2]],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, ['a', 1, 2]],
    [{ items: [{ type: 'string' }], additionalItems: { type: 'integer' } }, ['a', 1]],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { a: 1, b: 2 },
    ],
    [{ allOf: [{ type: ['string', 'integer'] }, { enum: [1, 'a'] }] }, 1],
  ])('accepts under %j the value %j', (schema, value) => {
    expect(decoded(x(schema), { x: value })).toBe('same');
  });

  test.each<[Json, Json, string]>([
    [{ type: 'string' }, 1, 'x: expected string, found integer'],
    [{ type: 'integer' }, 1.5, 'x: expected integer, found number with a fraction'],
    [{ type: 'number' }, '2000000', 'x: expected number, found string'],
    [{ type: 'boolean' }, 'true', 'x: expected boolean, found string'],
    [{ type: 'boolean' }, 0, 'x: expected boolean, found integer'],
    [{ type: 'string' }, ['a'], 'x: expected string, found array'],
    [{ type: 'object' }, [], 'x: expected object, found array'],
    [{ type: ['string', 'null'] }, {}, 'x: expected string or null, found object'],
    [{ type: 'array', items: { type: 'integer' } }, [1, 'a'], 'x[1]: expected integer, found string'],
    [{ type: 'array', items: { type: 'string' } }, ['a', null], 'x[1]: expected string, found null'],
    [
      { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      ['a', 'b'],
      'x[1]: expected integer, found string',
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { a: 'b' },
      'x.a: expected integer, found string',
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      true,
      'x: expected string or integer, found boolean',
    ],
    [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, 'a', 'x: expected integer, found string'],
    [false, 1, 'x: expected no value, found integer'],
    [{ not: {} }, 1, 'x: expected no value, found integer'],
    [{ properties: { a: {} } }, 'text', 'x: expected object, found a string that holds none'],
    [{ properties: { a: {} } }, [], 'x: expected object, found array'],
    [{ properties: { 'a b': { type: 'string' } } }, { 'a b': 1 }, 'x["a b"]: expected string, found integer'],
  ])('refuses under %j the value %j', (schema, value, message) => {
    expect(decoded(x(schema), { x: value })).toBe(message);
  });

  test.each<[Json, Json, boolean]>([
    [{ enum: ['a', 'b'] }, 'a', true],
    [{ enum: ['a', 'b'] }, 'A', false],
    [{ enum: [1, { a: [1], b: 2 }] }, { b: 2, a: [1] }, true],
    [{ enum: [1, { a: [1] }] }, { a: [2] }, false],
    [{ enum: [[1, 2]] }, [2, 1], false],
    [{ enum: [1] }, '1', false],
    [{ enum: [0] }, false, false],
    [{ const: 'a' }, 'a', true],
    [{ const: 'a' }, 'b', false],
    [{ const: { a: 1 } }, { a: 1, b: 1 }, false],
    [{ const: 1, enum: [2] }, 1, false],
    [{ type: 'string', enum: ['a', null], nullable: true }, null, true],
    [{ items: { enum: ['a'] } }, ['a', 'b'], false],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'b', true],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'c', false],
  ])('compares enum and const by value: %j and %j is %j', (schema, value, accepted) => {
    expect(decoded(x(schema), { x: value }) === 'same').toBe(accepted);
  });

  test('names the values that are allowed', () => {
    expect(decoded(x({ enum: ['a', 'b'] }), { x: 'c' })).toBe('x: expected "a" or "b"');
    expect(decoded(x({ enum: [1, 2, 3, 4, 5, 6] }), { x: 7 })).toBe('x: expected one of 1, 2, 3, 4, 5, …');
    expect(decoded(x({ anyOf: [{ const: 'a' }, { type: 'null' }] }), { x: 'c' })).toMatch(
      /^x: expected "a" or null/u,
    );
  });

  test('leaves formats, patterns, lengths and ranges to the upstream', () => {
    const schema = x({
      type: 'string',
      pattern: '^a$',
      format: 'uri',
      maxLength: 1,
      minLength: 5,
      minimum: 3,
    });
    expect(decoded(schema, { x: 'zzz' })).toBe('same');
  });

  test('leaves required to the look after the fill', () => {
    const schema = compiled({ properties: { a: {}, b: {} }, required: ['a', 'b'] });
    expect(decoded(schema, {})).toBe('same');
    expect(missingRequired(schema, {})).toBe('a');
    expect(missingRequired(schema, { a: 1 })).toBe('b');
    expect(missingRequired(schema, { a: 1, b: null })).toBeUndefined();
  });
});

describe('[P.decode.unknown-argument] unknown arguments', () => {
  const unknown = 'y: is no argument of this tool';

  test.each<[Json, unknown]>([
    [{ properties: { x: {} } }, unknown],
    [{ properties: {} }, unknown],
    [{ properties: { x: {} }, additionalProperties: false }, unknown],
    [{ additionalProperties: false }, unknown],
    [{ properties: { x: {} }, additionalProperties: { not: {} } }, unknown],
    [{ properties: { x: {} }, unevaluatedProperties: true }, unknown],
    [{ type: 'object', properties: { x: {} }, additionalProperties: true }, 'same'],
    [{ properties: { x: {} }, additionalProperties: {} }, 'same'],
    [{ properties: { x: {} }, additionalProperties: { type: 'integer' } }, 'same'],
    [
      { properties: { x: {} }, additionalProperties: { type: 'string' } },
      'y: expected string, found integer',
    ],
    [{}, 'same'],
    [{ type: 'object' }, 'same'],
    [{ type: 'object', required: ['a'] }, 'same'],
    [{ properties: { x: {} }, patternProperties: { '^y': {} } }, 'same'],
    [{ patternProperties: { '^x': {} } }, unknown],
    [{ patternProperties: { '^y': { type: 'string' } } }, 'y: expected string, found integer'],
    [{ patternProperties: { '^(y+)+$': {} } }, unknown],
    [{ patternProperties: { '(': {} } }, unknown],
    [{ properties: { x: {} }, allOf: [{ properties: { y: {} } }] }, 'same'],
    [{ properties: { x: {} }, anyOf: [{ required: ['x'] }, { properties: { y: {} } }] }, 'same'],
    [{ properties: { x: {} }, anyOf: [{ required: ['x'] }, { required: ['y'] }] }, unknown],
    [{ properties: { x: {} }, $ref: '#/$defs/more', $defs: { more: { properties: { y: {} } } } }, 'same'],
  ])('with %j the argument y is judged so: %j', (schema, result) => {
    expect(decoded(compiled(schema), { y: 1 })).toBe(result);
  });

  test('refuses an unknown member at any depth with its path', () => {
    const schema = x({ type: 'array', items: { properties: { ttl: { properties: { max: {} } } } } });
    expect(decoded(schema, { x: [{}, { ttl: { maxx: 5 } }] })).toBe(
      'x[1].ttl.maxx: is no argument of this tool',
    );
  });

  test('refuses an unknown null too', () => {
    expect(decoded(x({}), { y: null })).toBe(unknown);
  });

  test.each(['constructor', 'toString', '__defineGetter__', 'hasOwnProperty'])(
    'looks at own members only: %s is unknown unless the schema names it',
    (name) => {
      expect(decoded(x({}), { [name]: 1 })).toBe(`${name}: is no argument of this tool`);
      const named = compiled({ properties: { [name]: { type: 'string' } }, required: [name] });
      expect(decoded(named, { [name]: 'a' })).toBe('same');
      expect(decoded(named, { [name]: 1 })).toBe(`${name}: expected string, found integer`);
      expect(missingRequired(named, {})).toBe(name);
      expect(propertyAt(named, [name]).known).toBe('yes');
      expect(propertyAt(x({}), [name]).known).toBe('no');
    },
  );
});

describe('null', () => {
  const schema = compiled({
    properties: {
      optional: { type: 'string' },
      nullable: { type: ['string', 'null'] },
      nullDefault: { type: ['string', 'null'], default: null },
      required: { type: 'string' },
      requiredNullable: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      list: { type: 'array', items: { properties: { key: { type: 'string' }, note: { type: 'string' } } } },
      choice: { enum: ['a', 'b'] },
    },
    required: ['required', 'requiredNullable'],
  });

  test('is dropped under an optional property that is not nullable', () => {
    expect(decoded(schema, { required: 'a', optional: null, choice: null })).toStrictEqual({ required: 'a' });
  });

  test('is a value under a nullable property', () => {
    expect(decoded(schema, { nullable: null, requiredNullable: null })).toBe('same');
  });

  test('is dropped under an optional property whose default is null', () => {
    expect(decoded(schema, { nullDefault: null })).toStrictEqual({});
  });

  test('is refused under a property that is required and not nullable', () => {
    expect(decoded(schema, { required: null })).toBe('required: is required and may not be null');
  });

  test('is dropped at depth, and the order of the other members stays', () => {
    const args = { list: [{ key: 'a', note: null }, { key: 'b' }], optional: 'z' };
    const result = decodeArguments(schema, args);
    expect(result).toStrictEqual({
      ok: true,
      changed: true,
      args: { list: [{ key: 'a' }, { key: 'b' }], optional: 'z' },
    });
    expect(result.ok && Object.keys(result.args)).toStrictEqual(['list', 'optional']);
    expect(args.list[0]).toStrictEqual({ key: 'a', note: null });
  });
});

describe('text for an array or an object', () => {
  const list = x({ type: 'array', items: { properties: { id: { type: 'string' } } } });

  test('is parsed once and forwarded as the value', () => {
    expect(decoded(list, { x: '[{"id":"a"},{"id":"b"}]' })).toStrictEqual({ x: [{ id: 'a' }, { id: 'b' }] });
    expect(decoded(x({ type: ['object', 'null'] }), { x: ' {"a":1} ' })).toStrictEqual({ x: { a: 1 } });
    expect(decoded(x({ anyOf: [{ type: 'array' }, { type: 'null' }] }), { x: '[]' })).toStrictEqual({
      x: [],
    });
  });

  test('is judged as the value it holds', () => {
    expect(decoded(list, { x: '[{"id":7}]' })).toBe('x[0].id: expected string, found integer');
    expect(decoded(list, { x: '[{"idd":"a"}]' })).toBe('x[0].idd: is no argument of this tool');
    expect(decoded(list, { x: '[{"id":null}]' })).toStrictEqual({ x: [{}] });
  });

  test.each([
    '',
    'a,b',
    '7',
    'null',
    '"[]"',
    '[1,]',
    '{"id":"a"}',
    '[{"id":"a","id":"b"}]',
    '[9007199254740993]',
  ])('is refused when it is no such value for a strict reader: %s', (text) => {
    expect(decoded(list, { x: text })).toMatch(/^x(?:\[0\])?: expected (?:array|object)|^x: expected array/u);
  });

  test('is not looked for inside a value that was itself parsed', () => {
    const nested = x({ type: 'array', items: { type: 'array' } });
    expect(decoded(nested, { x: ['[1]'] })).toStrictEqual({ x: [[1]] });
    expect(decoded(nested, { x: '["[1]"]' })).toBe('x[0]: expected array, found string');
  });

  test('stays text where text is accepted, and nothing else is converted', () => {
    expect(decoded(x({ type: ['array', 'string'] }), { x: '[1]' })).toBe('same');
    expect(decoded(x({}), { x: '[1]' })).toBe('same');
    expect(decoded(x({ type: ['array', 'integer'] }), { x: '[1]' })).toMatch(/^x: expected/u);
    expect(decoded(x({ type: 'string' }), { x: 1 })).toMatch(/^x: expected string/u);
    expect(decoded(x({ type: 'array' }), { x: 1 })).toMatch(/^x: expected array/u);
  });

  test('does not pass the depth limit', () => {
    expect(decoded(x({ type: 'array' }), { x: '['.repeat(63) + ']'.repeat(63) })).toBeTypeOf('object');
    expect(decoded(x({ type: 'array' }), { x: '['.repeat(64) + ']'.repeat(64) })).toMatch(
      /^x: expected array/u,
    );
  });
});

describe('alternatives', () => {
  const shape = x({
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, r: { type: 'number' } },
        required: ['kind', 'r'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'rect' }, w: { type: 'number' }, note: { type: 'string' } },
        required: ['kind', 'w'],
        additionalProperties: false,
      },
    ],
  });

  test('one that accepts is enough', () => {
    expect(decoded(shape, { x: { kind: 'circle', r: 1 } })).toBe('same');
    expect(decoded(shape, { x: { kind: 'rect', w: 1 } })).toBe('same');
  });

  test('the refusal is that of the one that the values select', () => {
    expect(decoded(shape, { x: { kind: 'rect', w: 'a' } })).toBe('x.w: expected number, found string');
    expect(missingRequired(shape, { x: { kind: 'rect' } })).toBe('x.w');
    expect(missingRequired(shape, { x: { kind: 'rect', w: 1 } })).toBeUndefined();
  });

  test('a property of another alternative is known, but judged by its own schema, unless the chosen one forbids others', () => {
    expect(decoded(shape, { x: { kind: 'circle', r: 1, w: 2 } })).toBe('same');
    expect(decoded(shape, { x: { kind: 'circle', r: 1, w: 'a' } })).toBe(
      'x.w: expected number, found string',
    );
    expect(decoded(shape, { x: { kind: 'rect', w: 1, r: 2 } })).toBe('x.r: is no argument of this tool');
  });

  test('the first under which nothing changes wins over one that drops a null', () => {
    const schema = x({
      anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { type: ['string', 'null'] } } }],
    });
    expect(decoded(schema, { x: { a: null } })).toBe('same');
  });

  test('a null that one alternative requires is dropped under the other', () => {
    const schema = compiled({
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    expect(decoded(schema, { a: null, b: 'x' })).toStrictEqual({ b: 'x' });
    expect(missingRequired(schema, { b: 'x' })).toBeUndefined();
    expect(missingRequired(schema, {})).toBe('a');
  });

  test('several groups hold together', () => {
    const schema = compiled({
      allOf: [{ anyOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: 2 } } }] }],
      oneOf: [{ properties: { b: { const: 1 } } }, { properties: { b: { const: 2 } } }],
    });
    expect(decoded(schema, { a: 2, b: 2 })).toBe('same');
    expect(decoded(schema, { a: 2, b: 3 })).toMatch(/expected/u);
  });
});

describe('recursive schemas', () => {
  const tree = compiled({
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
        required: ['name'],
      },
    },
  });

  test('are judged at every depth', () => {
    expect(decoded(tree, { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] })).toBe('same');
    expect(decoded(tree, { name: 'a', children: [{ children: [{ nam: 'c' }] }] })).toBe(
      'children[0].children[0].nam: is no argument of this tool',
    );
    expect(missingRequired(tree, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toBe(
      'children[0].children[0].name',
    );
  });

  test('end for listings where they begin again', () => {
    expect(argumentPaths(tree)).toStrictEqual([['name'], ['children', 'name'], ['children', 'children']]);
    expect(propertyAt(tree, ['children', 'children', 'children', 'name']).types).toStrictEqual(['string']);
  });

  test('are bounded in the depth of the value', () => {
    let args: JsonObject = { name: 'x' };
    for (let i = 0; i < 2000; i += 1) args = { name: 'x', children: [args] };
    expect(decoded(tree, args)).toMatch(/is nested deeper than 64 levels$/u);
  });
});

describe('changes', () => {
  test('[P.decode.judged-is-forwarded] arguments that need no change are the very object that was given', () => {
    const args = { x: { a: [1, { b: null }] } };
    const result = decodeArguments(x({}), args);
    expect(result.ok && result.args).toBe(args);
  });

  test('share what did not change and leave what was given as it was', () => {
    const kept = { deep: [1] };
    const schema = compiled({ properties: { kept: {}, gone: { type: 'string' } } });
    const args = Object.freeze({ kept, gone: null });
    const result = decodeArguments(schema, args);
    expect(result.ok && result.args).toStrictEqual({ kept });
    expect(result.ok && result.args['kept']).toBe(kept);
  });

  test('a member that is undefined is absent', () => {
    const args = { x: undefined };
    expect(decoded(x({}), args)).toStrictEqual({});
    expect(missingRequired(compiled({ properties: { x: {} }, required: ['x'] }), args)).toBe('x');
  });
});

describe('propertyAt', () => {
  const schema = compiled({
    properties: {
      name: { type: 'string', default: 'n' },
      mode: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
      items: {
        type: 'array',
        items: { properties: { sku: { enum: ['A', 'B'] }, n: { type: 'integer' } }, required: ['sku'] },
      },
      tags: { type: 'array', items: { type: 'string' } },
      open: { type: 'object' },
      free: {},
      list: { type: 'array' },
      map: { additionalProperties: { type: 'integer' } },
      config: { properties: { ttl: { type: 'integer' } }, required: ['ttl'] },
    },
    required: ['name', 'items'],
    oneOf: [{ properties: { by: { const: 'id' } } }, { properties: { by: { const: 'name' } } }],
  });

  test.each<[string, object]>([
    ['name', { known: 'yes', optional: false, nullable: false, types: ['string'], default: 'n' }],
    [
      'mode',
      { known: 'yes', optional: true, nullable: true, types: ['string', 'null'], enum: ['a', 'b', null] },
    ],
    ['items.sku', { known: 'yes', optional: false, nullable: false, types: ['string'], enum: ['A', 'B'] }],
    ['items.n', { known: 'yes', optional: true, nullable: false, types: ['integer'] }],
    [
      'tags',
      {
        known: 'yes',
        optional: true,
        nullable: false,
        types: ['array'],
        items: { known: 'yes', optional: false, nullable: false, types: ['string'] },
      },
    ],
    ['config.ttl', { known: 'yes', optional: true, nullable: false, types: ['integer'] }],
    ['map.k', { known: 'open', optional: true, nullable: false, types: ['integer'] }],
    ['by', { known: 'yes', optional: true, nullable: false, types: ['string'], enum: ['id', 'name'] }],
    ['nope', { known: 'no', optional: true, nullable: false, types: [] }],
    ['name.deeper', { known: 'no', optional: true, nullable: false, types: [] }],
    ['items.nope', { known: 'no', optional: true, nullable: false, types: [] }],
    ['config.nope', { known: 'no', optional: true, nullable: false, types: [] }],
  ])('says of %s what the schema says', (path, info) => {
    expect(propertyAt(schema, path.split('.'))).toStrictEqual(info);
  });

  test.each(['open.a', 'open.a.b', 'free.a', 'free.a.b', 'list.a', 'list.a.b'])(
    'says that %s is open',
    (path) => {
      expect(propertyAt(schema, path.split('.'))).toMatchObject({
        known: 'open',
        optional: true,
        nullable: true,
      });
    },
  );

  test('states no default where alternatives state different ones', () => {
    const differing = compiled({
      anyOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 } } }],
    });
    expect(propertyAt(differing, ['a'])).not.toHaveProperty('default');
  });

  test('states no type where an open alternative does not name the property', () => {
    const mixed = compiled({
      anyOf: [{ properties: { a: { type: 'string' } } }, { type: 'object', additionalProperties: true }],
    });
    expect(propertyAt(mixed, ['a'])).toMatchObject({ known: 'yes', nullable: true });
    expect(decoded(mixed, { a: {} })).toBe('same');
  });

  test('lists all leaves', () => {
    expect(
      argumentPaths(schema)
        .map((path) => path.join('.'))
        .toSorted(),
    ).toStrictEqual([
      'by',
      'config.ttl',
      'free',
      'items.n',
      'items.sku',
      'list',
      'map',
      'mode',
      'name',
      'open',
      'tags',
    ]);
  });
});

describe('schemas that cannot be judged', () => {
  const chain = (length: number): Json => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(Array.from({ length }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }])),
  });

  test.each<[string, Json, RegExp]>([
    ['no object', null, /no object/u],
    ['a list', [], /no object/u],
    ['a text', 'object', /no object/u],
    ['accepts no object', { type: 'string' }, /accepts no object/u],
    ['accepts nothing', { not: {} }, /accepts no object/u],
    ['an unknown type', { type: 'file' }, /a type/u],
    ['a type of the wrong kind', { type: 7 }, /a type/u],
    ['properties that are a list', { properties: [] }, /properties/u],
    ['a property that is a text', { properties: { a: 'string' } }, /neither an object nor a boolean/u],
    ['required that is a text', { required: 'a' }, /required/u],
    ['required that holds a number', { required: [1] }, /required/u],
    ['required of draft 3', { properties: { a: { required: true } } }, /required/u],
    ['an enum that is a text', { properties: { a: { enum: 'a' } } }, /enum/u],
    ['anyOf that is an object', { anyOf: {} }, /anyOf/u],
    ['anyOf that is empty', { anyOf: [] }, /anyOf/u],
    ['a foreign $ref', { $ref: 'https://x.example/schema.json' }, /\$ref/u],
    ['an anchor', { $ref: '#here' }, /\$ref/u],
    ['a dangling $ref', { $ref: '#/$defs/a' }, /\$ref to nothing/u],
    ['a $ref to what every object inherits', { $ref: '#/constructor' }, /\$ref to nothing/u],
    ['a $ref to no schema', { $ref: '#/title', title: 'a' }, /neither/u],
    ['a $ref to itself', { $ref: '#' }, /defined by itself/u],
    [
      'a circle of $refs',
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { allOf: [{ $ref: '#' }] } } },
      /defined by itself/u,
    ],
    ['a long chain of $refs', chain(50_000), /\$ref|more than/u],
    [
      'too many schemas',
      { properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`p${i}`, {}])) },
      /more than 20000/u,
    ],
    ['too many alternatives', { anyOf: Array.from({ length: 600 }, () => ({})) }, /too many schemas/u],
    ['too many groups', { allOf: Array.from({ length: 40 }, () => ({ anyOf: [{}] })) }, /too many schemas/u],
  ])('are a problem: %s', (_, schema, problem) => {
    const result = compileSchema(schema);
    expect('problem' in result ? result.problem : 'compiled').toMatch(problem);
  });

  test('reads pointers with escapes and indexes', () => {
    const schema = compiled({
      properties: { a: { $ref: '#/$defs/x~1y~0z%20' }, b: { $ref: '#/anyOf/1' } },
      $defs: { 'x/y~z ': { type: 'string' } },
      anyOf: [{}, { type: ['object', 'integer'] }],
    });
    expect(propertyAt(schema, ['a']).types).toStrictEqual(['string']);
    expect(propertyAt(schema, ['b']).types).toStrictEqual(['integer', 'object']);
  });

  test('[P.decode.no-throw] a schema that makes comparison explode is answered with a refusal in bounded time', () => {
    const wide = (depth: number): Json =>
      depth === 0
        ? { const: 1 }
        : { anyOf: Array.from({ length: 8 }, () => ({ properties: { a: wide(depth - 1) } })) };
    const schema = compiled(wide(4));
    const value = parseJson('{"a":{"a":{"a":{"a":2}}}}');
    expect(value.ok && decoded(schema, value.value as JsonObject)).toMatch(/^(?:\w|\.)*: /u);
    const groups = compiled({
      properties: { z: { const: 0 } },
      allOf: Array.from({ length: 30 }, (_, i) => ({
        anyOf: [{ required: ['a'] }, { required: [`b${i}`] }],
      })),
    });
    expect(decoded(groups, { z: 1 })).toMatch(/: /u);
    expect(decoded(groups, { z: 0 })).toBe('same');
  });

  test('[P.decode.no-throw] a name that is costly for a pattern is not matched', () => {
    const schema = compiled({ patternProperties: { '^[a-z]*[a-z]*$': {} } });
    expect(decoded(schema, { abc: 1 })).toBe('same');
    expect(decoded(schema, { [`${'a'.repeat(100_000)}!`]: 1 })).toMatch(/is no argument/u);
  });
});
