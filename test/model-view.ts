/** The model's view of one tool beside what decides its calls: worlds of a schema and a policy, and what has to hold in them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { type JsonObject, isJsonObject, own, parseToolName } from '../packages/core/src/ground/index.js';
import { executorOf, modelView } from '../packages/core/src/policy/index.js';
import { type Gate, gate } from './policies.js';

/** Compiles schemas, whatever keywords they have. */
export const ajv: Ajv2020 = new Ajv2020({ strict: false, logger: false });

/** A tool `s/t`, its policy, and what agent `a` is shown of it. */
export interface World {
  readonly schema: JsonObject;
  readonly gate: Gate;
  readonly narrowed: JsonObject;
  readonly possible: boolean;
  readonly complete: boolean;
}

/** Loads a world; undefined where its policy does not load. `more`: of the server's entry, and `connectors`. */
export function worldOf(schema: JsonObject, agent: JsonObject, more: JsonObject = {}): World | undefined {
  const { connectors, ...server } = more;
  const servers = { s: { command: 'x', root: '/x', ...server } };
  const document = {
    pawl: 1,
    servers,
    agents: { a: agent },
    ...(connectors === undefined ? {} : { connectors }),
  };
  let loaded: Gate;
  try {
    loaded = gate(JSON.stringify(document), { s: { t: schema } });
  } catch {
    return undefined;
  }
  const executor = executorOf(loaded.policy, 'a', undefined);
  const policy = 'kind' in executor ? undefined : executor.forTool(parseToolName('s/t')!);
  if (policy === undefined) return undefined;
  const view = modelView(policy, { name: 't', inputSchema: schema }, undefined);
  const narrowed = own(view.definition, 'inputSchema') as JsonObject;
  return { schema, gate: loaded, narrowed, possible: view.possible, complete: view.complete };
}

/** The schema as decode takes it, requiring nothing. */
function lenient(schema: JsonObject): JsonObject {
  const { required: _, properties, ...rest } = schema;
  if (!isJsonObject(properties)) return { ...schema, required: [] };
  const members = Object.entries(properties).map(([name, one]) => [
    name,
    isJsonObject(one) ? lenient(one) : one,
  ]);
  return { additionalProperties: false, ...rest, properties: Object.fromEntries(members) };
}

/** The arguments without those that the narrowed schema does not show. */
function shown(args: JsonObject, schema: JsonObject, narrowed: JsonObject): JsonObject {
  const [before, after] = [own(schema, 'properties'), own(narrowed, 'properties')];
  if (!isJsonObject(before) || !isJsonObject(after)) return args;
  const left = Object.entries(args).flatMap(([name, value]) => {
    const [was, is] = [own(before, name), own(after, name)];
    if (was !== undefined && (is === undefined || JSON.stringify(is) === '{"not":{}}')) return [];
    return isJsonObject(value) && isJsonObject(was) && isJsonObject(is)
      ? [[name, shown(value, was, is)]]
      : [[name, value]];
  });
  return Object.fromEntries(left);
}

function checked(world: World, calls: readonly JsonObject[], onRefused: (args: JsonObject) => void): number {
  const takes = ajv.compile(world.narrowed);
  const sensible = ajv.compile(lenient(world.schema));
  const whole = ajv.compile(world.schema);
  let count = 0;
  for (const args of calls) {
    if (!sensible(args)) continue;
    const verdict = world.gate.call('s/t', args);
    if (verdict.decision === 'deny') {
      if (world.possible && world.complete && world.narrowed !== world.schema && takes(args)) onRefused(args);
      continue;
    }
    if (!whole(verdict.args)) continue;
    count += 1;
    expect(world.possible, JSON.stringify(args)).toBe(true);
    const visible = shown(args, world.schema, world.narrowed);
    expect(takes(visible), JSON.stringify([args, visible, world.narrowed])).toBe(true);
    expect(world.gate.call('s/t', visible).decision, JSON.stringify([args, visible])).not.toBe('deny');
  }
  return count;
}

/** Runs worlds, and expects that enough calls were admitted in them. */
export function holds(
  world: fc.Arbitrary<[JsonObject, JsonObject, readonly JsonObject[]]>,
  onRefused: (world: World, args: JsonObject, agent: JsonObject) => void,
  more: JsonObject = {},
): void {
  let [count, complete, admitted] = [0, 0, 0];
  fc.assert(
    fc.property(world, ([schema, agent, calls]) => {
      const one = worldOf(schema, agent, more);
      if (one === undefined) return;
      count += 1;
      complete += Number(one.complete);
      admitted += checked(one, calls, (args) => onRefused(one, args, agent));
    }),
    { numRuns: runs },
  );
  expect(count).toBeGreaterThan(runs / 10);
  expect(complete).toBeGreaterThan(count * 0.75);
  expect(admitted).toBeGreaterThan(runs / 30);
}

const runs: number = Number(process.env['RUNS'] ?? 150);

/** For worlds of which the view says everything. */
export function never({ gate: loaded, narrowed }: World, args: JsonObject): void {
  const { message } = loaded.call('s/t', args);
  expect.fail(`${JSON.stringify(args)} is taken and refused: ${message ?? ''} ${JSON.stringify(narrowed)}`);
}
