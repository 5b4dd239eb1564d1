/** A connector: a closed table that says how the arguments of a server's tools carry authority. Data, not code. */
import type { ArgumentPath, Extent, Place, Scalar, Verb, Vocabulary } from '../authority/index.js';
import type { ServerName } from '../ground/index.js';
import { parseArgumentName } from './argument.js';
import { besideVerbs } from './command-access.js';

/** Kinds that a connector's field may have. */
export type FieldKind = Exclude<Place, 'raw'>;

/** One field of a connector's vocabulary. */
export interface ConnectorField {
  readonly kind: FieldKind;
  /** Of kind oneOf: everything that the field can hold, and perhaps the value that stands for all of it. */
  readonly vocabulary?: Vocabulary;
}

/** Where a field's value comes from. */
export interface Source {
  readonly argument: ArgumentPath;
  /** The value is what stands before this text (`acme:main`, prefix `:`); an argument without it carries nothing. */
  readonly prefix?: string;
  /**
   * The value is qualified by what another field of the row names, unless it is so already: with `by` a colon, `main` beside
   * `tmux` is `tmux:main`. Built-in tables only.
   */
  readonly joined?: { readonly field: string; readonly by: string };
  /** Argument that names the folder from which a relative path is meant; the root where it is left out. */
  readonly base?: ArgumentPath;
  /** The value goes to a command line: one that begins with `-` is refused. */
  readonly argv?: boolean;
  /** The server takes paths below its base only as relative ones. */
  readonly forwardRelative?: boolean;
  /** A host that is read out of a url. */
  readonly ofUrl?: boolean;
}

/**
 * What leaving a field out means: that value, everything, no access, an access that does not carry the field, or a refusal.
 */
export type Omission = 'everything' | 'none' | 'bare' | 'refuse' | { readonly value: Scalar };

/** One access that a call makes; with several values in a source, or several sources, one access a value. */
export interface AccessRow {
  readonly verb: Verb;
  readonly extent: Extent;
  /** Field to sources; the sources of one field are a group. */
  readonly fields: Readonly<Record<string, readonly Source[]>>;
  /** What leaving a field out means, where the table says it. */
  readonly omitted: Readonly<Record<string, Omission>>;
  /** A call has to name its fields (`reads`); otherwise leaving a field out means no access. */
  readonly needed: boolean;
  /** Moves: a denial that begins with two stars and a slash judges only what is named. */
  readonly namedOnly: boolean;
  /** One of its fields is a command, whose words and redirections make accesses beside, with the field `path`. */
  readonly commands?: boolean;
}

/** A dispatcher: its arguments hold calls of other tools, each judged as its own. */
export interface InnerCalls {
  /** Server of every inner tool; without it the tool is named `server/tool`. */
  readonly server?: ServerName;
  /** Array whose elements are calls; without it the arguments are one call themselves. */
  readonly each?: ArgumentPath;
  readonly tool: ArgumentPath;
  readonly arguments: ArgumentPath;
}

/** What the table says of one tool. */
export interface ToolTable {
  /** Verb of the one access of a call that yields none: a tool that touches nothing it could name. */
  readonly verb: Verb;
  readonly accesses: readonly AccessRow[];
  /** Arguments that carry no authority, by name or as `args.NAME.NAME`. */
  readonly payload: readonly string[];
  readonly calls?: InnerCalls;
  /**
   * Raw arguments that some rule of an agent reads as command lines, though no row does: set by the policy for that agent.
   * Their commands are accesses of verb `execute`, and their words accesses beside.
   */
  readonly commands?: readonly ArgumentPath[];
  /** No deadline without progress. */
  readonly longRunning?: boolean;
  /** May be sent again. */
  readonly idempotent?: boolean;
}

/** A whole connector. */
export interface ConnectorTable {
  readonly name: string;
  /** Moves whenever the meaning of the table moves; part of every generation. */
  readonly version: number;
  /** Packages whose server this table describes; a server of such a package may go without `connector`. */
  readonly packages: readonly string[];
  readonly fields: Readonly<Record<string, ConnectorField>>;
  readonly tools: Readonly<Record<string, ToolTable>>;
  /** What a tool is that the table does not list: absent, or read by its raw arguments. */
  readonly unlisted: 'refuse' | 'raw';
}

/** What is said of a tool of a server without connector: one access with verb `call` and no field. */
export const rawTool: ToolTable = Object.freeze({
  verb: 'call',
  accesses: Object.freeze([]),
  payload: Object.freeze([]),
});

/** What a table says of a tool; undefined for one that is absent. */
export function toolTable(table: ConnectorTable, tool: string): ToolTable | undefined {
  if (Object.hasOwn(table.tools, tool)) return table.tools[tool];
  return table.unlisted === 'raw' ? rawTool : undefined;
}

/** Every verb that an access of the tool which carries all the given fields can have. */
export function verbsOf(tool: ToolTable, carrying: readonly string[] = []): readonly Verb[] {
  const rows = tool.accesses.filter((row) => carrying.every((field) => Object.hasOwn(row.fields, field)));
  const beside = tool.accesses.some(
    (row) =>
      row.commands === true &&
      carrying.every((field) => field === wordField || Object.hasOwn(row.fields, field)),
  );
  const raw = tool.commands !== undefined && carrying.every((field) => field === wordField);
  const execute: readonly Verb[] = raw && carrying.length === 0 ? ['execute'] : [];
  const none = carrying.length === 0 && tool.accesses.every((row) => !row.needed);
  const verbs = [...rows.map((row) => row.verb), ...execute, ...(beside || raw ? besideVerbs : [])];
  return [...new Set([...verbs, ...(none ? [tool.verb] : [])])];
}

/** Field of the accesses that the words of commands make. */
export const wordField = 'path';

/** Whether some argument of the tool is read as a command line. */
export function readsCommands(tool: ToolTable): boolean {
  return tool.commands !== undefined || tool.accesses.some((row) => row.commands === true);
}

/** Every field that an access of the tool can carry. */
export function fieldsOf(tool: ToolTable): readonly string[] {
  const fields = tool.accesses.flatMap((row) => Object.keys(row.fields));
  return [...new Set([...fields, ...(readsCommands(tool) ? [wordField] : [])])];
}

/** Names of the arguments that the table classes, or that hold what it classes. */
export function classedArguments(tool: ToolTable): readonly string[] {
  return [...new Set(classedPaths(tool).map(([name = '']) => name))];
}

/** Arguments that the table classes: those that feed a field or an inner call, and payload. What stands beside them is raw. */
export function classedPaths(tool: ToolTable): readonly ArgumentPath[] {
  const sources = tool.accesses.flatMap((row) => Object.values(row.fields).flat());
  const named = sources.flatMap(({ argument, base }) => [argument, ...(base === undefined ? [] : [base])]);
  const { calls } = tool;
  const at = calls?.each ?? [];
  const inner = calls === undefined ? [] : [calls.tool, calls.arguments].map((path) => [...at, ...path]);
  return [...named, ...inner, ...payloadPaths(tool)];
}

/** Where the table says that payload stands. */
export function payloadPaths(tool: ToolTable): readonly ArgumentPath[] {
  return tool.payload.map((name) => parseArgumentName(name) ?? [name]);
}
