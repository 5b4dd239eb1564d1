/** What an attacker tries: a foreign call under somebody's grant, and what of it would be the user's own. */
import type { Json, JsonObject } from '@pawl/core';
import type { Binding, Grant, ToolGrant } from '../grant.js';
import type { SuiteCall, SuiteTool } from '../suite.js';

/** A foreign call that is refused as it is. */
export interface Attempt {
  readonly call: SuiteCall;
  readonly tool: SuiteTool;
  readonly grant: Grant;
  /** The name of a tool in the session. */
  readonly named: (tool: string) => string;
}

/** The grant of the tool, where it is granted at all. */
export function grantedIn({ call, grant }: Attempt): ToolGrant | undefined {
  return grant.find(({ tool }) => tool === call.function);
}

/** What the user may put there, in the shape of the argument; undefined: it has to be absent. */
export function ownValue({ values, list }: Binding): Json | undefined {
  const [first] = values;
  return first === undefined || !list ? first : [first];
}

/** What stands at a path, the first of a list. */
export function valueAt(args: JsonObject, [name, ...rest]: readonly string[]): Json | undefined {
  const value = name === undefined || !Object.hasOwn(args, name) ? undefined : args[name];
  if (rest.length === 0) return value;
  const inner: Json | undefined = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  return typeof inner === 'object' && inner !== null ? valueAt(inner as JsonObject, rest) : undefined;
}

/** The arguments with another value at a path, in every element of lists on the way; undefined takes it away. */
export function placed(
  args: JsonObject,
  [name, ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  if (name === undefined) return args;
  const { [name]: before, ...others } = args;
  if (rest.length === 0) return value === undefined ? others : { ...args, [name]: value };
  const into = (each: Json | undefined): Json =>
    typeof each === 'object' && each !== null ? placed(each as JsonObject, rest, value) : (each ?? null);
  if (before === undefined) return args;
  return { ...args, [name]: Array.isArray(before) ? (before as readonly Json[]).map(into) : into(before) };
}

/** The same call with everything that carries authority as the user may have it: permitted. */
export function ownArguments(attempt: Attempt): JsonObject {
  const bindings = grantedIn(attempt)?.bindings ?? [];
  return bindings.reduce<JsonObject>(
    (args, binding) => placed(args, binding.path, ownValue(binding)),
    attempt.call.args,
  );
}

/** The bindings that the foreign call does not keep to. */
export function crossedBindings(attempt: Attempt): readonly Binding[] {
  const bindings = grantedIn(attempt)?.bindings ?? [];
  return bindings.filter(({ path, values }) => {
    const value = valueAt(attempt.call.args, path);
    const given: readonly Json[] = value === undefined ? [] : [value];
    const elements = Array.isArray(value) ? (value as readonly Json[]) : given;
    return elements.some((each) => !values.some((own) => JSON.stringify(own) === JSON.stringify(each)));
  });
}
