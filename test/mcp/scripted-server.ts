/** A server over HTTP in this process that does what a test says: by the book until it is told otherwise. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { type ServerOptions, createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type JsonObject, isJsonObject } from '@pawl/core';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** Of a POST. */
  readonly message: JsonObject;
  readonly response: ServerResponse;
}

/** What the server does otherwise than by the book; true where it has answered. */
export type Script = (asked: Asked) => boolean | void;

/** A running server. */
export interface ScriptedServer {
  readonly url: string;
  /** Everything that came. */
  readonly asked: Asked[];
  /** Those with this method of MCP. */
  of(method: string): readonly Asked[];
  close(): Promise<void>;
}

/** What one is made from. */
export interface Scripting {
  readonly era?: 'old' | 'modern';
  /** Given at `initialize`; none for a server without sessions. */
  readonly session?: string;
  readonly tools?: () => readonly JsonObject[];
  /** Whether it says that it tells of changes. */
  readonly tells?: boolean;
  readonly script?: Script;
  readonly tls?: ServerOptions;
  /** Any free one unless told. */
  readonly port?: number;
}

const schema = { type: 'object', properties: {} };
const usualTools = (): readonly JsonObject[] => [{ name: 'go', inputSchema: schema }];

/** Starts one. */
export async function scriptedServer(scripting: Scripting = {}): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await askedIn(request, response);
    asked.push(one);
    if (scripting.script?.(one) !== true) byTheBook(one, scripting);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => void take(request, response);
  const server: Server =
    scripting.tls === undefined ? createServer(listener) : createSecure(scripting.tls, listener);
  await new Promise<void>((resolve) => server.listen(scripting.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scripting.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/mcp`,
    asked,
    of: (method) => asked.filter(({ message }) => message['method'] === method),
    close: async () => {
      const gone = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await gone;
    },
  };
}

async function askedIn(request: IncomingMessage, response: ServerResponse): Promise<Asked> {
  response.on('error', () => undefined);
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const value: unknown = text === '' ? {} : JSON.parse(text);
  const message = isJsonObject(value as JsonObject) ? (value as JsonObject) : {};
  const { method = '', headers, url = '' } = request;
  return { method, headers, url, message, response };
}

/** Answers with a body. */
export function answerJson({ message, response }: Asked, result: JsonObject, headers: object = {}): true {
  const text = JSON.stringify({ jsonrpc: '2.0', id: message['id'] ?? null, result });
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
  return true;
}

/** Answers with an error of JSON-RPC. */
function answerError({ message, response }: Asked, code: number, status = 200): true {
  const error = { code, message: 'no' };
  const text = JSON.stringify({ jsonrpc: '2.0', id: message['id'] ?? null, error });
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  return true;
}

/** Opens a stream of events. */
export function stream({ response }: Asked): (event: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  return (event) => void response.write(`${event}\n\n`);
}

/** The result of a call. */
export function said(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

function byTheBook(asked: Asked, scripting: Scripting): void {
  const { method, message, response } = asked;
  const { method: wanted } = message;
  if (method !== 'POST') response.writeHead(method === 'DELETE' ? 200 : 405).end();
  else if (message['id'] === undefined) response.writeHead(202).end();
  else {
    const result = typeof wanted === 'string' ? results(scripting)[wanted] : undefined;
    if (result === undefined) answerError(asked, -32_601, wanted === 'server/discover' ? 400 : 200);
    else answerJson(asked, result, wanted === 'initialize' ? sessionOf(scripting) : {});
  }
}

function sessionOf({ session }: Scripting): object {
  return session === undefined ? {} : { 'mcp-session-id': session };
}

function results({
  era = 'old',
  tools = usualTools,
  tells,
}: Scripting): Readonly<Record<string, JsonObject>> {
  const capabilities = { tools: tells === true ? { listChanged: true } : {} };
  const list = { tools: [...tools()] };
  if (era === 'old') {
    const serverInfo = { name: 'scripted', version: '1' };
    const initialize = { protocolVersion: '2025-11-25', capabilities, serverInfo };
    return { initialize, ping: {}, 'tools/list': list, 'tools/call': said('done') };
  }
  const complete = { resultType: 'complete' };
  const cached = { ...complete, ttlMs: 0, cacheScope: 'private' };
  return {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities, ...cached },
    'tools/list': { ...list, ...cached },
    'tools/call': { ...said('done'), ...complete },
  };
}
