/** The model's view of real tools: every schema stays a valid one, under policies of every kind. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Tools, gate } from '../../../../../test/policies.js';
import { describeWithShared } from '../../../../../test/shared.js';
import { type PropertyInfo, argumentPaths, compileSchema, propertyAt } from '../../connector/index.js';
import { type Json, type JsonObject, deepFreeze, isJsonObject, own, readJson } from '../../ground/index.js';
import { executorOf } from '../index.js';
import { modelView } from './view.js';

interface RealTool {
  readonly package: string;
  readonly name: string;
  readonly schema: JsonObject;
}

function toolsIn(folder: string): readonly RealTool[] {
  return readdirSync(folder).flatMap((file) => {
    const stored = readJson(readFileSync(join(folder, file), 'utf8'));
    const tools = isJsonObject(stored) ? own(stored, 'tools') : undefined;
    return (Array.isArray(tools) ? (tools as JsonObject[]) : []).map((tool) => ({
      package: file,
      name: nameOf(tool),
      schema: deepFreeze((own(tool, 'inputSchema') ?? {}) as JsonObject),
    }));
  });
}

function nameOf(tool: JsonObject): string {
  const name = own(tool, 'name');
  return typeof name === 'string' ? name : '';
}

/** What a rule may say of an argument, by what the schema says of it. */
function constraintFor(info: PropertyInfo): fc.Arbitrary<Json> {
  const some = (info.enum ?? []).filter((value) => typeof value !== 'object' || value === null).slice(0, 4);
  const listed: readonly Json[] = some.length > 0 ? some : ['a', 'b', 1, 2, true];
  return fc.oneof(
    fc.subarray([...listed], { minLength: 1 }),
    fc.constantFrom(...listed).map((single) => ({ single })),
    fc.constantFrom<Json>({ min: 1, max: 5 }, { above: 0, integer: true }, { prefix: 'a' }, { glob: 'a*' }),
    fc.constantFrom<Json>(
      'any',
      'present',
      'absent',
      { path: ['/data/**'] },
      { url: ['https://x.example/**'] },
    ),
    fc.subarray([...listed], { minLength: 1 }).map((optional) => ({ optional })),
    fc.subarray([...listed], { minLength: 1 }).map((except) => ({ except })),
  );
}

type Where = Readonly<Record<string, Json>>;

function whereFor(schema: JsonObject): fc.Arbitrary<Where> {
  const compiled = compileSchema(schema);
  const paths = 'problem' in compiled ? [] : argumentPaths(compiled).slice(0, 40);
  const infos = paths.map((path) => ({
    key: ['args', ...path.map((step) => JSON.stringify(step))].join('.'),
    info: 'problem' in compiled ? undefined : propertyAt(compiled, path),
  }));
  return fc
    .subarray(infos, { minLength: Math.min(1, infos.length), maxLength: Math.min(3, infos.length) })
    .chain((chosen) =>
      fc.tuple(
        fc.boolean(),
        ...chosen.map(({ key, info }) =>
          constraintFor(info!).map((constraint) => [key, constraint] as const),
        ),
      ),
    )
    .map(([rest, ...where]) => ({ ...Object.fromEntries(where), ...(rest ? { rest: 'any' } : {}) }));
}

interface Rules {
  readonly allow: readonly Where[];
  readonly deny: readonly Where[];
  readonly ceiling: Where | undefined;
}

function rulesFor(schema: JsonObject): fc.Arbitrary<Rules> {
  const where = whereFor(schema);
  return fc.record({
    allow: fc.array(where, { minLength: 1, maxLength: 3 }),
    deny: fc.array(where, { maxLength: 1 }),
    ceiling: fc.option(where, { nil: undefined, freq: 3 }),
  });
}

function document({ allow, deny, ceiling }: Rules, server: JsonObject): string {
  const rule = (where: Where): JsonObject => ({
    tools: ['s/t'],
    ...(Object.keys(where).length > 0 ? { where } : {}),
  });
  const { rest: _, ...within } = ceiling ?? {};
  const agent = {
    allow: allow.map(rule),
    deny: deny
      .filter((where) => Object.keys(where).some((key) => key !== 'rest'))
      .map(({ rest: _rest, ...where }) => rule(where)),
    ...(Object.keys(within).length > 0 ? { ceiling: { s: within } } : {}),
  };
  return JSON.stringify({
    pawl: 1,
    servers: { s: { command: 'x', root: '/data', ...server } },
    agents: { a: agent },
  });
}

