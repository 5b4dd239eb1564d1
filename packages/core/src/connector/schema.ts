/** Tool input schemas: what of a call's arguments is known, of the right type, omitted or still missing. */
import type { Json, JsonObject } from '../ground/index.js';

/** JSON types as schemas name them. */
export type SchemaType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** A compiled input schema; opaque, immutable, made by {@link compileSchema} only. */
export interface ToolSchema {
  readonly kind: 'tool-schema';
}

/** Arguments as they are judged and forwarded, or the path and reason of the first that is refused. */
export type DecodedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** What a schema says about one argument path; a path into an array means its elements. */
export interface PropertyInfo {
  /** `open`: not named, but the object that would hold it admits any name. */
  readonly known: 'yes' | 'no' | 'open';
  /** Whether some step of the path may be left out. */
  readonly optional: boolean;
  readonly nullable: boolean;
  /** Types that a value may have; all of them where the schema does not say. */
  readonly types: readonly SchemaType[];
  readonly default?: Json;
  /** The only values there are, when the schema lists them (enum, const). */
  readonly enum?: readonly Json[];
  /** For a value that may be an array: its elements. */
  readonly items?: PropertyInfo;
}
