/** Writes grants as a policy document. */
import type { Json, JsonObject } from '@pawl/core';
import type { Binding, Grant, ToolGrant } from './grant.js';
import type { SuiteTool } from './suite.js';

/** The text of a document in which every agent holds its grant over the tools of one server. */
export function policyText(
  server: string,
  tools: readonly SuiteTool[],
  grants: ReadonlyMap<string, Grant>,
): string {
  const agents = [...grants].map(([agent, grant]): [string, JsonObject] => [
    agent,
    { allow: grant.map((granted) => ruleOf(server, granted, tools)) },
  ]);
  const document = {
    pawl: 1,
    servers: { [server]: { command: 'suite' } },
    agents: Object.fromEntries(agents),
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function ruleOf(server: string, granted: ToolGrant, tools: readonly SuiteTool[]): JsonObject {
  const { tool, bindings, uses } = granted;
  const where: Record<string, Json> = {};
  for (const binding of bindings) Object.assign(where, constraintsOf(binding));
  if (bindings.length > 0) Object.assign(where, freed(granted, tools));
  return {
    tools: [`${server}/${tool}`],
    ...(bindings.length > 0 && { where }),
    ...(uses !== undefined && { uses }),
  };
}

function constraintsOf({ path, values, optional, list }: Binding): Readonly<Record<string, Json>> {
  if (values.length === 0 && !list) return { [keyOf(path)]: 'absent' };
  if (values.length === 0) return { [keyOf(path)]: maybe(optional, { maxItems: 0 }) };
  const objects = values.filter((value): value is JsonObject => typeof value === 'object' && value !== null);
  if (objects.length === 0) return { [keyOf(path)]: maybe(optional, [...values]) };
  // A list of objects is bound member by member.
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  return Object.assign(
    {},
    ...names.map((name) => {
      const inner = objects.flatMap((each) => each[name] ?? []);
      const missing = optional || inner.length < objects.length;
      return constraintsOf({ path: [...path, name], values: inner, optional: missing, list: false });
    }),
  ) as Readonly<Record<string, Json>>;
}

function maybe(optional: boolean, constraint: Json): Json {
  return optional ? { optional: constraint } : constraint;
}

/** Everything else is free; beside members of objects by name, so that objects hold nothing but those. */
function freed({ tool, bindings }: ToolGrant, tools: readonly SuiteTool[]): Readonly<Record<string, Json>> {
  const holdsObjects = bindings.some(({ values }) => values.some((value) => typeof value === 'object'));
  if (!holdsObjects) return { rest: 'any' };
  const schema = tools.find(({ name }) => name === tool)?.parameters['properties'] ?? {};
  const bound = new Set(bindings.map(({ path }) => path[0]));
  const others = Object.keys(schema).filter((name) => !bound.has(name));
  return Object.fromEntries(others.map((name) => [keyOf([name]), 'any']));
}

function keyOf(path: readonly string[]): string {
  return ['args', ...path.map((name) => (/[."]/u.test(name) ? JSON.stringify(name) : name))].join('.');
}
