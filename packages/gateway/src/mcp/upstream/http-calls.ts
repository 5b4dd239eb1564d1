/** The calls to a server over HTTP: each is posted once, and settles with its answer or with what is known of it. */
import { type Clock, type Fault, fault } from '@pawl/core';
import type { Era } from '../era.js';
import { type RawResult, tooLarge, unreadable } from '../result.js';
import { type AnswerLine, idInExcerpts, readAnswerLine } from './answer-line.js';
import { CallTable } from './calls.js';
import { HttpCall, type HttpCallOptions } from './http-call.js';
import type { End } from './http-exchange.js';
import { refusalText } from './trouble.js';
import { oneLine } from './one-line.js';
import type { UpstreamCall, UpstreamCallOptions } from './upstream.js';

/** What the calls of one session are made from. */
export interface HttpCallsOptions {
  readonly clock: Clock;
  readonly maxBytes: () => number;
  readonly era: () => Era;
  readonly goOn: NonNullable<HttpCallOptions['goOn']>;
  /** Tells a server of before 2026-07-28 that nobody waits for a call any more. */
  readonly cancel: (id: number, reason: string) => void;
  /** Takes a message that is no answer. */
  readonly stray: (text: Buffer, line: AnswerLine) => void;
  readonly noise: (bytes: number) => void;
  /** A call could not be sent. */
  readonly unsent: (why: string) => void;
  /** Whether the server has a session for Pawl that it would answer 404 for once it has not. */
  readonly hasSession: () => boolean;
  readonly sessionEnded: () => void;
  /** Looks whether the server is still there; settles when that is known, and when what is not there has been told. */
  readonly look: () => Promise<void>;
}

/** Posts a call under its id. */
export type PostCall = (id: number) => HttpCallOptions['post'];

/** Milliseconds that a server may take to end a stream after its answer, and after the call was given up. */
const lingerMs = 2000;
const givenUpMs = 30_000;
const notSent = 'the server cannot be reached; the call was not sent';
const brokenOff = 'the server broke off before it answered; it may or may not have acted';

/** The calls. */
export class HttpCalls {
  readonly #options: HttpCallsOptions;
  readonly #table: CallTable;
  readonly #open = new Map<number, HttpCall>();
  /** Whether any call was answered. */
  hasAnswered = false;

  constructor(options: HttpCallsOptions) {
    this.#options = options;
    const cancel = (id: number, reason: string): void => this.#cancel(id, reason);
    this.#table = new CallTable({ clock: options.clock, cancel });
  }

  /** Whether any call may still be answered on a stream that is open. */
  get isAnyOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Posts a call. */
  begin(post: PostCall, options: UpstreamCallOptions): UpstreamCall {
    const { id, answer } = this.#table.begin(options);
    const { era, goOn, noise } = this.#options;
    const call = new HttpCall({
      post: post(id),
      goOn: era() === 'legacy' ? goOn : undefined,
      message: (text) => this.#heard(id, text),
      oversize: (head, tail, length, isWhole) => {
        const isOurs = isWhole || idInExcerpts(head, tail) === id;
        if (!isOurs || !this.#settle(id, tooLarge(this.#options.maxBytes()))) noise(length);
      },
      noise,
      ended: (end) => this.#ended(id, end),
    });
    if (call.unsent === undefined) this.#open.set(id, call);
    else this.#notSent(id, call.unsent);
    return { handedOver: call.unsent === undefined, answer };
  }

  /** Passes on what the server says of a call that it works on. */
  progress(...[id, progress]: Parameters<CallTable['progress']>): void {
    this.#table.progress(id, progress);
  }

  /** Settles everything: the server is gone and may have acted; `bySelf` unless Pawl left it. */
  loseAll(why: string, bySelf: boolean): void {
    for (const call of this.#open.values()) call.stop();
    this.#open.clear();
    this.#table.loseAll(why, bySelf);
  }

  #settle(id: number, answer: RawResult | Fault): boolean {
    this.#open.get(id)?.answered(lingerMs);
    return this.#table.settle(id, oneLine(answer));
  }

  #heard(id: number, text: Buffer): void {
    const line = readAnswerLine(text);
    if (line.kind !== 'answer' || line.id !== id) return this.#options.stray(text, line);
    this.hasAnswered = true;
    if (this.#table.has(id)) return void this.#settle(id, line.read(this.#options.maxBytes()));
    this.#table.heardLate(id);
    return this.#options.stray(text, line);
  }

  /** A call that nobody waits for any more. One that no connection has taken yet never leaves. */
  #cancel(id: number, reason: string): void {
    const call = this.#open.get(id);
    if (call === undefined) return;
    if (call.isSent && this.#options.era() === 'legacy') {
      this.#options.cancel(id, reason);
      return call.answered(givenUpMs);
    }
    this.#open.delete(id);
    // To a 2026-07-28 server the end of the request says that it is cancelled.
    call.stop();
    if (!call.isSent) this.#table.settle(id, fault('upstream_gone', notSent, reason));
  }

  #ended(id: number, end: End): void {
    this.#open.delete(id);
    if (end.status === 404 && this.#options.hasSession()) return this.#options.sessionEnded();
    if (!this.#table.has(id)) return this.#table.heardLate(id);
    if (!end.isSent) return this.#notSent(id, end.why ?? notSent);
    const line = end.text === undefined ? undefined : readAnswerLine(end.text);
    if (line?.kind === 'answer' && line.id === id) {
      this.#settle(id, line.read(this.#options.maxBytes()));
      return undefined;
    }
    return this.#unanswered(id, end);
  }

  #unanswered(id: number, { status, why, isStream }: End): void {
    const isBroken = status === undefined || status >= 500 || isStream;
    if (isBroken) return void this.#lost(id, why ?? 'the stream ended');
    const { detail, ...rest } = unreadable();
    const answer =
      status >= 300
        ? fault('outcome_unknown', refusalText(status), why)
        : { ...rest, detail: why ?? detail ?? `HTTP ${status} without an answer` };
    this.#settle(id, answer);
    if (status >= 300) void this.#options.look();
    return undefined;
  }

  /** Settles when it is known whether the server is there: if it is not, everything has been settled by then. */
  async #lost(id: number, why: string): Promise<void> {
    await this.#options.look();
    this.#settle(id, Object.freeze({ ...fault('outcome_unknown', brokenOff, why), lost: true as const }));
  }

  #notSent(id: number, why: string): void {
    this.#settle(id, fault('upstream_gone', notSent, why));
    this.#options.unsent(why);
  }
}