/** The schema as the model sees it; undefined where the document does not load. */
function viewed(text: string, tools: Tools, tool = 't'): JsonObject | undefined {
  let loaded: ReturnType<typeof gate>;
  try {
    loaded = gate(text, tools);
  } catch {
    return undefined;
  }
  const executor = executorOf(loaded.policy, 'a', undefined);
  if ('kind' in executor) throw new Error(executor.message);
  const name = executor.reachable.find((each) => each === `s/${tool}`);
  const policy = name && executor.forTool(name);
  if (policy === undefined) return undefined;
  const definition = { name: tool, annotations: { readOnlyHint: true }, inputSchema: tools['s']![tool]! };
  const view = modelView(policy, definition, undefined);
  expect(own(view.definition, 'annotations')).toBe(definition.annotations);
  return own(view.definition, 'inputSchema') as JsonObject;
}

const draft7 = new Ajv({ strict: false, logger: false, validateFormats: false });
const draft2020 = new Ajv2020({ strict: false, logger: false, validateFormats: false });

function ajvFor({ $schema }: JsonObject): Ajv {
  return JSON.stringify($schema ?? '').includes('draft-07') ? draft7 : draft2020;
}

/** Whether the meta-schema takes it: no empty enum, no keyword of the wrong shape. */
function isSchema({ $schema, ...rest }: JsonObject): boolean {
  return ajvFor({ $schema }).validateSchema(rest) === true;
}

/** Compiles it: no reference leads nowhere. */
function compiles(schema: JsonObject): void {
  const { $schema: _schema, $id: _, ...rest } = schema;
  const ajv = ajvFor(schema);
  const check = ajv.compile(rest);
  check({});
  ajv.removeSchema(rest);
}

describeWithShared('the model’s view of the real tools', 'data/mcp-tools', (folder) => {
  const tools = toolsIn(folder);

  test('[P.view.real-tools] is a valid schema for every tool under random constraints', () => {
    expect(tools.length).toBeGreaterThanOrEqual(1660);
    let [narrowed, seen] = [0, 0];
    for (const [at, { package: from, name, schema }] of tools.entries()) {
      const views = fc.sample(rulesFor(schema), { numRuns: 3, seed: at }).flatMap((rules) => {
        const view = viewed(document(rules, {}), { s: { t: schema } });
        return view === undefined ? [] : [{ rules, view }];
      });
      seen += views.length;
      const changed = views.filter(({ view }) => view !== schema);
      narrowed += changed.length;
      for (const { rules, view } of changed)
        expect(isSchema(view), `${from} ${name} ${JSON.stringify([rules, view])}`).toBe(true);
      const largest = changed.toSorted(
        (a, b) => JSON.stringify(b.view).length - JSON.stringify(a.view).length,
      )[0];
      if (largest !== undefined)
        expect(() => compiles(largest.view), `${from} ${name} ${JSON.stringify(largest)}`).not.toThrow();
    }
    expect(seen).toBeGreaterThan(1500);
    expect(narrowed).toBeGreaterThan(1000);
  }, 300_000);

  test('[P.view.untouched] without a constraint is the very same object', () => {
    for (const { schema, name } of tools) {
      const text = JSON.stringify({
        pawl: 1,
        servers: { s: { command: 'x' } },
        agents: { a: { allow: [{ tools: ['s/t'] }] } },
      });
      const view = viewed(text, { s: { t: schema } });
      if (view !== undefined) expect(view, name).toBe(schema);
    }
  });

  test.each([
    ['filesystem', '@modelcontextprotocol__server-filesystem', { path: ['/data/in/**'] }],
    ['git', '@cyanheads__git-mcp-server', { path: ['/data/repo/**'] }],
    ['fetch', 'mcp-fetch-server', { url: ['https://docs.example/**'] }],
    ['browser', '@playwright__mcp', { url: ['https://docs.example/**'] }],
  ])('[P.view.real-tools] is valid for the tools of the connector %s', (connector, from, where) => {
    const own = tools.filter((tool) => tool.package === `${from}.json`);
    expect(own.length).toBeGreaterThan(0);
    const schemas = { s: Object.fromEntries(own.map(({ name, schema }) => [name, schema])) };
    const agent = { allow: [{ tools: ['s/*'] }], ceiling: { [connector]: where } };
    const text = JSON.stringify({
      pawl: 1,
      servers: { s: { command: 'x', connector, root: '/data' } },
      agents: { a: agent },
    });
    const views = own.map(({ name }) => viewed(text, schemas, name)).filter((view) => view !== undefined);
    for (const view of views) compiles(view);
    expect(views.length).toBeGreaterThan(0);
    expect(JSON.stringify(views)).toContain('Only within');
  });
});
