/** One client on a pair of line streams: stdio of `wrap`, or a connection to the agents socket. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { own } from '@pawl/core';
import { errorText, invalidText } from '../answer.js';
import type { Caller } from '../call.js';
import { Questions, showsQuestions } from '../elicitation.js';
import type { Elicit } from '../asking.js';
import { type Era, claimsModern, envelopeError } from '../era.js';
import { FedTransport } from '../fed-transport.js';
import {
  type InvalidFrame,
  type NotificationFrame,
  type RequestFrame,
  decodeFrame,
  maxFrameBytes,
  oversizeFrame,
} from '../frame.js';
import type { Rejection } from '../gate.js';
import { type HandshakeOptions, handshakeServer } from '../handshake.js';
import { InFlight } from '../in-flight.js';
import { LineReader, LineWriter } from '../line.js';
import { type SkillAnswers, skillAnswers } from '../skills/index.js';
import { notificationSurface, requestSurface } from '../surface.js';
import { closedSurface, invalidParams, invalidRequest } from '../wire-error.js';

/** What a connection is made from. The streams stay the caller's: they are read and written, never ended. */
export interface LinesOptions extends HandshakeOptions {
  readonly caller: Caller;
  readonly input: Readable;
  readonly output: Writable;
}

/** A served connection. */
export interface LineConnection {
  /** Settles when the client is gone or {@link close} was called, after the last answer was written. */
  readonly closed: Promise<void>;
  /** Cancels what is in flight and stops reading. */
  close(): Promise<void>;
}

/** Calls of one connection that may be in flight; the input rests until one has its answer. */
const mostInFlight = 256;
/** Answers that may wait for a client that does not read. */
const mostWaiting = 8 * 1024 * 1024;
/** Milliseconds that a client which has closed its input may still wait for answers. */
const graceMs = 10_000;

/** Serves one client until its input ends; answers of calls then in flight are still written, for ten seconds. */
export function serveLines(options: LinesOptions): LineConnection {
  const connection = new Connection(options);
  return { closed: connection.closed, close: () => connection.end('the gateway is closing') };
}

class Connection {
  readonly closed: Promise<void>;
  readonly #options: LinesOptions;
  readonly #writer: LineWriter;
  readonly #calls = new InFlight();
  readonly #sdk: FedTransport;
  readonly #served: { close(): Promise<void> };
  readonly #questions = new Questions();
  readonly #skills: SkillAnswers;
  /** Whether the client of the legacy era said that it shows questions. */
  #showsQuestions = false;
  #era: Era | undefined;
  #ending: Promise<void> | undefined;
  #settleClosed: () => void = () => undefined;

