/** The net power: requests to granted hosts, each over a connection to an address that was judged. */
import { type ConnectionOptions, connect as secure } from 'node:tls';
import { type Socket, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { CapError, type TurnPort, hostGrant, stopsWithTurns } from '@pawl/core';
import { Agent, type Dispatcher, type buildConnector } from 'undici';
import { type DialOptions, type Lookup, dial, lookupAll } from './dial.js';
import { type Hop, type NetInit, type UrlGrant, type UrlJudge, firstHop, nextHop } from './net-request.js';
import { type Grant, type PowerPort, anyOf } from './port.js';
import { PowerFailure, revoked, shown, systemCode } from './refusal.js';

/** What a request came to. */
export interface NetAnswer {
  readonly status: number;
  /** By lower-case name; what came several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** As it came: nothing is unpacked. */
  readonly body: Uint8Array;
  /** The body as UTF-8. */
  text(): string;
}

/** A power over some hosts. */
export interface NetPower {
  /**
   * Makes one request over HTTP, following up to ten redirects, each judged like a first request; headers that could say who
   * asks are not told to another origin. Rejects with a DenialError (`out_of_scope`, constraint `net.hosts`) for hosts and
   * addresses that are not granted, with the guard's denial, and with a PowerFailure for what did not work.
   */
  request(url: string, init?: NetInit): Promise<NetAnswer>;
}

/** Bounds of a net power. */
export interface NetBounds {
  /** Bytes of one answer's body. */
  readonly bodyBytes: number;
  /** Milliseconds of one request with all its redirects. */
  readonly deadlineMs: number;
  readonly redirects: number;
}

/** What a net power is made from. */
export interface NetOptions {
  /**
   * Patterns of POLICY section 4, host. A name is called if it is among them; what it leads to has to be a public address, or
   * one that a pattern names.
   */
  readonly hosts: readonly string[];
  /** Judges each url beside that. Without it every url of a granted host is. */
  readonly judge?: UrlJudge;
  readonly port: PowerPort;
  readonly bounds?: Partial<NetBounds>;
  /** Default: the system's. */
  readonly lookup?: Lookup;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
}

const usualBounds: NetBounds = { bodyBytes: 10 * 1024 * 1024, deadlineMs: 30_000, redirects: 10 };
const attemptMs = 10_000;
/** Connections to one origin. */
const connections = 8;
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What a power may dial, for powers that are made of it. */
export type NetFacts = Pick<DialOptions, 'hosts' | 'lookup' | 'signal'> & UrlGrant & { guard(): void };

const facts = new WeakMap<object, NetFacts>();

/**
 * Grants requests to some hosts. Every grant has connections of its own: revoking closes them and breaks off what is under way.
 * No proxy is taken from the environment. Throws a UsageError for a pattern that is none.
 */
export function grantNet(options: NetOptions): Grant<NetPower> {
  const net = new Net(options);
  const powerIn = (turn?: TurnPort): NetPower =>
    Object.freeze({ request: (url: string, init: NetInit = {}) => net.request(url, init, turn) });
  const power = powerIn();
  stopsWithTurns(power, powerIn);
  facts.set(power, net.facts);
  return Object.freeze({ power, revoke: () => net.revoke() });
}

/** What a power that was granted here may dial; undefined for anything else. */
export function netFacts(power: NetPower): NetFacts | undefined {
  return facts.get(power);
}

class Net {
  readonly facts: NetFacts;
  readonly #urls: UrlGrant;
  readonly #agent: Agent;
  readonly #end = new AbortController();
  readonly #port: PowerPort;
  readonly #bounds: NetBounds;

  constructor({ hosts: patterns, judge, port, bounds, lookup = lookupAll, ca }: NetOptions) {
    const hosts = hostGrant(patterns);
    this.#urls = judge === undefined ? { hosts } : { hosts, judge };
    this.#port = port;
    this.#bounds = { ...usualBounds, ...bounds };
    this.facts = { ...this.#urls, lookup, signal: this.#end.signal, guard: () => this.#guard() };
    const dialling = { ...this.facts, attemptMs };
    this.#agent = new Agent({ connect: connector(dialling, ca), connections, pipelining: 1, allowH2: false });
  }

  async revoke(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort(revoked());
    await this.#agent.destroy(revoked());
  }

  async request(url: string, init: NetInit, turn: TurnPort | undefined): Promise<NetAnswer> {
    this.#guard();
    const deadline = AbortSignal.timeout(this.#bounds.deadlineMs);
    const signal = anyOf(this.#end.signal, deadline, init.signal, turn?.signal);
    let hop = firstHop(url, init, this.#urls);
    try {
      for (let left = this.#bounds.redirects; ; left -= 1) {
        turn?.guard();
        const answer = await this.#send(hop, signal);
        const location = redirecting.has(answer.statusCode) ? answer.headers['location'] : undefined;
        if (typeof location !== 'string' || init.redirect === 'manual') return await this.#read(answer, hop);
        await answer.body.dump({ limit: 65_536 });
        if (left === 0) throw new PowerFailure('failed', 'there are too many redirects');
        hop = nextHop(hop, answer.statusCode, location, this.#urls);
      }
    } catch (error) {
      turn?.guard();
      throw this.#failureOf(error, hop, deadline);
    }
  }

  #guard(): void {
    this.#end.signal.throwIfAborted();
    this.#port.guard();
  }

  #send({ url, method, headers, body }: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    this.#guard();
    return this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: methodOf(method),
      headers,
      body: body ?? null,
      signal,
      headersTimeout: this.#bounds.deadlineMs,
      bodyTimeout: this.#bounds.deadlineMs,
    });
  }

  async #read({ statusCode, headers, body }: Dispatcher.ResponseData, { url }: Hop): Promise<NetAnswer> {
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > this.#bounds.bodyBytes) {
        body.destroy();
        throw new PowerFailure('too_large', `the answer is larger than ${this.#bounds.bodyBytes} bytes`);
      }
      chunks.push(chunk);
    }
    this.#guard();
    const bytes = new Uint8Array(Buffer.concat(chunks, total));
    return Object.freeze({
      status: statusCode,
      headers: shownHeaders(headers),
      url: url.href,
      body: bytes,
      text: () => new TextDecoder().decode(bytes),
    });
  }

  #failureOf(error: unknown, { url }: Hop, deadline: AbortSignal): unknown {
    if (this.#end.signal.aborted) return this.#end.signal.reason;
    if (deadline.aborted)
      return new PowerFailure('timeout', `the answer took longer than ${this.#bounds.deadlineMs} ms`);
    if (!(error instanceof Error) || error instanceof PowerFailure || error instanceof CapError) return error;
    if (error.name === 'AbortError') return new PowerFailure('failed', 'the request was broken off');
    const why = systemCode(error) || 'unknown';
    return new PowerFailure('unreachable', `the request to ${shown(url.hostname)} failed (${why})`);
  }
}

