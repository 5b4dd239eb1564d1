/** One agent at the agents socket: it presents a key and makes calls in its session. */
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '@pawl/core';

/** What became of a call. */
export type Reply =
  | { readonly kind: 'reached'; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: 'refused'; readonly code: string }
  /** It was no call: an error of the protocol. */
  | { readonly kind: 'error'; readonly code: number };

/** A connection. */
export interface Line {
  /** The names of the tools that the session has. */
  tools(): Promise<readonly string[]>;
  /** Calls a tool by its name in the session; `args` is the text of the arguments, as it is to go over the wire. */
  call(name: string, args: string): Promise<Reply>;
  /** Sends a line and takes whatever comes next for its answer; nothing else may be under way. */
  raw(line: string): Promise<Reply>;
  close(): void;
}

/** The envelope of a request, the text of the `_meta` member's value. */
export const envelope: string = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'suite', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** Connects and presents the key. */
export async function openLine(path: string, key: string): Promise<Line> {
  const socket = connect(path);
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ pawl: 1, key })}\n`);
  return new SocketLine(socket);
}

class SocketLine implements Line {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (message: JsonObject) => void>();
  #next: ((message: JsonObject) => void) | undefined;
  #ids = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => this.#take(JSON.parse(line) as JsonObject));
  }

  #take(message: JsonObject): void {
    const id = own(message, 'id');
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (typeof id === 'number') this.#waiting.delete(id);
    const take = waiting ?? this.#next;
    if (take === undefined) throw new Error(`nobody waits for ${JSON.stringify(message)}`);
    take(message);
  }

  #ask(method: string, params: string): Promise<JsonObject> {
    this.#ids += 1;
    const id = this.#ids;
    this.#socket.write(
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}\n`,
    );
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async tools(): Promise<readonly string[]> {
    const result = own(await this.#ask('tools/list', `{"_meta":${envelope}}`), 'result');
    const tools = isJsonObject(result) ? own(result, 'tools') : undefined;
    return (isJsonArray(tools) ? tools : []).map((tool) =>
      isJsonObject(tool) ? textOf(own(tool, 'name')) : '',
    );
  }

  async call(name: string, args: string): Promise<Reply> {
    const params = `{"name":${JSON.stringify(name)},"arguments":${args},"_meta":${envelope}}`;
    return replyOf(await this.#ask('tools/call', params));
  }

  async raw(line: string): Promise<Reply> {
    this.#socket.write(`${line}\n`);
    return replyOf(await new Promise((resolve) => (this.#next = resolve)));
  }

  close(): void {
    this.#socket.destroy();
  }
}

function replyOf(message: JsonObject): Reply {
  const [result, error] = [own(message, 'result'), own(message, 'error')];
  if (isJsonObject(error)) return { kind: 'error', code: Number(own(error, 'code')) };
  if (!isJsonObject(result)) throw new Error(`neither result nor error: ${JSON.stringify(message)}`);
  const meta = own(result, '_meta');
  const refusal = isJsonObject(meta) ? own(meta, 'pawl/refusal') : undefined;
  if (isJsonObject(refusal)) return { kind: 'refused', code: textOf(own(refusal, 'code')) };
  const { name, arguments: args } = echoed(own(result, 'content'));
  return { kind: 'reached', tool: name, args: args ?? {} };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function echoed(content: Json | undefined): { readonly name: string; readonly arguments?: JsonObject } {
  const [block] = isJsonArray(content) ? content : [];
  const text = isJsonObject(block) ? own(block, 'text') : undefined;
  return JSON.parse(textOf(text)) as { readonly name: string; readonly arguments?: JsonObject };
}
