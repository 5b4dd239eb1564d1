import * as fc from 'fast-check';
import type { Json, JsonObject } from '@pawl/core';
import { deepEqualJson } from '@pawl/core';
import { expect, test } from 'vitest';
import { definitionDiff } from './pin-diff.js';

const read: JsonObject = {
  name: 'read',
  description: 'Reads.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, mode: { enum: ['a', 'b'] } },
    required: ['path'],
  },
};

test('shows what came and went, each at its place', () => {
  const next: JsonObject = {
    name: 'read',
    description: 'Reads.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', maxLength: 9 }, mode: { enum: ['b', 'c'] }, bcc: {} },
    },
  };
  expect(definitionDiff(read, next)).toEqual([
    '+ inputSchema.properties.path.maxLength: 9',
    '- inputSchema.properties.mode.enum: "a"',
    '+ inputSchema.properties.mode.enum: "c"',
    '+ inputSchema.properties.bcc: {}',
    '- inputSchema.required: ["path"]',
    '+ annotations: {"readOnlyHint":true}',
  ]);
});

test('shows every property of a tool that is new', () => {
  expect(definitionDiff(undefined, read)).toEqual([
    '+ name: "read"',
    '+ description: "Reads."',
    '+ inputSchema.type: "object"',
    '+ inputSchema.properties.path: {"type":"string"}',
    '+ inputSchema.properties.mode: {"enum":["a","b"]}',
    '+ inputSchema.required: ["path"]',
  ]);
});

test('shows of a long text the lines that differ, and how many do not', () => {
  const before = { description: 'one\ntwo\nthree' };
  expect(definitionDiff(before, { description: 'one\n2\nthree' })).toEqual([
    '  description: (2 lines are the same)',
    '-   "two"',
    '+   "2"',
  ]);
});

test('shows a change of order, and an element that was doubled', () => {
  expect(definitionDiff({ a: [1, 2] }, { a: [2, 1] })).toEqual(['- a: [1,2]', '+ a: [2,1]']);
  expect(definitionDiff({ a: [1, 2] }, { a: [1, 2, 2] })).toEqual(['- a: [1,2]', '+ a: [1,2,2]']);
});

test('escapes what a terminal would obey, reorder or not show, in names too, and cuts nothing off', () => {
  const long = `${'x'.repeat(5000)}END`;
  const lines = definitionDiff({}, { 'a\u202Eb': 'c\u001B[2Jd\u200Be\u3164f\u{E0041}g\uFE0F', long });
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
  expect(lines[0]).toBe('+ "a\\u{202e}b": "c\\u001b[2Jd\\u{200b}e\\u{3164}f\\u{e0041}g\\u{fe0f}"');
  expect(lines[1]).toContain('END');
});

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Json);
const definition = fc.dictionary(
  fc.constantFrom('name', 'description', 'inputSchema', 'properties', 'x'),
  json,
);

test('shows something exactly if something differs, and no line that a terminal would obey', () => {
  fc.assert(
    fc.property(definition, definition, (old, now) => {
      const lines = definitionDiff(old, now);
      expect(lines.length === 0).toBe(deepEqualJson(old, now));
      expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
  fc.assert(
    fc.property(definition, (same) => {
      expect(definitionDiff(same, same)).toEqual([]);
      expect(definitionDiff(undefined, same).length > 0).toBe(Object.keys(same).length > 0);
    }),
  );
});
