/** The server as Pawl speaks to it over HTTP: its address, its session, and what goes with every request. */
import type { JsonObject } from '@pawl/core';
import { type Era, modernVersion } from '../era.js';
import { Exchange, type ExchangeSink } from './http-exchange.js';
import { HttpLink, type LinkOptions } from './http-link.js';
import { type ParamHeader, headerText, paramHeaders } from './http-text.js';

/** What a peer is made from. */
export interface PeerOptions extends LinkOptions {
  /** Headers of the operator by lower-case name, asked for at each request; or why there are none now. */
  readonly headers: () => Readonly<Record<string, string>> | string;
  /** Most bytes of one message. */
  readonly limit: number;
}

/** What a 2026-07-28 request repeats in its headers. */
export interface Repeated {
  readonly method: string;
  /** Of a tool. */
  readonly name?: string;
  readonly declared?: readonly ParamHeader[];
  readonly args?: JsonObject;
}

/** Milliseconds for the server to take the end of its session. */
const farewellMs = 1000;

/** One server, of one principal. */
export class HttpPeer {
  readonly #options: PeerOptions;
  readonly #link: HttpLink;
  #session: string | undefined;
  #version: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#link = new HttpLink(options);
  }

  /** Whether the server keeps a session for Pawl. */
  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  /** Takes the session that the server opened; false when it is malformed, and nothing may go on. */
  openSession(id: string | undefined): boolean {
    if (id === undefined) return true;
    if (!/^[!-~]{1,1024}$/u.test(id)) return false;
    this.#session = id;
    return true;
  }

  /** The server has ended the session by itself. */
  sessionEnded(): void {
    this.#session = undefined;
  }

  /** The revision that was agreed on. */
  speaks(version: string): void {
    this.#version = version;
  }

  /** Posts one message. A text: why nothing was sent. */
  post(body: string, repeated: Repeated | undefined, sink: ExchangeSink): Exchange | string {
    const more = repeated === undefined ? {} : repeatedHeaders(repeated);
    const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return this.#send('POST', { ...types, ...more }, sink, body);
  }

  /** Opens a stream of what the server tells by itself, or goes on with one. A text: why nothing was sent. */
  get(lastEventId: string | undefined, sink: ExchangeSink): Exchange | string {
    const from = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return this.#send('GET', { accept: 'text/event-stream', ...from }, sink);
  }

  /** Ends the session, as far as the server hears of it, and breaks off everything. */
  close(): Promise<void> {
    this.#closing ??= this.#farewell().then(() => this.#link.close());
    return this.#closing;
  }

  async #farewell(): Promise<void> {
    if (!this.hasSession) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, farewellMs);
      const sent = this.#send(
        'DELETE',
        {},
        {
          message: () => undefined,
          oversize: () => undefined,
          noise: () => undefined,
          ended: () => {
            clearTimeout(timer);
            resolve();
          },
        },
      );
      if (typeof sent === 'string') resolve();
    });
  }

  #send(
    method: 'POST' | 'GET' | 'DELETE',
    more: Readonly<Record<string, string>>,
    sink: ExchangeSink,
    body?: string,
  ): Exchange | string {
    const own = this.#options.headers();
    if (typeof own === 'string') return own;
    const headers = {
      ...own,
      ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...more,
    };
    const ask = body === undefined ? { method, headers } : { method, headers, body };
    return new Exchange(this.#link, ask, this.#options.limit, sink);
  }
}

function repeatedHeaders({ method, name, declared, args }: Repeated): Readonly<Record<string, string>> {
  return {
    'mcp-protocol-version': modernVersion,
    'mcp-method': headerText(method),
    ...(name === undefined ? {} : { 'mcp-name': headerText(name) }),
    ...(declared === undefined || args === undefined ? {} : paramHeaders(declared, args)),
  };
}

/** What a call repeats in its headers: nothing before 2026-07-28. */
export function repeatedOf(
  era: Era,
  tool: string,
  declared: readonly ParamHeader[],
  args: JsonObject,
): Repeated | undefined {
  return era === 'modern' ? { method: 'tools/call', name: tool, declared, args } : undefined;
}
