/** One agent at the agents socket, which keeps everything that it is told. */
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type JsonObject, parseToolName, readableName } from '@pawl/core';
import { envelope } from '../../../bench/authority/line.js';

/** What an agent was told. `code`: of a refusal, or of the protocol; absent for an answer of the server. */
export interface Told {
  readonly code?: string;
  readonly retryable?: boolean;
  readonly text: string;
  /** Of the ask that waits, where the text names one. */
  readonly ask: string;
}

/** A connection in a session. */
export interface Agent {
  /** Calls `server/tool`. */
  call(tool: string, args?: JsonObject): Promise<Told>;
  /** The names of the tools listed. */
  tools(): Promise<readonly string[]>;
  /** Sends a line and takes whatever comes next for its answer; nothing else may be under way. */
  raw(line: string): Promise<Told>;
  /** Settles when the other side has ended the connection. */
  readonly ended: Promise<void>;
  close(): void;
}

interface Answer {
  readonly id?: number | null;
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: { readonly 'pawl/refusal'?: { readonly code: string; readonly retryable: boolean } };
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The name that a tool has for agents. */
export function named(tool: string): string {
  const name = parseToolName(tool);
  if (name === undefined) throw new Error(`${tool} is no tool`);
  return readableName(name);
}

/** Connects and presents the key. */
export async function openAgent(path: string, key: string): Promise<Agent> {
  const socket = connect(path);
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ pawl: 1, key })}\n`);
  return agentOn(socket);
}

function agentOn(socket: Socket): Agent {
  const waiting = new Map<number, (answer: Answer) => void>();
  let next: ((answer: Answer) => void) | undefined;
  let ids = 0;
  createInterface({ input: socket }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    const take = typeof answer.id === 'number' ? waiting.get(answer.id) : undefined;
    (take ?? next)?.(answer);
  });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const gone = ended.then((): Answer => ({ error: { code: 0, message: 'the connection was ended' } }));
  const ask = (method: string, params: JsonObject): Promise<Answer> => {
    ids += 1;
    const [id, meta] = [ids, JSON.parse(envelope) as JsonObject];
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
    socket.write(`${JSON.stringify(message)}\n`);
    return Promise.race([gone, new Promise<Answer>((resolve) => waiting.set(id, resolve))]);
  };
  return {
    call: async (tool, args = {}) => told(await ask('tools/call', { name: named(tool), arguments: args })),
    tools: async () => ((await ask('tools/list', {})).result?.tools ?? []).map(({ name }) => name),
    raw: async (line) => {
      socket.write(`${line}\n`);
      return told(await Promise.race([gone, new Promise<Answer>((resolve) => (next = resolve))]));
    },
    ended,
    close: () => socket.destroy(),
  };
}

function told({ result, error }: Answer): Told {
  if (error !== undefined) return { code: String(error.code), text: error.message, ask: '' };
  const text = result?.content?.[0]?.text ?? '';
  const refusal = result?._meta?.['pawl/refusal'];
  const ask = /a_[a-z2-7]{16}/u.exec(text)?.[0] ?? '';
  return refusal === undefined ? { text, ask } : { ...refusal, text, ask };
}
