/** The `x-mcp-header` declarations of a tool: arguments that a 2026-07-28 client repeats in HTTP headers. */
import { type Json, isJsonObject, own } from '@pawl/core';

/** One declared header. */
export interface ParamHeader {
  /** Lower-case header name, `mcp-param-…`. */
  readonly header: string;
  /** Where the argument stands, from the arguments object down. */
  readonly path: readonly string[];
  /** Whether the header is compared as a number. */
  readonly numeric: boolean;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
const deepestPath = 16;

/** The headers that an input schema declares at properties that a chain of `properties` reaches. */
export function declaredHeaders(inputSchema: Json | undefined): readonly ParamHeader[] {
  const found: ParamHeader[] = [];
  visit(inputSchema, [], found);
  return found;
}

function visit(schema: Json | undefined, path: readonly string[], found: ParamHeader[]): void {
  if (!isJsonObject(schema) || path.length > deepestPath) return;
  const name = own(schema, 'x-mcp-header');
  const type = own(schema, 'type');
  if (typeof name === 'string' && token.test(name) && path.length > 0) {
    const numeric = type === 'integer' || type === 'number';
    if (numeric || type === 'string' || type === 'boolean') {
      found.push({ header: `mcp-param-${name.toLowerCase()}`, path, numeric });
    }
  }
  const properties = own(schema, 'properties');
  if (!isJsonObject(properties)) return;
  for (const [key, child] of Object.entries(properties)) visit(child, [...path, key], found);
}
