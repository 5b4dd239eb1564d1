/** An access: the point, or region, of authority that a call needs. */
import type { JsonObject, ToolName } from '../ground/index.js';
import type { Held, Verb } from './region.js';

/**
 * `(tool, verb, field = value …)`. Fields are those of the row of the connector that names the access, and the raw arguments
 * that lists of the executor name: `args.x`, or `args.x|path` where a list judges the argument as a path.
 * INVARIANT: `fields` has no prototype; field values are canonical under their kind; an argument that its kind refuses never becomes an access.
 */
export interface Access {
  readonly tool: ToolName;
  readonly verb: Verb;
  readonly fields: Readonly<Record<string, Held>>;
  /** The arguments as decoded, without defaults: what the closed world of a rule looks at. */
  readonly args: JsonObject;
  /** Whether a denial that begins with two stars and a slash judges only what is named (moves and command words). */
  readonly namedOnly: boolean;
  /** Keys of the fields that hold a region; empty for nearly every access. */
  readonly regions: readonly string[];
  /** Whether some raw argument is a list; absent: none is. */
  readonly lists?: boolean;
}
