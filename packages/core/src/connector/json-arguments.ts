/** Arguments of an actor's method by a JSON schema: read by the same decode as those of tools, and known to the compiler. */
import { type Json, type JsonObject, UsageError, isJsonObject } from '../ground/index.js';
import { compileSchema, decodeArguments, missingRequired } from './schema.js';

type Known<S> = S extends { readonly type: 'object'; readonly properties: unknown }
  ? ArgumentsOf<S>
  : S extends { readonly type: 'array'; readonly items: infer I }
    ? readonly ValueOf<I>[]
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'number' | 'integer' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'null' }
            ? null
            : Json;

/** The values of a schema, as far as `const`, `enum`, `type`, `properties`, `required` and `items` say; otherwise any JSON. */
export type ValueOf<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : Known<S>;

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

/** The arguments of a schema of an object. */
export type ArgumentsOf<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: ValueOf<P[K]> } & {
      readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: ValueOf<P[K]>;
    }
  : JsonObject;

/** A schema that reads arguments. */
export interface JsonArguments<A> {
  readonly json: JsonObject;
  /** As tools are decoded: unknown and missing arguments and wrong types are refused, nothing is converted. */
  read(
    sent: unknown,
  ): { readonly ok: true; readonly args: A } | { readonly ok: false; readonly problem: string };
}

/** Makes one. Throws UsageError for a schema that cannot be judged. */
export function jsonArguments<const S extends JsonObject>(schema: S): JsonArguments<ArgumentsOf<S>> {
  const compiled = compileSchema(schema);
  if ('problem' in compiled) throw new UsageError(`the schema of the arguments: ${compiled.problem}`);
  const read: JsonArguments<ArgumentsOf<S>>['read'] = (sent) => {
    const object = sent === undefined ? {} : sent;
    if (!isObject(object)) return { ok: false, problem: 'arguments must be an object' };
    const decoded = decodeArguments(compiled, object);
    if (!decoded.ok) return { ok: false, problem: `${decoded.path}: ${decoded.message}` };
    const lacking = missingRequired(compiled, decoded.args);
    if (lacking !== undefined) return { ok: false, problem: `${lacking}: it is required` };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has said so
    return { ok: true, args: decoded.args as ArgumentsOf<S> };
  };
  return Object.freeze({ json: schema, read });
}

function isObject(value: unknown): value is JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its being an object is asked
  return isJsonObject(value as Json);
}
