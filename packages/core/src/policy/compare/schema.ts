/** A changed tool definition: what only takes away is an attenuation, everything else widens whoever may use the tool. */
import { type Json, type JsonObject, deepEqualJson, isJsonArray, isJsonObject } from '../../ground/index.js';

/** One difference that is no attenuation. `path` is within the definition: `inputSchema.properties.x.enum`. */
export interface Difference {
  readonly path: string;
  readonly old: Json;
  readonly new: Json;
}

/** Everything of the definition that grew, or that cannot be told not to have grown. */
export function definitionGrowth(old: JsonObject, next: JsonObject): readonly Difference[] {
  const found: Difference[] = [];
  for (const key of keysOf(old, next)) {
    if (labels.has(key)) continue;
    const before = old[key] ?? null;
    const now = next[key] ?? null;
    if (key === 'inputSchema' && isJsonObject(before) && isJsonObject(now))
      compareSchema(before, now, key, found);
    else note(found, key, before, now);
  }
  return found;
}

/** Words for people, which decide nothing. */
const labels: ReadonlySet<string> = new Set([
  'description',
  'title',
  'annotations',
  'icons',
  '_meta',
  '$schema',
  '$comment',
  'examples',
]);

function keysOf(old: JsonObject, next: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(next)])];
}

function note(found: Difference[], path: string, old: Json, next: Json): void {
  if (!deepEqualJson(old, next)) found.push({ path, old, new: next });
}

type Compare = (old: Json | undefined, next: Json | undefined, path: string, found: Difference[]) => boolean;

/** By keyword: whether the change only takes away, noting differences of parts itself; false: it is told as a whole. */
const narrowing: Readonly<Record<string, Compare>> = {
  enum: (old, next) =>
    old === undefined || (isList(old) && isList(next) && next.every((value) => holds(old, value))),
  const: (old) => old === undefined,
  required: (old, next) => isList(old ?? []) && listOf(old).every((name) => holds(listOf(next), name)),
  minimum: atLeast,
  exclusiveMinimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maximum: atMost,
  exclusiveMaximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  uniqueItems: (_, next) => next === true,
  additionalProperties: (old, next) => next === false && (old === true || old === undefined),
  items: (old, next, path, found) => {
    if (!isObject(old) || !isObject(next)) return false;
    compareSchema(old, next, path, found);
    return true;
  },
};

function compareSchema(old: JsonObject, next: JsonObject, path: string, found: Difference[]): void {
  for (const key of keysOf(old, next)) {
    if (labels.has(key)) continue;
    const [before, now] = [old[key], next[key]];
    const at = `${path}.${key}`;
    if (key === 'properties') compareProperties(old, next, at, found);
    else if (before !== undefined && now !== undefined && deepEqualJson(before, now)) continue;
    else if (narrowing[key]?.(before, now, at, found) !== true) note(found, at, before ?? null, now ?? null);
  }
}

function compareProperties(old: JsonObject, next: JsonObject, path: string, found: Difference[]): void {
  const before = objectOf(old['properties']);
  const now = objectOf(next['properties']);
  const more = next['additionalProperties'];
  const open = isObject(more) || more === true || Object.keys(now).length === 0;
  for (const name of keysOf(before, now)) {
    const at = `${path}.${name}`;
    const [one, two] = [before[name], now[name]];
    if (isObject(one) && isObject(two)) compareSchema(one, two, at, found);
    else if (two !== undefined || (open && more !== false)) note(found, at, one ?? null, two ?? null);
  }
}

function atLeast(old: Json | undefined, next: Json | undefined): boolean {
  return old === undefined || (typeof old === 'number' && typeof next === 'number' && next >= old);
}

function atMost(old: Json | undefined, next: Json | undefined): boolean {
  return old === undefined || (typeof old === 'number' && typeof next === 'number' && next <= old);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return value !== undefined && isJsonArray(value);
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function holds(list: readonly Json[], value: Json): boolean {
  return list.some((one) => deepEqualJson(one, value));
}
