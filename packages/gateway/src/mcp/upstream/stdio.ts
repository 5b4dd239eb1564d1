/** A server behind the pipes of its own process. */
import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { type Clock, type Fault, type JsonObject, fault, isJsonObject, own } from '@pawl/core';
import type { Era } from '../era.js';
import { LineReader, LineWriter } from '../line.js';
import type { Implementation } from '../meta.js';
import { defaultResultBytes, tooLarge } from '../result.js';
import { idInExcerpts, readAnswerLine } from './answer-line.js';
import { CallTable, firstCallId } from './calls.js';
import { type UpstreamFrames, answerToServer, upstreamFrames } from './frames.js';
import { type Discovered, type HandshakeBounds, type Met, PipeTransport, meet } from './handshake.js';
import { type Launch, type ProcessOptions, type ServerProcess, startProcess } from './process.js';
import { handshakeText } from './trouble.js';
import { type StrayLimits, StrayOutput, strayLimits } from './stray.js';
import type { Upstream, UpstreamCall, UpstreamCallOptions, UpstreamTool } from './upstream.js';

/** What a server is started with. */
export interface StdioOptions extends ProcessOptions {
  readonly self: Implementation;
  readonly clock: Clock;
  /** Bytes of text and structured content in one answer; asked for at each. */
  readonly maxResultBytes?: () => number;
  /** What an earlier process of the same server said of itself. */
  readonly discovered?: Discovered;
  readonly bounds?: HandshakeBounds;
  readonly stray?: StrayLimits;
  /** Starts the process; one of the operating system's unless told. */
  readonly launch?: Launch | undefined;
}

/** A server that runs, or why it does not. */
export type Started =
  | { readonly ok: true; readonly upstream: Upstream; readonly discovered: Discovered }
  | {
      readonly ok: false;
      readonly why: string;
      /** It is there and refuses the credentials. */
      readonly isRefused?: boolean;
    };

const usualBounds: HandshakeBounds = { requestMs: 30_000, probeMs: 10_000 };
/** Longest line that is kept; escapes can make a permitted answer six times as long. */
const shortestLineLimit = 8 * 1024 * 1024;
/** Bytes that may wait for a server that does not read. */
const mostWaiting = 16 * 1024 * 1024;
/** Of the one request that is open as long as the process is: what it tells comes as notifications. */
const listenId = firstCallId - 1;
const gone = 'the server is not there; it is being restarted';

/**
 * Starts a process, shakes hands and lists its tools. A server that ends itself over the question for the 2026-07-28 revision is
 * started once more and asked in the older way. Never rejects.
 */
export async function startStdio(options: StdioOptions): Promise<Started> {
  const first = await attempt(options);
  if (first.ok || !first.died || options.discovered !== undefined) return first;
  return attempt({ ...options, discovered: { kind: 'legacy' } });
}

async function attempt(options: StdioOptions): Promise<Started & { readonly died?: boolean }> {
  const child = (options.launch ?? startProcess)(options);
  if (typeof child === 'string') return { ok: false, why: child };
  const upstream = new StdioUpstream(child, options);
  try {
    const met = await upstream.meet();
    if (upstream.state === 'up') return { ok: true, upstream, discovered: met };
    return { ok: false, why: upstream.why, died: true };
  } catch (error) {
    const died = upstream.state === 'down';
    await upstream.close();
    return { ok: false, why: died ? upstream.why : `the handshake failed: ${handshakeText(error)}`, died };
  }
}

class StdioUpstream implements Upstream {
  state: 'up' | 'down' = 'up';
  why = '';
  readonly #options: StdioOptions;
  readonly #child: ServerProcess;
  readonly #writer: LineWriter;
  readonly #sdk: PipeTransport;
  readonly #calls: CallTable;
  readonly #stray: StrayOutput;
  readonly #maxBytes: () => number;
  #frames: UpstreamFrames;
  #era: Era | undefined;
  #relist: Met['list'] | undefined;
  #tools: readonly UpstreamTool[] = [];
  readonly #downListeners: ((why: string) => void)[] = [];
  readonly #changeListeners: (() => void)[] = [];
  /** A change that nobody was told of yet. */
  #unheard = false;

