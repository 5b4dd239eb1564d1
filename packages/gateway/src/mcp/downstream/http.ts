/** Streamable HTTP: who may ask, what is read strictly, and who answers it. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Credential } from '../../identity/index.js';
import { invalidText } from '../answer.js';
import { decodeFrame, maxFrameBytes } from '../frame.js';
import { internalError, invalidRequest } from '../wire-error.js';
import { readBody, sendEmpty, sendJson, sendRefusal } from './http-body.js';
import { type ExchangeOptions, HttpExchange } from './http-exchange.js';

/** What an endpoint is made from. */
export interface HttpOptions extends ExchangeOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whom a bearer text stands for; asked on every request. */
  readonly authenticate: (bearer: string) => Credential | undefined;
  /** Host names besides those of localhost and `host`, under which the endpoint is reached. */
  readonly hosts?: readonly string[];
}

/** A listening endpoint. */
export interface HttpEndpoint {
  /** `http://host:port/mcp`. */
  readonly url: string;
  /** Stops listening, cancels what is in flight and settles when every connection is gone. */
  close(): Promise<void>;
}

const httpPath = '/mcp';
/** Headers that decide something: repeated, another reader on the way might have taken another one. */
const onceOnly = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
];
/** Milliseconds that answers may take to leave when the endpoint closes. */
const graceMs = 2000;

/** Listens; rejects with the system's error when the address cannot be had. */
export async function listenHttp(options: HttpOptions): Promise<HttpEndpoint> {
  const endpoint = new Endpoint(options);
  const server = createServer(
    (request, response) => void endpoint.serve(request, response).catch(() => broke(response)),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = boundTo(server);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `http://${host}:${port}${httpPath}`, close: () => closed(server, endpoint) };
}

function boundTo(server: Server): AddressInfo {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : { port: 0, address: '', family: '' };
}

async function closed(server: Server, endpoint: Endpoint): Promise<void> {
  const gone = new Promise<void>((resolve) => server.close(() => resolve()));
  endpoint.end();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await gone;
  clearTimeout(timer);
}

class Endpoint {
  readonly #options: HttpOptions;
  readonly #exchange: HttpExchange;
  readonly #hosts: string[];
  readonly #origins: string[];

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#exchange = new HttpExchange(options);
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    const named = [host, ...(options.hosts ?? [])];
    this.#hosts = [...localhostAllowedHostnames(), ...named];
    this.#origins = [...localhostAllowedOrigins(), ...named];
  }

  end(): void {
    this.#exchange.end('the gateway is closing');
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wrong = this.#wrongPlace(request);
    if (wrong !== undefined) {
      request.resume();
      return sendEmpty(response, wrong);
    }
    const credential = this.#credential(request);
    if (credential === undefined) {
      request.resume();
      return challenge(request, response);
    }
    if (request.method === 'POST') return this.#post(request, response, credential);
    request.resume();
    if (request.method === 'DELETE') return this.#exchange.endSession(request, response, credential);
    return sendEmpty(response, 405, { allow: 'POST, DELETE' });
  }

  /** The status for a request that came under a foreign name (DNS rebinding), from a foreign page, or for another path. */
  #wrongPlace({ headers, headersDistinct, url }: IncomingMessage): number | undefined {
    if (onceOnly.some((name) => (headersDistinct[name]?.length ?? 0) > 1)) return 400;
    if (!validateHostHeader(headers.host, this.#hosts).ok) return 403;
    if (!validateOriginHeader(headers.origin, this.#origins).ok) return 403;
    return url === httpPath || url?.startsWith(`${httpPath}?`) === true ? undefined : 404;
  }

  #credential({ headers }: IncomingMessage): Credential | undefined {
    const bearer = /^Bearer +([^\s]+) *$/iu.exec(headers.authorization ?? '')?.[1];
    return bearer === undefined ? undefined : this.#options.authenticate(bearer);
  }

  async #post(request: IncomingMessage, response: ServerResponse, credential: Credential): Promise<void> {
    if (!/^application\/json\s*(;|$)/iu.test(request.headers['content-type'] ?? '')) {
      request.resume();
      return sendRefusal(response, {
        status: 415,
        id: null,
        error: { code: invalidRequest, message: 'the body must be application/json' },
      });
    }
    const body = await readBody(request, maxFrameBytes);
    if (body === 'gone') return undefined;
    if (body === 'too-large') {
      this.#rejected(credential, 'the body is too large');
      return tooLarge(response);
    }
    const frame = decodeFrame(body, this.#exchange.awaitedOf(request, credential));
    if (frame.kind === 'invalid') {
      this.#rejected(credential, frame.message);
      return sendJson(response, 400, invalidText(frame));
    }
    if (frame.kind === 'response') return this.#exchange.take(frame, request, response, credential);
    return this.#exchange.answer({ request, response, frame, credential });
  }

  #rejected({ key }: Credential, why: string): void {
    this.#options.gate.rejected({ key, code: 'malformed_arguments', why });
  }
}

function broke(response: ServerResponse): void {
  sendRefusal(response, {
    status: 500,
    id: null,
    error: { code: internalError, message: 'the gateway failed' },
  });
}

function challenge(request: IncomingMessage, response: ServerResponse): void {
  const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
  sendEmpty(response, 401, { 'www-authenticate': `Bearer realm="pawl"${error}` });
}

function tooLarge(response: ServerResponse): void {
  const message = `the message is longer than ${maxFrameBytes} bytes`;
  const error = { code: invalidRequest, message, data: { code: 'malformed_arguments' } };
  sendRefusal(response, { status: 413, id: null, error, headers: { connection: 'close' } });
}
