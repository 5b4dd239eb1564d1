/** What comparing arguments with a schema may cost: counted in steps, so that the same call is always answered alike. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../ground/index.js';
import { type ToolSchema, compileSchema, decodeArguments, propertyAt } from './schema.js';

function compiled(schema: Json): ToolSchema {
  const result = compileSchema(schema);
  if ('problem' in result) throw new Error(result.problem);
  return result;
}

/** `same`, or what is wrong. */
function decoded(schema: ToolSchema, args: Readonly<Record<string, Json>>): string {
  const result = decodeArguments(schema, args);
  if (!result.ok) return `${result.path}: ${result.message}`;
  return result.args === args ? 'same' : 'changed';
}

describe('the cost of a comparison', () => {
  test('[P.decode.no-throw] what costs more than a step counts for more: groups that multiply, long lists of structures', () => {
    const groups = compiled({
      type: 'object',
      allOf: Array.from({ length: 12 }, (_, i) => ({
        anyOf: Array.from({ length: 12 }, (_, j) => ({ properties: { [`p${i}`]: { const: j } } })),
      })),
    });
    expect(decoded(groups, { x: 'a' })).toMatch(/: /u);
    const structures = Array.from({ length: 4_000 }, (_, i) => ({ a: [i, { b: i }] }));
    const list = compiled({ properties: { x: { type: 'array', items: { enum: structures } } } });
    expect(decoded(list, { x: structures })).toMatch(/takes too long/u);
    expect(decoded(list, { x: structures.slice(0, 100) })).toBe('same');
  });

  test('[P.decode.types] long lists of values and long lists of alternatives are for use', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i}`);
    const listed = compiled({ properties: { x: { type: 'array', items: { enum: words } } } });
    expect(decoded(listed, { x: words.slice(-4_000) })).toBe('same');
    expect(decoded(listed, { x: ['w'] })).toMatch(/expected one of/u);
    expect(propertyAt(listed, ['x']).types).toStrictEqual(['array']);
    const forms = Array.from({ length: 40 }, (_, i) => ({
      type: 'object',
      properties: { [`p${i}`]: { type: 'string' } },
      required: [`p${i}`],
      additionalProperties: false,
    }));
    const items = compiled({ properties: { x: { type: 'array', items: { anyOf: forms } } } });
    expect(decoded(items, { x: Array.from({ length: 4_000 }, (_, i) => ({ [`p${i % 40}`]: 'v' })) })).toBe(
      'same',
    );
  });
});
