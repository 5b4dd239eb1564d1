import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../ground/index.js';
import { Check } from './schema-check.js';
import { fitsPlainly, isWholePlainly } from './schema-plain.js';
import { argumentPaths, compileSchema, decodeArguments, missingRequired, propertyAt } from './schema.js';

const names = fc.constantFrom('a', 'b', 'c', 'constructor');

/** Small schemas over few names, so that arguments meet them often. */
const { schema } = fc.letrec<{ schema: Json; object: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc
      .constantFrom<Json>('string', 'integer', 'number', 'boolean', 'null', 'array', 'object')
      .map((type): Json => ({ type })),
    fc.constantFrom<Json>(
      {},
      true,
      false,
      { enum: ['a', 1, null] },
      { const: 'a' },
      { type: ['string', 'null'], default: null },
    ),
    fc.constant<Json>({ $ref: '#' }),
  ),
  object: fc
    .record({
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: fc.option(fc.oneof(fc.boolean(), tie('schema')), { nil: undefined }),
      anyOf: fc.option(fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 4 }),
      allOf: fc.option(fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 4 }),
    })
    .map((object): Json => JSON.parse(JSON.stringify(object)) as Json),
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    tie('schema').map((items): Json => ({ type: 'array', items })),
  ),
}));

const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 1, 1.5, 'a', 'b', '[]', '{"a":1}', '[{"a":null}]'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const args = fc.dictionary(names, value, { maxKeys: 4 });

/** Names on the way to every value; steps into arrays have none. */
function pathsOf(json: Json | undefined, at: readonly string[]): readonly (readonly string[])[] {
  if (typeof json !== 'object' || json === null) return [at];
  if (Array.isArray(json)) return [at, ...(json as readonly Json[]).flatMap((item) => pathsOf(item, at))];
  return [at, ...Object.entries(json).flatMap(([key, member]) => pathsOf(member, [...at, key]))];
}

describe('any schema and any arguments', () => {
  test('[P.decode.no-throw] what is taken at once is what a whole judgement takes unchanged', () => {
    let plain = 0;
    fc.assert(
      fc.property(schema, fc.array(args, { maxLength: 6 }), (one, some) => {
        const compiled = compileSchema(one);
        if ('problem' in compiled) return;
        for (const each of some) {
          const { root } = compiled;
          if (fitsPlainly(root, each)) expect(new Check(false).judge(root.self, each, 0, false)).toBe(each);
          if (!isWholePlainly(root, each)) continue;
          plain += 1;
          expect(new Check(true).judge(root.self, each, 0, true)).toBe(each);
        }
      }),
      { numRuns: 2000 },
    );
    expect(plain).toBeGreaterThan(20);
  });

  test('[P.decode.no-throw] neither compiling nor judging throws, whatever the schema is', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'required',
      'items',
      'anyOf',
      'allOf',
      '$ref',
      'enum',
      'const',
      'additionalProperties',
      'patternProperties',
      'default',
      'nullable',
      'not',
      'prefixItems',
      '$defs',
      'a',
    );
    const hostile = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(null, true, 0, 'object', 'string', '#', '#/properties/a', '#/$defs/a', '^a'),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(keyword, tie('json'), { maxKeys: 4 }),
      ),
    })).json;
    fc.assert(
      fc.property(fc.oneof(hostile, schema), args, (json, given) => {
        const compiled = compileSchema(json);
        if ('problem' in compiled) return;
        decodeArguments(compiled, given);
        missingRequired(compiled, given);
        argumentPaths(compiled);
        propertyAt(compiled, ['a', 'b', 'c']);
      }),
      { numRuns: 3000 },
    );
  });

  const judged = (
    check: (given: JsonObject, result: JsonObject, changed: boolean, of: Json) => void,
  ): void => {
    fc.assert(
      fc.property(schema, args, (json, given) => {
        const compiled = compileSchema(json);
        if ('problem' in compiled) return;
        const before = JSON.stringify(given);
        const result = decodeArguments(compiled, given);
        expect(JSON.stringify(given)).toBe(before);
        if (result.ok) check(given, result.args, result.changed, json);
        else expect(result.message).not.toBe('');
      }),
      { numRuns: 3000 },
    );
  };

  test('what was decoded is decoded again to the very same object', () => {
    judged((given, result, changed, json) => {
      expect(result === given).toBe(!changed);
      const compiled = compileSchema(json);
      if ('problem' in compiled) return;
      const again = decodeArguments(compiled, result);
      expect(again.ok && again.args).toBe(result);
    });
  });

  test('every name in decoded arguments is one that the schema knows or is open for', () => {
    judged((_, result, __, json) => {
      const compiled = compileSchema(json);
      if ('problem' in compiled) return;
      for (const path of pathsOf(result, []))
        expect([path, propertyAt(compiled, path).known]).not.toStrictEqual([path, 'no']);
    });
  });

  test('the types of decoded values are among those that the schema states for their place', () => {
    const typesOf = (json: Json): readonly string[] => {
      if (json === null) return ['null'];
      if (typeof json === 'number') return Number.isInteger(json) ? ['integer', 'number'] : ['number'];
      return [Array.isArray(json) ? 'array' : typeof json];
    };
    judged((_, result, __, json) => {
      const compiled = compileSchema(json);
      if ('problem' in compiled) return;
      for (const [key, member] of Object.entries(result)) {
        if (member === undefined) continue;
        const { types } = propertyAt(compiled, [key]);
        expect(typesOf(member).some((type) => types.some((known) => known === type))).toBe(true);
      }
    });
  });
});
