/** tau-bench: what a user's own things allow, and who is crossed by whose writes. */
import type { Json } from '@pawl/core';
import type { Binding, Grant, ToolGrant } from './grant.js';
import type { SharedSuite, SuiteCall, SuiteTool, SuiteUser } from './suite.js';

/** The domains. */
export const tauBenchSuites = ['airline', 'retail'] as const;

/** Arguments that name a thing of somebody's, and whose they have to be. */
const owned: Readonly<Record<string, (id: string, user: SuiteUser) => readonly string[]>> = {
  user_id: (id) => [id],
  order_id: (_, { orders }) => Object.keys(orders ?? {}),
  reservation_id: (_, { reservations }) => reservations ?? [],
  payment_id: (_, { payment_methods }) => payment_methods,
  payment_method_id: (_, { payment_methods }) => payment_methods,
};

/** What every user may do, by user. */
export function ownGrants({ tools, users }: SharedSuite): ReadonlyMap<string, Grant> {
  return new Map(Object.entries(users).map(([id, user]) => [id, ownGrant(tools, id, user)]));
}

function ownGrant(tools: readonly SuiteTool[], id: string, user: SuiteUser): Grant {
  return tools.flatMap((tool): readonly ToolGrant[] => {
    const bindings = idPaths(tool.parameters).map((path): Binding => {
      const values = owned[path.at(-1) ?? '']?.(id, user) ?? [];
      return { path, values, optional: false, list: false };
    });
    // Somebody without orders has no use for a tool that needs one.
    return bindings.some(({ values }) => values.length === 0) ? [] : [{ tool: tool.name, bindings }];
  });
}

/** Where in the arguments of a tool ids of users, orders, reservations and payments stand. */
function idPaths(
  schema: Json | undefined,
  before: readonly string[] = [],
): readonly (readonly [string, ...string[]])[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  const { properties, items } = schema as { readonly properties?: Json; readonly items?: Json };
  const inside = Object.entries(properties ?? {}).flatMap(([name, inner]) =>
    Object.hasOwn(owned, name) ? [path(before, name)] : idPaths(inner as Json, [...before, name]),
  );
  return [...inside, ...idPaths(items, before)];
}

function path(before: readonly string[], name: string): readonly [string, ...string[]] {
  const [first, ...rest] = [...before, name];
  return [first ?? name, ...rest];
}

/** One user beside the writes of a task of another user. */
export interface Crossing {
  readonly user: string;
  /** The task of the user, and that of the other. */
  readonly tasks: readonly [string, string];
  readonly writes: readonly SuiteCall[];
}

/** Every task beside every task of another user that writes something. Handing over to a human is nobody's in particular. */
export function crossings({ tasks, tools }: SharedSuite): readonly Crossing[] {
  const writing = new Set(tools.filter(({ effect }) => effect === 'write').map(({ name }) => name));
  writing.delete('transfer_to_human_agents');
  const written = tasks.map((task) => task.ground_truth.filter((call) => writing.has(call.function)));
  return tasks.flatMap((own) =>
    tasks.flatMap((other, index) => {
      const writes = written[index] ?? [];
      if (other.user_id === own.user_id || writes.length === 0) return [];
      return [{ user: own.user_id, tasks: [own.id, other.id] as const, writes }];
    }),
  );
}
