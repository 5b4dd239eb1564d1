/** What reading calls of one tool depends on: the tool, and what the lists of an executor look at. */
import type { ArgumentPath, PathContext, ViewName } from '../authority/index.js';
import type { Json, ToolName } from '../ground/index.js';
import type { ToolSchema } from './schema.js';
import type { ConnectorTable, ToolTable } from './table.js';

/** Everything that reading calls of one tool needs; the same for every executor. Part of the generation. */
export interface ToolFrame {
  readonly tool: ToolName;
  /** Undefined where no schema is known (`decide` without tools): then every argument is known and optional. */
  readonly schema: ToolSchema | undefined;
  readonly table: ToolTable;
  /** Fields of the connector; empty for a server without one. */
  readonly fields: ConnectorTable['fields'];
  /** How path values are read for this server. */
  readonly paths: PathContext;
}

/** A raw argument that some list of the executor names. */
export interface PlannedArgument {
  /** Key in the accesses: `args.x`, or `args.x|path`. */
  readonly key: string;
  readonly path: ArgumentPath;
  readonly view: ViewName;
  /** Whether any list says more of it than `any` or `present`: then its strings must be NFC and its default is judged. */
  readonly constrained: boolean;
  /** Schema defaults of the argument and of the objects around it, outermost first; none where it is not constrained. */
  readonly defaults: readonly ArgumentDefault[];
}

/** What the tool takes for an argument that is left out, as its schema says. */
export interface ArgumentDefault {
  readonly path: ArgumentPath;
  readonly value: Json;
}

/** What the lists of one executor look at in calls of one tool. */
export interface ReadPlan {
  readonly raw: readonly PlannedArgument[];
  /** Connector fields that some list constrains: a value that its kind refuses there refuses the call. */
  readonly fields: ReadonlySet<string>;
}
