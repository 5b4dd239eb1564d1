/** Ceilings and narrowings: names that are no connector and no server, and fields that nothing has. */
import { type Limit, checkLimit } from '../ceiling/index.js';
import {
  type ConnectorTable,
  type Field,
  type FieldContext,
  builtinConnector,
  builtinNames,
  readsCommands,
  standing,
  wordField,
} from '../connector/index.js';
import { framesOf } from './check.js';
import type { AgentInput } from './compile-input.js';
import type { ServerFrame } from './tool.js';

/** Notes what is wrong with where limits point. A connector of which there is no tool here is silent. */
export function checkLimits(
  { expect, servers, input }: AgentInput,
  context: FieldContext,
  limits: readonly Limit[],
): void {
  for (const limit of limits) {
    const own = [...servers.values()].filter(
      ({ name, connector }) => name === limit.on || connector?.name === limit.on,
    );
    const table = input.document.connectors.get(limit.on) ?? builtinConnector(limit.on);
    if (own.length > 0 || table !== undefined) {
      for (const field of limit.fields) checkField(context, limit, field, { own, table });
    } else {
      const known = [
        ...new Set([...servers.keys(), ...input.document.connectors.keys(), ...builtinNames()]),
      ].join(', ');
      expect.problem(limit.at, limit.path, `${limit.on}, which is no connector and no server`, known);
    }
  }
}

function checkField(
  context: FieldContext,
  limit: Limit,
  field: Field,
  { own, table }: { readonly own: readonly ServerFrame[]; readonly table: ConnectorTable | undefined },
): void {
  const tables = [table, ...own.map(({ connector }) => connector)];
  const fields = tables.flatMap((each) => Object.keys(each?.fields ?? {}));
  const server = own.find(({ name }) => name === limit.on);
  const known = server !== undefined && (hasArgument(server, field) || readsWords(server, field));
  if (fields.includes(field.name) || known) {
    checkConstraint(context, field, own, table);
    return;
  }
  const allowed = [...new Set(fields), ...(server === undefined ? [] : ['args.NAME of an accepted schema'])];
  context.expect.problem(field.at, limit.path, `field ${field.name}`, allowed.join(', '));
}

/**
 * The constraint on its own, for every server that it concerns, or for its connector where there is none. A root or home that
 * a server does not have is missed only by a tool of it that the agent has.
 */
function checkConstraint(
  context: FieldContext,
  field: Field,
  own: readonly ServerFrame[],
  table: ConnectorTable | undefined,
): void {
  const concerned = own.length > 0 ? own : [{ connector: table, paths: anywhere }];
  for (const { connector, paths } of concerned) {
    checkLimit(context, { fields: connector?.fields ?? {}, paths: { ...anywhere, ...paths } }, field);
  }
}

const anywhere: ServerFrame['paths'] = { root: '/', home: '/', case: 'sensitive', platform: 'posix' };

/** Whether the field is that of words of commands, and some tool of the server is read so for this agent. */
function readsWords(server: ServerFrame, { name }: Field): boolean {
  return name === wordField && framesOf(server).some(({ table }) => readsCommands(table));
}

/** Whether a tool of the server has the argument; without schemas every argument may be there. */
function hasArgument(server: ServerFrame, field: Field): boolean {
  if (!field.name.startsWith('args.')) return false;
  return (
    server.tools === undefined || framesOf(server).some((frame) => standing(frame, field).kind === 'argument')
  );
}
