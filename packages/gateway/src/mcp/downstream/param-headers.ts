/** The `x-mcp-header` declarations of tools: arguments that a 2026-07-28 client repeats in HTTP headers. */
import { type Handle, type Json, type SessionId, isJsonObject, own } from '@pawl/core';
import type { Gate, ListedTool } from '../gate.js';

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

/** The declarations of a session's tools, read once for each list that the gate gives out. */
export class ParamHeaders {
  readonly #gate: Gate;
  readonly #lists = new WeakMap<readonly ListedTool[], ReadonlyMap<Handle, readonly ParamHeader[]>>();

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** The headers that the tool behind this handle declares; none for a handle that is not listed. */
  of(session: SessionId, handle: Handle | undefined): readonly ParamHeader[] {
    if (handle === undefined) return [];
    const list = this.#gate.list(session);
    let known = this.#lists.get(list);
    if (known === undefined) {
      known = new Map(
        list
          .map((tool) => [tool.handle, declaredHeaders(own(tool.definition, 'inputSchema'))] as const)
          .filter(([, declared]) => declared.length > 0),
      );
      this.#lists.set(list, known);
    }
    return known.get(handle) ?? [];
  }
}
