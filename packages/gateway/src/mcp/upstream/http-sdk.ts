/** The SDK's end of a server that is reached over HTTP: handshake and lists go through Pawl's own requests. */
import {
  type JSONRPCMessage,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
  isJSONRPCRequest,
  isJSONRPCResponse,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/client';
import { isUtf8 } from 'node:buffer';
import { protocolVersionKey } from '../meta.js';
import type { End, Exchange } from './http-exchange.js';
import type { Head } from './http-link.js';
import type { HttpPeer, Repeated } from './http-peer.js';

/** What the transport tells of what it sees. */
export interface SdkSink {
  /** A message that is no answer to the SDK. */
  readonly message: (text: Buffer) => void;
  readonly noise: (bytes: number) => void;
  /** A request that came to nothing: how. */
  readonly failed: (why: string, end?: End) => void;
}

/** JSON-RPC error of a request whose answer never came. */
const noAnswer = -32_000;

/** The transport. Without `pid` and `stderr`, by which the SDK knows a local process. */
export class HttpSdkTransport implements Transport {
  /** A 2026-07-28 request is cancelled by breaking it off. */
  readonly hasPerRequestStream = true;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #peer: HttpPeer;
  readonly #sink: SdkSink;
  readonly #open = new Set<Exchange>();

  constructor(peer: HttpPeer, sink: SdkSink) {
    this.#peer = peer;
    this.#sink = sink;
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    for (const exchange of this.#open) exchange.breakOff();
    this.#open.clear();
    this.onclose?.();
  }

  setProtocolVersion(version: string): void {
    this.#peer.speaks(version);
  }

  /** Settles when the server takes the message; rejects with the SDK's error when it does not. */
  send(
    message: JSONRPCMessage,
    options?: { readonly requestSignal?: AbortSignal | undefined },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const talk = new Talk(message, { resolve, reject });
      const exchange = this.#peer.post(JSON.stringify(message), repeatedIn(message), {
        opened: (head) => {
          if (!talk.opens(head, this.#peer)) return;
          resolve();
        },
        message: (text) => this.#heard(talk, text),
        oversize: (_head, _tail, length) => this.#sink.noise(length),
        noise: (bytes) => this.#sink.noise(bytes),
        ended: (end) => {
          if (typeof exchange !== 'string') this.#open.delete(exchange);
          this.#over(talk, end);
        },
      });
      if (typeof exchange === 'string') {
        this.#sink.failed(exchange);
        reject(new Error(exchange));
        return;
      }
      this.#open.add(exchange);
      options?.requestSignal?.addEventListener('abort', () => {
        this.#open.delete(exchange);
        exchange.breakOff();
        reject(new Error('the request was cancelled'));
      });
    });
  }

  #heard(talk: Talk, text: Buffer): void {
    const message = messageIn(text);
    if (message === undefined) return this.#sink.noise(text.length);
    if (!isJSONRPCResponse(message)) return this.#sink.message(text);
    if (!talk.answers(message)) return this.#sink.noise(text.length);
    this.onmessage?.(message);
    talk.resolve();
  }

  #over(talk: Talk, end: End): void {
    if (talk.isAnswered || (end.why === undefined && !talk.isRequest)) return talk.resolve();
    const message = end.text === undefined ? undefined : messageIn(end.text);
    if (message !== undefined && talk.answers(message)) {
      this.onmessage?.(message);
      return talk.resolve();
    }
    const why = end.why ?? 'the answer ended before it was whole';
    this.#sink.failed(why, end);
    if (talk.isOpened && talk.isRequest) this.onmessage?.(talk.failure(why));
    return talk.reject(errorOf(end, why));
  }
}

/** One message of the SDK, and what became of it. */
class Talk {
  readonly isRequest: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly #message: JSONRPCMessage;
  isOpened = false;
  isAnswered = false;

  constructor(
    message: JSONRPCMessage,
    { resolve, reject }: { readonly resolve: () => void; readonly reject: (error: Error) => void },
  ) {
    this.#message = message;
    this.isRequest = isJSONRPCRequest(message);
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Takes the session that came with the answer to `initialize`; false when nothing may go on. */
  opens(head: Head, peer: HttpPeer): boolean {
    const opening = isJSONRPCRequest(this.#message) && this.#message.method === 'initialize';
    if (opening && !peer.openSession(head.headers.get('mcp-session-id'))) {
      this.reject(new Error('the server gave a session id that no header can carry'));
      return false;
    }
    this.isOpened = true;
    return true;
  }

  answers(message: JSONRPCMessage): boolean {
    const isOwn =
      !this.isAnswered && 'id' in message && 'id' in this.#message && message.id === this.#message.id;
    if (isOwn) this.isAnswered = true;
    return isOwn;
  }

  failure(why: string): JSONRPCMessage {
    const id = 'id' in this.#message ? this.#message.id : undefined;
    return { jsonrpc: '2.0', id: id ?? 0, error: { code: noAnswer, message: why } };
  }
}

/** What a 2026-07-28 message repeats in its headers; it says so itself. */
function repeatedIn(message: JSONRPCMessage): Repeated | undefined {
  const params = 'params' in message ? message.params : undefined;
  const meta = params?._meta;
  if (meta === undefined || !Object.hasOwn(meta, protocolVersionKey)) return undefined;
  return isJSONRPCRequest(message) ? { method: message.method } : undefined;
}

function messageIn(text: Buffer): JSONRPCMessage | undefined {
  if (!isUtf8(text)) return undefined;
  try {
    return parseJSONRPCMessage(JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** An error of HTTP as the SDK knows it: by its status it tells an older server from one that is not there. */
function errorOf({ status, text }: End, why: string): Error {
  if (status === undefined || (status >= 200 && status < 300)) return new Error(why);
  const body = text !== undefined && isUtf8(text) ? { text: text.toString('utf8') } : {};
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, why, {
    status,
    statusText: '',
    ...body,
  });
}
