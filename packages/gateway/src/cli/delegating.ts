/** `pawl/delegate`, Pawl's own tool: opens a child session for what is left of the caller's authority. */
import {
  type Behaviour,
  type DelegatedSession,
  type DelegatingPorts,
  type Entry,
  type Json,
  type JsonObject,
  type SessionRequest,
  type ToolCall,
  CapError,
  delegateDefinition,
  delegateSession,
  delegateTool,
  denial,
  milliseconds,
  own,
  spawn,
} from '@pawl/core';
import { type RawResult, definitionDigest } from '../mcp/index.js';

/** The mount of the tool. Whom it is listed for is the policy's: rules that name it, and the agent's right to delegate. */
export function delegateEntry(ports: DelegatingPorts): Entry {
  const { definition } = delegateDefinition;
  return {
    tool: delegateTool,
    ref: spawn(delegateActor(ports)),
    definition,
    digest: definitionDigest(definition),
    confinement: 'object',
  };
}

function delegateActor(ports: DelegatingPorts): Behaviour {
  return {
    parallel: Infinity,
    turn: async (_method, message): Promise<RawResult> => {
      const { args, session } = toolCallOf(message);
      const made = await delegateSession(ports, session, requestIn(args));
      if (made.kind !== 'delegated') throw new CapError(made);
      return answerOf(made);
    },
  };
}

/** The arguments have the shape of the tool's schema: nothing else is admitted. */
function requestIn(args: JsonObject): SessionRequest {
  const [allow = null, as, depth, ttl] = ['allow', 'as', 'depth', 'ttl'].map((name) => own(args, name));
  const lives = typeof ttl === 'string' ? milliseconds(ttl) : undefined;
  if (typeof ttl === 'string' && lives === undefined) {
    const message = 'ttl: give a duration as 30s, 10m or 2h.';
    throw new CapError(denial({ code: 'malformed_arguments', layer: 'decode', message }));
  }
  return {
    allow,
    as: typeof as === 'string' ? as : undefined,
    depth: typeof depth === 'number' ? depth : undefined,
    ttl: lives,
  };
}

function answerOf({ name, certificate }: DelegatedSession): RawResult {
  const { depth, notGranted, notHeld } = certificate;
  const told: Json = {
    session: name,
    depth,
    notGranted: [...notGranted.map(({ tool, left }): Json => ({ tool, left })), ...notHeld.map(nothingOf)],
  };
  const text = JSON.stringify(told);
  const members = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`;
  return { kind: 'result', members, isError: false };
}

function nothingOf(tool: string): Json {
  return { tool, left: 'nothing' };
}

function toolCallOf(message: unknown): ToolCall {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the dispatcher is the one sender and sends this shape
  return message as ToolCall;
}
