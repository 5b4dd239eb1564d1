import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWithShared } from '../../../../test/shared.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';
import { parseJson, parseJsonBytes } from './json.js';
import { sliceMembers } from './json-members.js';
import { argumentPaths, compileSchema, decodeArguments, missingRequired, propertyAt } from './schema.js';

interface Tool {
  readonly name: string;
  readonly schema: JsonObject;
}

function toolsIn(folder: string): readonly Tool[] {
  return readdirSync(folder).flatMap((file) => {
    const whole = parseJson(readFileSync(join(folder, file), 'utf8'), { bytes: 16_777_216 });
    const tools = whole.ok && isJsonObject(whole.value) ? own(whole.value, 'tools') : undefined;
    if (!isJsonArray(tools)) throw new Error(`${file}: ${JSON.stringify(whole).slice(0, 80)}`);
    return tools.map((tool) => ({
      name: `${file} ${JSON.stringify(isJsonObject(tool) ? own(tool, 'name') : null)}`,
      schema: (isJsonObject(tool) ? own(tool, 'inputSchema') : undefined) as JsonObject,
    }));
  });
}

/** Arguments made by the letter of a schema: its first alternative, its first value, every property to a depth. */
function sample(root: JsonObject, schema: Json | undefined, depth: number): Json {
  if (!isJsonObject(schema)) return 'text';
  if (Object.hasOwn(schema, 'const')) return own(schema, 'const') ?? null;
  const values = own(schema, 'enum');
  if (isJsonArray(values)) return values[0] ?? null;
  const ref = own(schema, '$ref');
  if (typeof ref === 'string') return sample(root, target(root, ref), depth + 1);
  const type = own(schema, 'type');
  if (type === undefined) return sampleOfParts(root, schema, depth);
  return sampleOf(isJsonArray(type) ? type[0] : type, root, schema, depth);
}

function sampleOfParts(root: JsonObject, schema: JsonObject, depth: number): Json {
  const alternatives = [own(schema, 'anyOf'), own(schema, 'oneOf')].find(isJsonArray);
  const possible = alternatives?.find((one) => !(isJsonObject(one) && Object.hasOwn(one, 'not')));
  if (possible !== undefined) return sample(root, possible, depth);
  const all = own(schema, 'allOf');
  if (!isJsonArray(all)) return 'text';
  const parts = all.map((part) => sample(root, part, depth));
  return parts.some(isJsonObject)
    ? Object.assign({}, ...parts.filter(isJsonObject))
    : (parts.at(-1) ?? 'text');
}

function sampleOf(type: Json | undefined, root: JsonObject, schema: JsonObject, depth: number): Json {
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'array') return depth > 4 ? [] : [sample(root, own(schema, 'items'), depth + 1)];
  if (type !== 'object') return 'text';
  const properties = own(schema, 'properties');
  if (!isJsonObject(properties)) return {};
  const required = own(schema, 'required');
  const names = Object.keys(properties).filter(
    (name) => depth < 4 || (isJsonArray(required) && required.includes(name)),
  );
  return Object.fromEntries(names.map((name) => [name, sample(root, own(properties, name), depth + 1)]));
}

function target(root: JsonObject, ref: string): Json | undefined {
  let at: Json | undefined = root;
  for (const step of ref.split('/').slice(1)) at = isJsonObject(at) ? own(at, step) : undefined;
  return at;
}

