/** Bodies of HTTP requests, bounded, and the plain answers that go back. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '../answer.js';
import type { RequestId } from '../frame.js';
import type { WireError } from '../wire-error.js';

/** A body, or why there is none: it grew past the limit, or the client went away. */
export type Body = Buffer | 'too-large' | 'gone';

/** Reads a body of at most `limit` bytes; stops reading at the first byte past it. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > limit) {
        request.pause();
        resolve('too-large');
      } else parts.push(part);
    });
    request.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    request.once('error', () => resolve('gone'));
    request.once('close', () => resolve('gone'));
  });
}

/** Extra headers of an answer. */
export type Headers = Readonly<Record<string, string>>;

/** Sends a JSON text. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  if (response.destroyed || response.headersSent) return;
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
  response.end(text);
}

/** Sends a status without a body. */
export function sendEmpty(response: ServerResponse, status: number, headers: Headers = {}): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-length': 0, ...headers });
  response.end();
}

/** An error that is answered in place of what was asked for. */
export interface HttpRefusal {
  readonly status: number;
  readonly id: RequestId | null;
  readonly error: WireError;
  readonly headers?: Headers;
}

/** Sends a refusal as a JSON-RPC error. */
export function sendRefusal(response: ServerResponse, { status, id, error, headers }: HttpRefusal): void {
  sendJson(response, status, errorText(id, error), headers);
}