/** The connector of undici: the one way in which a grant's connections come about. */
function connector(dialling: DialOptions, ca: string | undefined): buildConnector.connector {
  const open = callbackify(async ({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> => {
    const isSecure = protocol === 'https:';
    const usual = isSecure ? 443 : 80;
    const socket = await dial(hostname, port === '' ? usual : Number(port), dialling);
    return isSecure ? secured(socket, hostname, ca) : socket;
  });
  return (options, callback) =>
    open(options, (error, socket) => (error === null ? callback(null, socket) : callback(error, null)));
}

function secured(socket: Socket, hostname: string, ca: string | undefined): Promise<Socket> {
  const host = hostname.replaceAll(/^\[|\]$/gu, '');
  const options: ConnectionOptions = { socket, host, ALPNProtocols: ['http/1.1'] };
  if (isIP(host) === 0) options.servername = host;
  if (ca !== undefined) options.ca = ca;
  return new Promise((resolve, reject) => {
    const encrypted = secure(options);
    const timer = setTimeout(() => encrypted.destroy(new PowerFailure('timeout', 'no handshake')), attemptMs);
    encrypted.once('error', (error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    });
    encrypted.once('secureConnect', () => {
      clearTimeout(timer);
      resolve(encrypted);
    });
  });
}

/** The methods that a hop has are those that undici knows. */
function methodOf(method: string): Dispatcher.HttpMethod {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- firstHop takes these methods only
  return method as Dispatcher.HttpMethod;
}

function shownHeaders(headers: Dispatcher.ResponseData['headers']): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  const shown: Record<string, string> = Object.fromEntries(entries);
  return Object.freeze(shown);
}
