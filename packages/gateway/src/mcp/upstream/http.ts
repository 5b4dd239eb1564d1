/** A server that is reached over Streamable HTTP, of either era, behind the same port as one on pipes. */
import { type Clock, type JsonObject, canonicalJson, fault, own } from '@pawl/core';
import type { Era } from '../era.js';
import type { Implementation } from '../meta.js';
import { defaultResultBytes } from '../result.js';
import { firstCallId } from './calls.js';
import { type UpstreamFrames, upstreamFrames } from './frames.js';
import { type Discovered, type HandshakeBounds, meet } from './handshake.js';
import { HttpCalls } from './http-calls.js';
import type { End, Exchange, ExchangeSink } from './http-exchange.js';
import { lookAt } from './http-look.js';
import { Notices } from './http-notices.js';
import { HttpPeer, type PeerOptions, repeatedOf } from './http-peer.js';
import { HttpSdkTransport } from './http-sdk.js';
import { type ParamHeader, declaredHeaders } from './http-text.js';
import { handshakeText, handshakeTrouble, shownUrl } from './trouble.js';
import { Incoming } from './incoming.js';
import type { Started } from './stdio.js';
import { type StrayLimits, strayLimits } from './stray.js';
import type { Upstream, UpstreamCall, UpstreamCallOptions, UpstreamTool } from './upstream.js';

/** What a server is reached with. */
export interface HttpUpstreamOptions extends Omit<PeerOptions, 'limit'> {
  readonly self: Implementation;
  readonly clock: Clock;
  /** Bytes of text and structured content in one answer; asked for at each. */
  readonly maxResultBytes?: () => number;
  /** What the server said of itself when it was met before. */
  readonly discovered?: Discovered;
  readonly bounds?: HandshakeBounds;
  readonly stray?: StrayLimits;
}

const usualBounds: HandshakeBounds = { requestMs: 30_000, probeMs: 10_000 };
/** Longest message that is kept; escapes can make a permitted answer six times as long. */
const shortestLimit = 8 * 1024 * 1024;
/** Milliseconds after which a server that is called is asked for its tools, in case it changed them and told nobody. */
const listingMs = 60_000;
/** Small messages to the server that may be on their way at the same time; what is more is not said. */
const mostSaid = 64;
const listenId = firstCallId - 1;
const gone = 'the server is not there; it is being reached again';

/**
 * Shakes hands and lists the tools. What fails for another reason than that nobody is there is tried once more: in the older
 * way, or, where the server was met before, as if it had not been. Never rejects.
 */
export async function startHttp(options: HttpUpstreamOptions): Promise<Started> {
  const first = await attempt(options);
  if (first.ok) return first;
  if (first.isOpen !== true)
    return { ok: false, why: first.why, ...(first.isRefused === true && { isRefused: true }) };
  const { discovered, ...fresh } = options;
  const second = await attempt(
    discovered === undefined ? { ...fresh, discovered: { kind: 'legacy' } } : fresh,
  );
  return second.ok ? second : { ok: false, why: first.why };
}

/** `isOpen`: somebody is there who refused neither credentials nor address. */
async function attempt(options: HttpUpstreamOptions): Promise<Started & { readonly isOpen?: boolean }> {
  const upstream = new HttpUpstream(options);
  try {
    const discovered = await upstream.meet();
    if (upstream.state === 'up') return { ok: true, upstream, discovered };
    return { ok: false, why: upstream.why };
  } catch (error) {
    const trouble = upstream.trouble(error);
    await upstream.close();
    return { ok: false, ...trouble };
  }
}

class HttpUpstream implements Upstream {
  state: 'up' | 'down' = 'up';
  why = '';
  isExpired = false;
  readonly #options: HttpUpstreamOptions;
  readonly #peer: HttpPeer;
  readonly #sdk: HttpSdkTransport;
  readonly #calls: HttpCalls;
  readonly #incoming: Incoming;
  #frames: UpstreamFrames;
  #era: Era = 'legacy';
  #relist: (() => Promise<readonly UpstreamTool[]>) | undefined;
  #tools: readonly UpstreamTool[] = [];
  #declared: ReadonlyMap<string, readonly ParamHeader[]> = new Map();
  #listedAt = 0;
  #notices: Notices | undefined;
  #looking: Promise<void> | undefined;
  #trouble: { readonly why: string; readonly end?: End } | undefined;
  #said = 0;
  #looks = 0;
  #comparing = false;
  readonly #downListeners: ((why: string) => void)[] = [];
  readonly #changeListeners: (() => void)[] = [];
  /** A change that nobody was told of yet. */
  #unheard = false;