  constructor(child: ServerProcess, options: StdioOptions) {
    this.#options = options;
    this.#child = child;
    this.#maxBytes = options.maxResultBytes ?? ((): number => defaultResultBytes);
    this.#writer = new LineWriter(child.stdin, mostWaiting);
    this.#sdk = new PipeTransport(child.pid, (text) => this.#writer.write(text));
    this.#frames = upstreamFrames('legacy', options.self);
    this.#stray = new StrayOutput(options.stray ?? strayLimits, options.clock);
    this.#calls = new CallTable({
      clock: options.clock,
      cancel: (id, reason) => this.#writer.write(this.#frames.cancel(id, reason)),
    });
    const reader = new LineReader(Math.max(shortestLineLimit, 6 * this.#maxBytes()), {
      line: (bytes) => this.#line(bytes),
      oversize: (head, tail, length) => this.#oversize(head, tail, length),
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (this.state === 'up') reader.push(chunk);
    });
    child.stdout.on('error', () => undefined);
    void child.gone.then((why) => this.#down(why));
  }

  async meet(): Promise<Discovered> {
    const { self, bounds, discovered } = this.#options;
    const met = await meet(this.#sdk, self, bounds ?? usualBounds, discovered);
    this.#era = met.era;
    this.#frames = upstreamFrames(met.era, self);
    this.#tools = met.tools;
    this.#relist = met.list;
    const listen = met.tells ? this.#frames.listen(listenId) : undefined;
    if (listen !== undefined) this.#writer.write(listen);
    return met.discovered;
  }

  async list(): Promise<readonly UpstreamTool[]> {
    const tools = (await this.#relist?.()) ?? [];
    this.#tools = tools;
    return tools;
  }

  tools(): readonly UpstreamTool[] {
    return this.#tools;
  }

  call(tool: string, args: JsonObject, options: UpstreamCallOptions): UpstreamCall {
    if (this.state === 'down' || this.#writer.stalled || options.signal.aborted) {
      return { handedOver: false, answer: Promise.resolve(fault('upstream_gone', gone, this.why)) };
    }
    const { id, answer } = this.#calls.begin(options);
    const { trace } = options;
    const frame = { id, tool, args, progress: options.onProgress !== undefined };
    this.#writer.write(this.#frames.call(trace === undefined ? frame : { ...frame, trace }));
    return { handedOver: true, answer };
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
    this.#down('the server was ended', false);
    await this.#child.end();
  }

  #down(why: string, bySelf = true): void {
    if (this.state === 'down') return;
    this.state = 'down';
    this.why = why;
    this.#calls.loseAll(why, bySelf);
    void this.#sdk.close();
    for (const listener of this.#downListeners) listener(why);
  }

  #fail(why: string): void {
    this.#down(why);
    this.#child.kill();
  }

  #line(bytes: Buffer): void {
    if (this.state === 'down') return;
    const line = readAnswerLine(bytes);
    if (line.kind === 'answer' && this.#calls.has(line.id)) {
      this.#calls.settle(line.id, line.read(this.#maxBytes()));
      return;
    }
    if (line.kind === 'answer') this.#calls.heardLate(line.id);
    if (!this.#stray.allows(bytes.length)) return this.#fail('the server floods its output');
    if (line.kind === 'message') this.#message(line.value);
  }

  #oversize(head: Buffer, tail: Buffer, length: number): void {
    const id = idInExcerpts(head, tail);
    const answer: Fault = tooLarge(this.#maxBytes());
    if (id !== undefined && this.#calls.settle(id, answer)) return;
    if (!this.#stray.allows(length)) this.#fail('the server floods its output');
  }

  #message(value: JsonObject): void {
    const method = own(value, 'method');
    const id = own(value, 'id');
    if (typeof method !== 'string') return id === listenId ? undefined : this.#toSdk(value);
    if (id !== undefined && id !== null) {
      // On the pipe of the modern era a client writes no answers; its servers have nothing to ask.
      if (this.#era !== 'modern') this.#writer.write(answerToServer(id, method));
    } else if (method === 'notifications/progress') this.#progress(own(value, 'params'));
    else if (method === 'notifications/tools/list_changed') {
      this.#unheard = this.#changeListeners.length === 0;
      for (const tell of this.#changeListeners) tell();
    }
    return undefined;
  }

  #progress(params: JsonObject[string]): void {
    if (!isJsonObject(params)) return;
    const token = own(params, 'progressToken');
    if (typeof token === 'number') this.#calls.progress(token, params);
  }

  #toSdk(value: JsonObject): void {
    const message = messageOf(value);
    if (message !== undefined) this.#sdk.onmessage?.(message);
  }
}

function messageOf(value: JsonObject): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
