/** Two schemas for one value as one. */
import { type Json, type JsonObject, isJsonArray, isJsonObject } from '../../ground/index.js';

/** Both schemas as one. `more` says less or as much of every type that it names. */
export function merged(schema: JsonObject, more: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = Object.hasOwn(schema, '$ref')
    ? besideRef(schema)
    : { ...schema };
  for (const [key, value] of Object.entries(more)) if (value !== undefined) mergeKeyword(result, key, value);
  return result;
}

function mergeKeyword(result: Record<string, Json | undefined>, key: string, value: Json): void {
  const before = result[key];
  if (key === 'enum' || key === 'const') {
    delete result['enum'];
    delete result['const'];
    result[key] = value;
  } else if (before === undefined) result[key] = value;
  else if (Object.hasOwn(tighter, key)) result[key] = tighter[key]?.(before, value);
  else if (key === 'items' && isJsonObject(before) && isJsonObject(value))
    result[key] = merged(before, value);
  else result['allOf'] = [...(isJsonArray(result['allOf']) ? result['allOf'] : []), { [key]: value }];
}

/** Old readers take no keyword beside a reference: it goes into a part of its own. */
function besideRef(schema: JsonObject): Record<string, Json | undefined> {
  const { title, description, default: fallback, ...rest } = schema;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    allOf: [rest],
  };
}

function least(a: Json, b: Json): Json {
  return typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : b;
}

function greatest(a: Json, b: Json): Json {
  return typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : b;
}

const tighter: Readonly<Record<string, (a: Json, b: Json) => Json>> = {
  minimum: greatest,
  exclusiveMinimum: greatest,
  minItems: greatest,
  maximum: least,
  exclusiveMaximum: least,
  maxItems: least,
  type: (a, b) => (a === 'integer' && b === 'number' ? a : b),
};
