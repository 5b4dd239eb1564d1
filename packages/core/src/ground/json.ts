/** JSON values as types, and the one way to read a member. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object; members are read through {@link own} only. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether the value is a JSON object (no array, not null). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value is a JSON array. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The object's own member, or undefined; never anything inherited. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Freezes a JSON value and everything below it, and returns it. */
export function deepFreeze<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member as Json);
  }
  return value;
}

/** Whether two JSON values are the same value; members in any order. */
export function deepEqualJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isJsonArray(a) && isJsonArray(b))
    return a.length === b.length && a.every((item, i) => deepEqualJson(item, b[i]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqualJson(a[key], b[key]))
  );
}

/** Reads JSON that Pawl itself wrote, or undefined when the text is none. Calls and documents have strict readers of their own. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
