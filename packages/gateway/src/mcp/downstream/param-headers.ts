/** The `x-mcp-header` declarations of the tools of sessions. */
import { type Clock, type Handle, type SessionId, own } from '@pawl/core';
import type { Gate, ListedTool } from '../gate.js';
import { listTtlMs } from '../handshake.js';
import { type ParamHeader, declaredHeaders } from '../param-header.js';

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