describeWithShared('the real tools', 'data/mcp-tools', (folder) => {
  const tools = toolsIn(folder).map((tool) => ({ ...tool, compiled: compileSchema(tool.schema) }));

  test('are all read without a problem', () => {
    expect(tools.length).toBeGreaterThanOrEqual(1660);
    expect(
      tools.flatMap(({ name, compiled }) => ('problem' in compiled ? [`${name}: ${compiled.problem}`] : [])),
    ).toStrictEqual([]);
  });

  test('know every path that they list', () => {
    for (const { name, compiled } of tools) {
      if ('problem' in compiled) continue;
      for (const path of argumentPaths(compiled)) {
        expect([name, path.join('.'), propertyAt(compiled, path).known]).toStrictEqual([
          name,
          path.join('.'),
          'yes',
        ]);
      }
    }
  });

  test('[P.decode.types] accept arguments made by the letter of their schema, as the same object', () => {
    for (const { name, schema, compiled } of tools) {
      if ('problem' in compiled) continue;
      const sampled = sample(schema, schema, 0);
      const args = isJsonObject(sampled) ? sampled : {};
      expect([name, decodeArguments(compiled, args)]).toStrictEqual([
        name,
        { ok: true, args, changed: false },
      ]);
      expect([name, missingRequired(compiled, args)]).toStrictEqual([name, undefined]);
    }
  });

  test('[P.decode.unknown-argument] refuse a name that they do not have, unless they are open', () => {
    for (const { compiled } of tools) {
      if ('problem' in compiled) continue;
      const known = propertyAt(compiled, ['no such name']).known;
      const result = decodeArguments(compiled, { 'no such name': 'text' });
      expect(result.ok).toBe(known === 'open');
    }
  });

  test('[P.decode.no-throw] survive arguments of any shape', () => {
    const schemas = tools.flatMap(({ compiled }) => ('problem' in compiled ? [] : [compiled]));
    fc.assert(
      fc.property(
        fc.constantFrom(...schemas),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        (schema, raw, value) => {
          const named = argumentPaths(schema).map((path) => [path[0] ?? '', value] as const);
          const args = { ...raw, ...Object.fromEntries(named) } as JsonObject;
          const before = JSON.stringify(args);
          const result = decodeArguments(schema, args);
          expect(JSON.stringify(args)).toBe(before);
          if (result.ok)
            expect(decodeArguments(schema, result.args)).toStrictEqual({ ...result, changed: false });
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('[P.decode.no-throw] mutated frames of real calls are read as JSON.parse reads them, or refused', () => {
    const frames = tools.map(({ name, schema }, id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: sample(schema, schema, 0) },
      }),
    );
    const mutation = fc.tuple(
      fc.nat(),
      fc.nat(3),
      fc.oneof(
        fc.string({ maxLength: 3 }),
        fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', '0', 'e', '.', '-'),
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...frames), fc.array(mutation, { maxLength: 3 }), (frame, mutations) => {
        let text = frame;
        for (const [position, removed, inserted] of mutations) {
          const at = position % (text.length + 1);
          text = text.slice(0, at) + inserted + text.slice(at + removed);
        }
        const strict = parseJsonBytes(new TextEncoder().encode(text));
        if (strict.ok)
          expect(strict.value).toEqual(JSON.parse(new TextDecoder().decode(new TextEncoder().encode(text))));
        sliceMembers(text);
      }),
      { numRuns: 3000 },
    );
  });
});

describeWithShared('the reported calls', 'data/reports', () => {
  const schemas: Readonly<Record<string, Json>> = {
    R097: {
      properties: { query: { type: 'string' }, after: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
    R098: {
      properties: {
        template_id: { type: 'string' },
        name: { type: 'string' },
        file: { type: 'string' },
        fields: {
          type: 'array',
          items: {
            properties: { key: { type: 'string' }, ai_prompt: { type: 'string' } },
            required: ['key'],
          },
        },
      },
      required: ['template_id'],
    },
    R099: { properties: { config: { properties: { ttl: { type: 'integer' } } } } },
    R104: { properties: { amount: { type: 'number' } }, required: ['amount'] },
    R105: {
      properties: { options: { type: 'array', items: { properties: { id: { type: 'string' } } } } },
      required: ['options'],
    },
  };

  test.each<[string, JsonObject, unknown]>([
    ['R097', { query: 'authenticate', after: null, limit: null }, { query: 'authenticate' }],
    [
      'R098',
      { template_id: 't1', name: null, file: null, fields: [{ key: 'a', ai_prompt: null }] },
      { template_id: 't1', fields: [{ key: 'a' }] },
    ],
    ['R099', { config: { ttll: 5 } }, 'config.ttll'],
    ['R104', { amount: '2000000' }, 'amount'],
    ['R105', { options: '[{"id":"a"},{"id":"b"}]' }, { options: [{ id: 'a' }, { id: 'b' }] }],
  ])('%s is answered as its report expects', (id, args, expected) => {
    const schema = compileSchema(schemas[id] ?? null);
    if ('problem' in schema) throw new Error(schema.problem);
    const result = decodeArguments(schema, args);
    expect(result.ok ? result.args : result.path).toStrictEqual(expected);
  });
});
