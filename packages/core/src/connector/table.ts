/** A connector: a closed table that says how the arguments of a server's tools carry authority. Data, not code. */
import type { ArgumentPath, Extent, Verb } from '../authority/index.js';

/** Kinds that a connector's field may have in this version. */
export type FieldKind = 'path';

/** One field of a connector's vocabulary. */
export interface ConnectorField {
  readonly kind: FieldKind;
}

/** Where a field's value comes from. */
export interface Source {
  readonly argument: ArgumentPath;
}

/** One access that a call makes; with several values in a source, or several sources, one access a value. */
export interface AccessRow {
  readonly verb: Verb;
  readonly extent: Extent;
  /** Field to sources; the sources of one field are a group. */
  readonly fields: Readonly<Record<string, readonly Source[]>>;
  /** Moves: a denial that begins with two stars and a slash judges only what is named. */
  readonly namedOnly: boolean;
}

/** What the table says of one tool. */
export interface ToolTable {
  /** Verb of the one access of a call that yields none: a tool that touches nothing it could name. */
  readonly verb: Verb;
  readonly accesses: readonly AccessRow[];
  /** Arguments that carry no authority. */
  readonly payload: readonly string[];
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
}

/** What is said of a tool of a server without connector: one access with verb `call` and no field. */
export const rawTool: ToolTable = Object.freeze({
  verb: 'call',
  accesses: Object.freeze([]),
  payload: Object.freeze([]),
});

/** The table's row for a tool, own members only. */
export function toolTable(table: ConnectorTable, tool: string): ToolTable | undefined {
  return Object.hasOwn(table.tools, tool) ? table.tools[tool] : undefined;
}

/** Every verb that an access of the tool which carries all the given fields can have. */
export function verbsOf(tool: ToolTable, carrying: readonly string[] = []): readonly Verb[] {
  if (tool.accesses.length === 0) return carrying.length === 0 ? [tool.verb] : [];
  const rows = tool.accesses.filter((row) => carrying.every((field) => Object.hasOwn(row.fields, field)));
  return [...new Set(rows.map((row) => row.verb))];
}

/** Every field that an access of the tool can carry. */
export function fieldsOf(tool: ToolTable): readonly string[] {
  return [...new Set(tool.accesses.flatMap((row) => Object.keys(row.fields)))];
}

/** Names of the arguments that the table classes: those that feed a field, and payload. */
export function classedArguments(tool: ToolTable): readonly string[] {
  const sources = tool.accesses.flatMap((row) => Object.values(row.fields).flat());
  return [...new Set([...sources.map((source) => source.argument[0] ?? ''), ...tool.payload])];
}
