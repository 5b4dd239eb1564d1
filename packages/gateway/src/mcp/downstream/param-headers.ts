/** The `x-mcp-header` declarations of tools: arguments that a 2026-07-28 client repeats in HTTP headers. */
import { type Clock, type Handle, type Json, type SessionId, isJsonObject, own } from '@pawl/core';
import type { Gate, ListedTool } from '../gate.js';
import { listTtlMs } from '../handshake.js';

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
function declaredHeaders(inputSchema: Json | undefined): readonly ParamHeader[] {
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

interface Known {
  readonly until: number;
  readonly byHandle: ReadonlyMap<Handle, readonly ParamHeader[]>;
}

/** Sessions whose declarations are kept. */
const mostSessions = 256;

/** The declarations of sessions' tools, read anew when a client, too, would have to list again. */
export class ParamHeaders {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #sessions = new Map<SessionId, Known>();

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  /** The headers that the tool behind this handle declares; none for a handle that is not listed. */
  of(session: SessionId, handle: Handle | undefined): readonly ParamHeader[] {
    if (handle === undefined) return [];
    const now = this.#clock.monotonic();
    let known = this.#sessions.get(session);
    if (known === undefined || known.until <= now) {
      known = { until: now + listTtlMs, byHandle: declarations(this.#gate.list(session)) };
      this.#sessions.delete(session);
      this.#sessions.set(session, known);
      this.#forgetOldest();
    }
    return known.byHandle.get(handle) ?? [];
  }

  #forgetOldest(): void {
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

function declarations(list: readonly ListedTool[]): ReadonlyMap<Handle, readonly ParamHeader[]> {
  const declared = list.map(
    ({ handle, definition }) => [handle, declaredHeaders(own(definition, 'inputSchema'))] as const,
  );
  return new Map(declared.filter(([, headers]) => headers.length > 0));
}
