/** One `tools/call` over HTTP: a JSON answer, or a stream of events once there is something to tell before it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@pawl/core';
import { sendJson } from './http-body.js';

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** What the client said it reads. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Reads `Accept`; absent means anything. */
export function acceptedBy(request: IncomingMessage): Accepted {
  const accept = request.headers.accept?.toLowerCase() ?? '*/*';
  const any = accept.includes('*/*');
  return {
    json: any || accept.includes('application/json') || accept.includes('application/*'),
    events: any || accept.includes('text/event-stream') || accept.includes('text/*'),
  };
}

/** The answer to one call while it is awaited. */
export class CallResponse {
  readonly #response: ServerResponse;
  readonly #accepted: Accepted;
  readonly #since: number;

  constructor(response: ServerResponse, accepted: Accepted, now: number) {
    this.#response = response;
    this.#accepted = accepted;
    this.#since = now;
    if (!accepted.json) this.#open();
  }

  /** Whether progress can be told. */
  get streams(): boolean {
    return this.#accepted.events;
  }

  /** Tells something before the answer; opens the stream if the client reads streams, else it is lost. */
  tell(text: string): void {
    if (!this.#accepted.events || this.#response.destroyed || this.#response.writableEnded) return;
    this.#open();
    this.#response.write(event(text));
  }

  /** Sends the answer and ends. */
  answer(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (this.#response.headersSent) this.#response.end(event(text));
    else sendJson(this.#response, 200, text);
  }

  /** Keeps a long wait alive: a client that has heard nothing for `afterMs` gets a comment on an open stream. */
  keepAlive(now: number, afterMs: number): void {
    if (!this.#accepted.events || now - this.#since < afterMs || this.#response.writableEnded) return;
    this.#open();
    this.#response.write(': waiting\n\n');
  }

  #open(): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, streamHeaders);
  }
}

function event(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/** Milliseconds between comments to clients that wait. */
const keepAliveMs = 15_000;

/** The calls that are awaited over HTTP, kept alive by one timer. */
export class AwaitedCalls {
  readonly #clock: Clock;
  readonly #awaited = new Set<CallResponse>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = setInterval(() => this.#sweep(), keepAliveMs);
    this.#timer.unref();
  }

  /** Begins one. */
  begin(response: ServerResponse, accepted: Accepted): CallResponse {
    const call = new CallResponse(response, accepted, this.#clock.monotonic());
    this.#awaited.add(call);
    return call;
  }

  /** Forgets one that is answered or gone. */
  end(call: CallResponse): void {
    this.#awaited.delete(call);
  }

  /** Stops the timer. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const call of this.#awaited) call.keepAlive(now, keepAliveMs);
  }
}