  constructor(options: LinesOptions) {
    const { input, output } = options;
    this.#options = options;
    this.#skills = skillAnswers(options.gate, options.self);
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve));
    this.#writer = new LineWriter(output, mostWaiting);
    this.#sdk = new FedTransport((message) => this.#writer.write(JSON.stringify(message)));
    this.#served = serveStdio(() => handshakeServer(options), { transport: this.#sdk });
    const reader = new LineReader(maxFrameBytes, {
      line: (bytes) => this.#line(bytes),
      oversize: () => this.#invalid(oversizeFrame),
    });
    input.on('data', (chunk: Buffer) => this.#read(reader, chunk));
    input.once('end', () => void this.#drain());
    input.once('close', () => {
      if (!input.readableEnded) void this.end('the connection ended');
    });
    output.once('close', () => void this.end('the connection ended'));
    for (const stream of [input, output]) stream.once('error', () => void this.end('the connection broke'));
    output.on('drain', () => this.#rest());
    input.resume();
  }

  end(why: string): Promise<void> {
    this.#ending ??= this.#end(why);
    return this.#ending;
  }

  async #end(why: string): Promise<void> {
    this.#options.input.pause();
    this.#calls.cancelAll(why);
    await this.#served.close();
    this.#writer.flush();
    this.#settleClosed();
  }

  async #drain(): Promise<void> {
    const timer = setTimeout(() => void this.end('the client stopped waiting'), graceMs);
    timer.unref();
    await this.#calls.idle();
    await this.#sdk.settled();
    clearTimeout(timer);
    await this.end('the connection ended');
  }

  #read(reader: LineReader, chunk: Buffer): void {
    if (this.#ending === undefined) reader.push(chunk);
    this.#rest();
  }

  /** Rests while too much is in flight or unread, so that a client cannot make the gateway hold more. */
  #rest(): void {
    const { input } = this.#options;
    const full = this.#calls.size >= mostInFlight || this.#writer.stalled;
    if (full === input.isPaused() || this.#ending !== undefined) return;
    if (full) input.pause();
    else input.resume();
  }

  #line(bytes: Buffer): void {
    const frame = decodeFrame(bytes, this.#questions.isAwaited);
    if (frame.kind === 'request') this.#request(frame);
    else if (frame.kind === 'notification') this.#notification(frame);
    else if (frame.kind === 'response') this.#questions.take(frame);
    else this.#invalid(frame);
  }

  #invalid(frame: InvalidFrame): void {
    this.#rejected('malformed_arguments', frame.message);
    this.#writer.write(invalidText(frame));
  }

  #rejected(code: Rejection['code'], why: string): void {
    const { gate, session } = this.#options;
    gate.rejected({ session, code, why });
  }

  /** The first message that is no probe fixes the era of the connection, as the specification's stdio binding has it. */
  #eraOf({ method, params }: RequestFrame | NotificationFrame): Era {
    if (this.#era !== undefined) return this.#era;
    const era = claimsModern(params) ? 'modern' : 'legacy';
    if (method !== 'server/discover' && !method.startsWith('notifications/')) this.#era = era;
    return era;
  }

  #notification(frame: NotificationFrame): void {
    const surface = notificationSurface(this.#eraOf(frame), frame.method);
    if (surface === 'cancel') this.#calls.cancel(own(frame.params, 'requestId'));
    else if (surface === 'sdk') this.#sdk.feed(frame);
  }

  #request(frame: RequestFrame): void {
    const era = this.#eraOf(frame);
    const surface = requestSurface(era, frame.method);
    if (frame.method === 'initialize')
      this.#showsQuestions = showsQuestions(own(frame.params, 'capabilities'));
    if (surface === 'call') {
      void this.#call(frame, era);
    } else if (surface === 'skills' && this.#skills.isOpen(frame, this.#options.session)) {
      void this.#readSkill(frame, era);
    } else if (surface !== 'sdk') {
      this.#rejected('surface_closed', `method ${frame.method.slice(0, 64)}`);
      this.#writer.write(errorText(frame.id, closedSurface(frame.method)));
    } else if (!this.#sdk.feed(frame)) {
      this.#writer.write(errorText(frame.id, { code: invalidParams, message: 'params: malformed' }));
    }
  }

  async #readSkill(frame: RequestFrame, era: Era): Promise<void> {
    const begun = this.#begin(frame, era);
    if (begun === undefined) return;
    const text = await this.#skills.answer(frame, { session: this.#options.session, era });
    if (this.#calls.end(frame.id)) this.#writer.write(text);
    this.#rest();
  }

  /** Notes a request as in flight; undefined where it was answered with what is wrong with it. */
  #begin({ id, params }: RequestFrame, era: Era): AbortSignal | undefined {
    const wrong = era === 'modern' ? envelopeError(params) : undefined;
    const signal = wrong === undefined ? this.#calls.begin(id) : undefined;
    if (signal !== undefined) return signal;
    this.#writer.write(errorText(id, wrong ?? { code: invalidRequest, message: 'the id is in use' }));
    return undefined;
  }

  async #call(frame: RequestFrame, era: Era): Promise<void> {
    const { id } = frame;
    const signal = this.#begin(frame, era);
    if (signal === undefined) return;
    const { caller, session } = this.#options;
    const notify = (text: string): void => {
      if (!signal.aborted) this.#writer.write(text);
    };
    const elicit: Elicit = (params, asked) => this.#questions.ask({ params, tell: notify, signal: asked });
    const asks = era === 'legacy' && this.#showsQuestions ? { elicit } : {};
    const text = await caller.answer(frame, { session, era, signal, notify, ...asks });
    if (this.#calls.end(id)) this.#writer.write(text);
    this.#rest();
  }
}
