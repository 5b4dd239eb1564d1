/** A gate for wire tests: two open tools, one that is refused, and a record of what reached it. */
import {
  type Json,
  type JsonObject,
  type SessionId,
  denial,
  executorId,
  fault,
  handleFrom,
  isJsonObject,
  mintId,
  own,
} from '@pawl/core';
import type { CallAnswer, Gate, GateRequest, ListedTool } from '../../packages/gateway/src/mcp/index.js';
import type { Credential } from '../../packages/gateway/src/identity/index.js';

/** What a tool of the fake gate does. */
export type FakeTool = (request: GateRequest) => CallAnswer | Promise<CallAnswer>;

/** A gate that records its calls. */
export interface FakeGate extends Gate {
  readonly requests: GateRequest[];
  /** Tools by listed name, in the order in which they are listed. */
  readonly tools: Map<string, FakeTool>;
}

const call = mintId.call('call-1');

/** An answer with one text. */
export function answerText(text: string): CallAnswer {
  const members = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  return { kind: 'result', call, result: { kind: 'result', members, isError: false } };
}

/** An answer with these raw members. */
export function answerMembers(members: string): CallAnswer {
  return { kind: 'result', call, result: { kind: 'result', members, isError: false } };
}

/** A JSON-RPC error of the server. */
export function answerError(error: string): CallAnswer {
  return { kind: 'result', call, result: { kind: 'error', error } };
}

/** The refusal of a call that no rule permits. */
function refused(): CallAnswer {
  const refusal = denial({ code: 'not_permitted', layer: 'policy', message: 'no rule permits this call' });
  return { kind: 'refused', call, refusal };
}

function noSuchTool(): CallAnswer {
  const message = 'no such tool in this session; list the tools again';
  return { kind: 'refused', call, refusal: denial({ code: 'no_such_cap', layer: 'handle', message }) };
}

function malformed(): CallAnswer {
  const message = 'the arguments are no object';
  return {
    kind: 'refused',
    call,
    refusal: denial({ code: 'malformed_arguments', layer: 'decode', message }),
  };
}

/** Waits until the caller cancels. */
export async function untilCancelled({ signal }: GateRequest): Promise<CallAnswer> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  return { kind: 'refused', call, refusal: fault('outcome_unknown', 'the call was cancelled') };
}

const schema: JsonObject = { type: 'object', properties: { text: { type: 'string' } } };

/** A fake gate; `echo` answers its argument `text`, `write` is refused. */
export function fakeGate(): FakeGate {
  const requests: GateRequest[] = [];
  const tools = new Map<string, FakeTool>([
    ['files__echo', ({ args }) => answerText(textOf(args))],
    ['files__write', () => refused()],
  ]);
  const handles = new Map<string, ReturnType<typeof handleFrom>>();
  const handleOf = (name: string): ReturnType<typeof handleFrom> => {
    const held = handles.get(name) ?? handleFrom(String(handles.size).padStart(26, 'a').replaceAll('0', 'b'));
    handles.set(name, held);
    return held;
  };
  const listed = (): ListedTool[] =>
    [...tools.keys()].map((name) => ({
      name,
      handle: handleOf(name),
      definition: { title: name, description: `The tool ${name}`, inputSchema: schema },
    }));
  return {
    requests,
    tools,
    rejected: () => undefined,
    openSession: (credential: Credential) => {
      if (credential.agent === 'nobody') {
        return denial({ code: 'no_agent', layer: 'agent', message: 'no such agent' });
      }
      return { id: mintId.session(`s-${credential.key}`), executor: executorId(credential.agent) };
    },
    list: listed,
    locate: (_session: SessionId, name: string) => (tools.has(name) ? handleOf(name) : undefined),
    async call(request) {
      requests.push(request);
      if (request.handle === undefined) return noSuchTool();
      if (request.args !== undefined && !isJsonObject(request.args)) return malformed();
      const tool = [...tools].find(([name]) => handleOf(name) === request.handle)?.[1];
      return tool === undefined ? noSuchTool() : tool(request);
    },
  };
}

function textOf(args: Json | undefined): string {
  const text = isJsonObject(args) ? own(args, 'text') : undefined;
  return typeof text === 'string' ? text : '';
}
