/** Serving control over HTTP/1.1: one request a connection, bounded in size and time, on whatever it listens. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Answer, controlErrors, no, yes } from './answer.js';
import type { Operations } from './operations.js';
import { type ControlHead, longestBody, readBody, readHead } from './request.js';
import type { Role } from './role.js';
import type { Prepared } from './params.js';

/** What is served, to whom. */
export interface ServeOptions {
  readonly operations: Operations;
  /** The role of everybody who can connect. */
  readonly role: Role;
  /** Told of a mistake of Pawl's own; never of a caller's. */
  readonly failed?: (error: unknown) => void;
  readonly patience?: Patience;
}

/** How long is waited, in milliseconds. */
export interface Patience {
  /** For the whole of a request. */
  readonly requestMs: number;
  /** For an operation, where it has not a shorter time of its own. */
  readonly operationMs: number;
}

const usual: Patience = { requestMs: 10_000, operationMs: Infinity };
const longestHead = 8192;
const mostConnections = 64;

/** A server that is not listening yet. */
export function controlServer(options: ServeOptions): Server {
  const { requestMs } = options.patience ?? usual;
  const server = createServer(
    {
      maxHeaderSize: longestHead,
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: requestMs / 10,
      keepAlive: false,
    },
    (request, response) => {
      response.on('error', () => response.destroy());
      void answerTo(options, request).then((answer) => send(response, answer));
    },
  );
  server.maxConnections = mostConnections;
  return server;
}

/** Never rejects. */
async function answerTo(options: ServeOptions, request: IncomingMessage): Promise<Answer<unknown>> {
  const head = readHead(headOf(request), options.role);
  if (!head.ok) return head;
  const body = await bodyOf(request);
  if (!body.ok) return body;
  const prepared = readBody(head.value, body.value);
  return prepared.ok ? perform(options, prepared.value, head.value.within) : prepared;
}

function headOf(request: IncomingMessage): ControlHead {
  const { method = '', url = '', headersDistinct: headers } = request;
  return {
    method,
    url,
    host: headers['host'] ?? [],
    origin: headers['origin'] ?? [],
    contentType: headers['content-type'] ?? [],
  };
}

async function bodyOf(request: IncomingMessage): Promise<Answer<Uint8Array>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      if (!(chunk instanceof Uint8Array)) return no('malformed', 'the body holds no bytes');
      size += chunk.length;
      if (size > longestBody) return no('too_large', `found a body longer than ${longestBody} bytes`);
      chunks.push(chunk);
    }
  } catch {
    return no('malformed', 'the body ended early');
  }
  return yes(Buffer.concat(chunks));
}

async function perform(options: ServeOptions, prepared: Prepared, longest: number): Promise<Answer<unknown>> {
  const within = Math.min(longest, (options.patience ?? usual).operationMs);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer<never>>((resolve) => {
    const answer = no('timeout', `no answer within ${within / 1000} s; it may still take effect`);
    timer = setTimeout(() => resolve(answer), within);
  });
  try {
    return await Promise.race([prepared(options.operations, options.role), late]);
  } catch (error) {
    options.failed?.(error);
    return no('internal', 'the operation failed inside Pawl; its log says how');
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, answer: Answer<unknown>): void {
  if (response.destroyed) return;
  const text = JSON.stringify(answer);
  const status = answer.ok ? 200 : controlErrors[answer.error.code];
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === controlErrors.wrong_method ? { allow: 'POST' } : {}),
  });
  response.end(text);
}
