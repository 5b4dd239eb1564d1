/** The official SDK as the server of handshake and lists; calls never reach it. */
import { Server, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { type Json, type JsonObject, type SessionId, isJsonObject } from '@pawl/core';
import { addressed } from './child.js';
import type { Gate } from './gate.js';
import type { Implementation } from './meta.js';
import { skillCapabilities } from './skills/index.js';

/** What a handshake server is made from. */
export interface HandshakeOptions {
  readonly gate: Gate;
  /** Read at each use: a getter may name a session that was opened anew after the last one ran out. */
  readonly session: SessionId;
  readonly self: Implementation;
  /** Told to the model by clients that show instructions. */
  readonly instructions?: string;
}

/** Longest time, in milliseconds, that a client may keep a list. */
export const listTtlMs = 5000;

/** Takes any value as it is: what reaches the SDK was strictly decoded before. */
const asIs: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'pawl', validate: (value) => ({ value }) },
};

/** What was fed was JSON; parameters that are no object are those of a request without any. */
function asParams(params: unknown): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded strictly before, so it is JSON
  const json = (params ?? null) as Json;
  return isJsonObject(json) ? json : {};
}

/**
 * A server for one connection or one HTTP exchange, of either era. It lists the tools of the session as they are at that moment:
 * the list is private and short-lived, so that what disappears is soon not shown any more. Beside tools it says that there are
 * prompts and resources if skills are loaded for the session; those are served elsewhere.
 */
export function handshakeServer(options: HandshakeOptions): Server {
  const { gate, self, instructions } = options;
  const brief = { ttlMs: listTtlMs, cacheScope: 'private' as const };
  const hasSkills = (gate.skills?.served(options.session).length ?? 0) > 0;
  const server = new Server(
    { ...self },
    {
      capabilities: { tools: {}, ...(hasSkills ? skillCapabilities : {}) },
      cacheHints: { 'tools/list': brief, 'server/discover': brief },
      ...(instructions !== undefined && { instructions }),
    },
  );
  server.setRequestHandler('tools/list', { params: asIs }, (params) => {
    const session = addressed(gate, options.session, asParams(params));
    const listed = session === undefined ? [] : gate.list(session);
    return { tools: listed.map(({ name, definition }) => ({ ...definition, name })) };
  });
  return server;
}
