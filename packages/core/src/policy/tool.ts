/** The tools of a generation: definitions in force, each with the frame by which its calls are read. */
import {
  type ConnectorTable,
  type ToolFrame,
  type ToolSchema,
  builtinConnector,
  compileSchema,
  inferredConnector,
  rawTool,
  toolTable,
} from '../connector/index.js';
import { type PathContext, canonicalPath } from '../authority/index.js';
import { type JsonObject, type ServerName, type ToolName, mountableTool, toolName } from '../ground/index.js';
import type { PolicyDocument, ServerSource } from './document.js';
import { sameData } from './same.js';

/** A tool definition as its server lists it: `name`, `description`, `inputSchema` and more. */
export interface ToolDefinition {
  readonly name: string;
  readonly definition: JsonObject;
}

/** Definitions by server; undefined where no schema is known and the universe is every tool and any JSON. */
export type ToolCatalog = ReadonlyMap<ServerName, readonly ToolDefinition[]> | undefined;

/** A server as rules meet it. */
export interface ServerFrame {
  readonly name: ServerName;
  /** The entry of the document; undefined for a server that only a tool list names. */
  readonly source: ServerSource | undefined;
  readonly connector: ConnectorTable | undefined;
  readonly paths: PathContext;
  /** Tools by name in the server's order; undefined where no schema is known. */
  readonly tools: ReadonlyMap<string, MountedTool> | undefined;
  /** For one agent: the frame of a tool as its rules make it. The frames in `tools` are made so already. */
  readonly framed?: (frame: ToolFrame) => ToolFrame;
}

/** A tool that can be called. */
export interface MountedTool {
  readonly frame: ToolFrame;
  readonly definition: JsonObject;
}

/** A tool that is not mounted, and why. */
export interface Absent {
  readonly tool: string;
  readonly why: string;
}

/** What the frame of a server is made from. */
export interface ServerParts {
  readonly document: Pick<PolicyDocument, 'servers' | 'connectors'>;
  readonly tools: ToolCatalog;
  readonly folder?: string;
}

/**
 * Builds the frame of one server. Tools that cannot be mounted are left out and told. A tool that `before` has with the same
 * definition, read in the same way, is that very tool.
 */
export function serverFrame(
  name: ServerName,
  { document, tools: catalog, folder }: ServerParts,
  before?: ServerFrame,
): { readonly frame: ServerFrame; readonly absent: readonly Absent[] } {
  const source = document.servers.get(name);
  const listed = catalog?.get(name) ?? [];
  const paths = pathContext(source, folder);
  const connector = sameOr(before?.connector, connectorOf(source, document.connectors, listed));
  const base = { name, source, connector, paths };
  if (catalog === undefined) return { frame: { ...base, tools: undefined }, absent: [] };
  const tools = new Map<string, MountedTool>();
  const absent: Absent[] = [];
  for (const { name: tool, definition } of listed) {
    const known = sameTool(before?.tools?.get(tool), base, definition);
    const mounted = tools.has(tool)
      ? 'it is listed twice'
      : (known ?? mount({ ...base, tools: undefined }, tool, definition));
    if (typeof mounted === 'string') absent.push({ tool: `${name}/${tool}`, why: mounted });
    else tools.set(tool, mounted);
  }
  return { frame: { ...base, tools }, absent };
}

/** The thing of before, where both are the same. */
function sameOr<T>(before: T, now: T): T {
  return sameData(before, now) ? before : now;
}

/** The tool of before, where everything that it was made of is the same. */
function sameTool(
  before: MountedTool | undefined,
  { connector, paths }: Pick<ServerFrame, 'connector' | 'paths'>,
  definition: JsonObject,
): MountedTool | undefined {
  if (before === undefined) return undefined;
  const { frame } = before;
  const tool = frame.tool.slice(frame.tool.indexOf('/') + 1);
  const table = connector === undefined ? rawTool : toolTable(connector, tool);
  const same =
    sameData(frame.table, table) &&
    sameData(frame.fields, connector?.fields ?? {}) &&
    sameData(frame.paths, paths) &&
    sameData(before.definition, definition);
  return same ? before : undefined;
}

/** The frame of a tool of which nothing but the name is known. */
export function schemalessTool(server: ServerFrame, tool: string): ToolFrame | undefined {
  if (!mountableTool(tool)) return undefined;
  const table = server.connector === undefined ? rawTool : toolTable(server.connector, tool);
  const frame = table && frameOf(server, tool, table, undefined);
  return frame && (server.framed?.(frame) ?? frame);
}

function mount(server: ServerFrame, tool: string, definition: JsonObject): MountedTool | string {
  if (tool.startsWith('@')) return 'names that begin with @ are kept for surfaces';
  if (!mountableTool(tool)) return 'its name has characters other than letters, digits, _ - . /';
  const table = server.connector === undefined ? rawTool : toolTable(server.connector, tool);
  if (table === undefined) return `connector ${server.connector?.name ?? ''} does not list it`;
  const schema = compileSchema(definition['inputSchema'] ?? {});
  if ('problem' in schema) return `its input schema cannot be used: ${schema.problem}`;
  return { frame: frameOf(server, tool, table, schema), definition };
}

function frameOf(
  server: ServerFrame,
  tool: string,
  table: ToolFrame['table'],
  schema: ToolSchema | undefined,
): ToolFrame {
  const name: ToolName = toolName(server.name, tool);
  const fields = server.connector?.fields ?? {};
  return Object.freeze({ tool: name, schema, table, fields, paths: server.paths });
}

function connectorOf(
  source: ServerSource | undefined,
  declared: PolicyDocument['connectors'],
  listed: readonly ToolDefinition[],
): ConnectorTable | undefined {
  if (source?.connector !== undefined)
    return declared.get(source.connector) ?? builtinConnector(source.connector);
  return inferredConnector(
    source?.args ?? [],
    listed.map((tool) => tool.name),
  );
}

/** Root and home of a server; relative ones are meant from the folder of the document. */
function pathContext(source: ServerSource | undefined, folder: string | undefined): PathContext {
  const { case: letters = 'sensitive', platform = 'posix' } = source ?? {};
  const base: PathContext = { case: letters, platform };
  const absolute = (text: string | undefined): string | undefined => {
    const read = text === undefined ? undefined : canonicalPath(text, withRoot(base, folder));
    return read?.ok === true ? read.path : undefined;
  };
  const home = absolute(source?.home);
  return Object.freeze({
    ...withRoot(base, absolute(source?.root)),
    ...(home === undefined ? {} : { home }),
  });
}

/** The folder of the document is a posix path: on win32 nothing relative has a meaning from there. */
function withRoot(base: PathContext, root: string | undefined): PathContext {
  const foreign = base.platform === 'win32' && root?.startsWith('/') === true;
  return root === undefined || foreign ? base : { ...base, root };
}

/** Whether a folder of a server entry has a meaning. */
export function folderStands(text: string, { platform }: ServerSource, folder: string | undefined): boolean {
  return canonicalPath(text, withRoot({ case: 'sensitive', platform }, folder)).ok;
}
