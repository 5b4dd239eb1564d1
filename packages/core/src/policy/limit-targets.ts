/** The connectors and servers of a policy as ceilings and narrowings may name them. */
import type { LimitGround, LimitTargets } from '../ceiling/index.js';
import {
  type ConnectorTable,
  type Field,
  builtinConnector,
  builtinNames,
  readsCommands,
  standing,
  wordField,
} from '../connector/index.js';
import type { ServerName } from '../ground/index.js';
import { framesOf } from './check.js';
import type { PolicyDocument } from './document.js';
import type { ServerFrame } from './tool.js';

/** What there is to name. */
export interface Named {
  /** As they are for the agent whose limits are meant. */
  readonly servers: ReadonlyMap<ServerName, ServerFrame>;
  /** Declared ones. */
  readonly connectors: PolicyDocument['connectors'];
}

/** The names that limits may have, and what each stands for. */
export function limitTargets({ servers, connectors }: Named): LimitTargets {
  const names = new Set([...servers.keys(), ...connectors.keys(), ...builtinNames()]);
  return {
    names: [...names].join(', '),
    at: (on) => {
      const own = [...servers.values()].filter(
        ({ name, connector }) => name === on || connector?.name === on,
      );
      const table = connectors.get(on) ?? builtinConnector(on);
      if (own.length === 0 && table === undefined) return undefined;
      const server = own.find(({ name }) => name === on);
      const tables = [table, ...own.map(({ connector }) => connector)];
      const fields = [...new Set(tables.flatMap((each) => Object.keys(each?.fields ?? {})))];
      return {
        grounds: own.length > 0 ? own.map(groundOf) : [bareGround(on, table)],
        has: (field) =>
          fields.includes(field.name) ||
          (server !== undefined && (hasArgument(server, field) || readsWords(server, field))),
        fields: [...fields, ...(server === undefined ? [] : ['args.NAME of an accepted schema'])].join(', '),
      };
    },
  };
}

function groundOf({ name, connector, paths }: ServerFrame): LimitGround {
  const names = connector === undefined ? [name] : [name, connector.name];
  return { names, frame: { fields: connector?.fields ?? {}, paths }, tools: connector?.tools ?? {} };
}

function bareGround(on: string, table: ConnectorTable | undefined): LimitGround {
  return { names: [on], frame: { fields: table?.fields ?? {}, paths: anywhere }, tools: table?.tools ?? {} };
}

/** Paths as read where no server says how. */
export const anywhere: ServerFrame['paths'] = {
  root: '/',
  home: '/',
  case: 'sensitive',
  platform: 'posix',
};

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
