/** Judges a call that reached the server by the grant alone, in the plainest way: nothing of Pawl is asked. */
import { type Json, type JsonObject, deepEqualJson } from '@pawl/core';
import type { Binding, Grant } from './grant.js';

/** What about the call is not the caller's own, or undefined. Arguments are compared as they arrived, letter by letter. */
export function outside(grant: Grant, tool: string, args: JsonObject): string | undefined {
  const granted = grant.find((each) => each.tool === tool);
  if (granted === undefined) return `tool ${tool}`;
  const wrong = granted.bindings.find((binding) => !holds(binding, args));
  return wrong === undefined ? undefined : `${wrong.path.join('.')} of ${tool}`;
}

function holds({ path, values, optional, list }: Binding, args: JsonObject): boolean {
  const found = valuesAt(args, path);
  if (found.length === 0) return optional || path.length > 1;
  return found.every((value) => {
    if (value === undefined) return optional;
    if (Array.isArray(value) !== list) return false;
    const elements: readonly Json[] = Array.isArray(value) ? value : [value];
    return elements.every((element) => values.some((own) => deepEqualJson(own, element)));
  });
}

/** What stands at a path, once for each element of the lists on the way; null is as absent, as the servers of the suites have it. */
function valuesAt(from: Json, [name, ...rest]: readonly string[]): readonly (Json | undefined)[] {
  if (name === undefined) return [from];
  if (typeof from !== 'object' || from === null) return [undefined];
  if (Array.isArray(from)) return from.flatMap((element: Json) => valuesAt(element, [name, ...rest]));
  const value = Object.hasOwn(from, name) ? (from as JsonObject)[name] : undefined;
  return value === undefined || value === null ? [undefined] : valuesAt(value, rest);
}