  constructor(options: HttpUpstreamOptions) {
    this.#options = options;
    const maxBytes = options.maxResultBytes ?? ((): number => defaultResultBytes);
    this.#peer = new HttpPeer({ ...options, limit: Math.max(shortestLimit, 6 * maxBytes()) });
    this.#frames = upstreamFrames('legacy', options.self);
    this.#incoming = this.#reading();
    this.#calls = this.#calling(maxBytes);
    this.#sdk = new HttpSdkTransport(this.#peer, {
      message: (text) => this.#incoming.take(text),
      noise: (bytes) => void this.#incoming.noise(bytes),
      failed: (why, end) => (this.#trouble = end === undefined ? { why } : { why, end }),
    });
  }

  async meet(): Promise<Discovered> {
    const { self, bounds, discovered, clock } = this.#options;
    const met = await meet(this.#sdk, self, bounds ?? usualBounds, discovered);
    this.#era = met.era;
    this.#frames = upstreamFrames(met.era, self);
    this.#relist = met.list;
    this.#take(met.tools);
    this.#listedAt = clock.monotonic();
    if (this.state === 'up' && (met.era === 'legacy' || met.tells)) this.#notices = this.#listening();
    return met.discovered;
  }

  /** Why no handshake came about, and whether another way of it might. */
  trouble(error: unknown): {
    readonly why: string;
    readonly isOpen: boolean;
    readonly isRefused?: boolean;
  } {
    const shown = shownUrl(this.#options.url);
    if (this.state === 'down') return { why: this.why, isOpen: false };
    const { why, end } = this.#trouble ?? {};
    if (why === undefined)
      return { why: `${shown}: the handshake failed: ${handshakeText(error)}`, isOpen: true };
    if (end === undefined) return { why, isOpen: false };
    const { status = 0 } = end;
    const isClosed = status === 0 || status === 401 || status === 403 || (status >= 300 && status < 400);
    return { why: handshakeTrouble(why, end, shown), isOpen: !isClosed, isRefused: status === 401 };
  }

  async list(): Promise<readonly UpstreamTool[]> {
    try {
      const tools = (await this.#relist?.()) ?? [];
      this.#take(tools);
      return tools;
    } catch (error) {
      // A session that the server has ended is told as that.
      await this.#look();
      throw error;
    }
  }

  tools(): readonly UpstreamTool[] {
    return this.#tools;
  }

  call(tool: string, args: JsonObject, options: UpstreamCallOptions): UpstreamCall {
    if (this.state === 'down' || options.signal.aborted)
      return { handedOver: false, answer: Promise.resolve(fault('upstream_gone', gone, this.why)) };
    const { trace } = options;
    const repeated = repeatedOf(this.#era, tool, this.#declared.get(tool) ?? [], args);
    const made = this.#calls.begin((id) => {
      const frame = { id, tool, args, progress: options.onProgress !== undefined };
      const text = this.#frames.call(trace === undefined ? frame : { ...frame, trace });
      return (sink) => this.#peer.post(text, repeated, sink);
    }, options);
    void this.#compareTools(listingMs);
    return made;
  }

  onDown(listener: (why: string) => void): void {
    if (this.state === 'down') listener(this.why);
    else this.#downListeners.push(listener);
  }

  onToolsChanged(listener: () => void): void {
    this.#changeListeners.push(listener);
    if (this.#unheard) listener();
    this.#unheard = false;
  }

  async close(): Promise<void> {
    this.#down('the server was left', false);
    await this.#peer.close();
  }

  #take(tools: readonly UpstreamTool[]): void {
    this.#tools = tools;
    this.#declared = new Map(
      tools.map(({ name, definition }) => [name, declaredHeaders(own(definition, 'inputSchema'))]),
    );
  }

  #down(why: string, bySelf = true): void {
    if (this.state === 'down') return;
    this.state = 'down';
    this.why = why;
    this.#notices?.stop();
    this.#calls.loseAll(why, bySelf);
    void this.#sdk.close();
    void this.#peer.close();
    for (const listener of this.#downListeners) listener(why);
  }

  #reading(): Incoming {
    const { clock, stray } = this.#options;
    return new Incoming({
      clock,
      limits: stray ?? strayLimits,
      // A 2026-07-28 server has nothing to ask.
      reply: () => (this.#era === 'legacy' ? (text): void => this.#say(text) : undefined),
      progress: (token, progress) => this.#calls.progress(token, progress),
      changed: () => this.#changed(),
      flood: () => this.#down('the server floods its output'),
    });
  }

  #calling(maxBytes: () => number): HttpCalls {
    return new HttpCalls({
      clock: this.#options.clock,
      maxBytes,
      era: () => this.#era,
      goOn: (last, sink) => this.#peer.get(last, sink),
      cancel: (id, reason) => this.#say(this.#frames.cancel(id, reason)),
      stray: (text, line) => this.#incoming.take(text, line),
      noise: (bytes) => void this.#incoming.noise(bytes),
      unsent: (why) => {
        if (!this.#calls.isAnyOpen) this.#down(why);
      },
      hasSession: () => this.#peer.hasSession,
      sessionEnded: () => {
        this.#peer.sessionEnded();
        this.isExpired = this.#calls.hasAnswered;
        this.#down('the server has ended the session');
      },
      look: () => this.#look(),
    });
  }

  #listening(): Notices {
    const listen = this.#frames.listen(listenId);
    const repeated = { method: 'subscriptions/listen' };
    return new Notices({
      open: (from: string | undefined, sink: ExchangeSink): Exchange | string =>
        listen === undefined ? this.#peer.get(from, sink) : this.#peer.post(listen, repeated, sink),
      message: (text) => this.#incoming.take(text),
      noise: (bytes) => void this.#incoming.noise(bytes),
      back: (wentOn) => void (wentOn || this.#compareTools(0)),
      broken: () => void this.#look(),
    });
  }

  /** Says something small to the server; what it answers is nobody's concern. */
  #say(text: string): void {
    if (this.#said >= mostSaid) return;
    const sent = this.#peer.post(text, undefined, {
      message: () => undefined,
      oversize: () => undefined,
      noise: (bytes) => void this.#incoming.noise(bytes),
      ended: () => void (this.#said -= 1),
    });
    if (typeof sent !== 'string') this.#said += 1;
  }

  /** One look for all who want to know. A server that is not there is down, unless a call may still be answered. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    if (this.state === 'down') return;
    const had = this.#peer.hasSession;
    this.#looks += 1;
    const id = `pawl-${this.#looks}`;
    const repeated = this.#era === 'modern' ? { method: 'server/discover' } : undefined;
    const why = await lookAt({ peer: this.#peer, id, text: this.#frames.look(id), repeated });
    const hasEnded = had && !this.#peer.hasSession;
    this.isExpired = hasEnded && this.#calls.hasAnswered;
    if (why !== undefined && (hasEnded || !this.#calls.isAnyOpen)) this.#down(why);
    else if (why === undefined) void this.#compareTools(0);
  }

  #changed(): void {
    this.#unheard = this.#changeListeners.length === 0;
    for (const tell of this.#changeListeners) tell();
  }

  /** A server that changed its tools and could not tell: another one may stand behind the address by now. */
  async #compareTools(olderThanMs: number): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (this.#comparing || this.state === 'down' || now - this.#listedAt < olderThanMs) return;
    this.#comparing = true;
    this.#listedAt = now;
    try {
      const listed = (await this.#relist?.()) ?? [];
      if (!sameTools(listed, this.#tools)) this.#changed();
    } catch {
      // Whoever calls it next is told.
    } finally {
      this.#comparing = false;
    }
  }
}

function sameTools(one: readonly UpstreamTool[], other: readonly UpstreamTool[]): boolean {
  const text = (tools: readonly UpstreamTool[]): string =>
    canonicalJson(tools.map(({ definition }) => definition));
  return text(one) === text(other);
}
