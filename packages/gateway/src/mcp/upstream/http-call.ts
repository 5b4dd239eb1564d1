/** One call over HTTP: its request, and the streams on which its answer may come. */
import type { End, Exchange, ExchangeSink } from './http-exchange.js';

/** What a call is made from. */
export interface HttpCallOptions {
  /** Posts the call; a text: why nothing was sent. */
  readonly post: (sink: ExchangeSink) => Exchange | string;
  /** Goes on with its stream after that event; undefined where that cannot be. */
  readonly goOn: ((lastEventId: string, sink: ExchangeSink) => Exchange | string) | undefined;
  readonly message: (text: Buffer) => void;
  readonly oversize: ExchangeSink['oversize'];
  readonly noise: (bytes: number) => void;
  /** Once, and last: every stream of it has ended. */
  readonly ended: (end: End) => void;
}

const leastPauseMs = 250;
const mostPauseMs = 30_000;
/** Streams that may bring no event before the call is given up. */
const mostInVain = 5;

/** Reads until the answer came: a server may close the stream and have it gone on with. The call itself is posted once. */
export class HttpCall {
  readonly #options: HttpCallOptions;
  /** Why nothing was sent; undefined while it is on its way. */
  readonly unsent: string | undefined;
  #exchange: Exchange | undefined;
  #wasSent = false;
  #lastEventId: string | undefined;
  #isDone = false;
  #inVain = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HttpCallOptions) {
    this.#options = options;
    const posted = options.post(this.#sink());
    if (typeof posted === 'string') this.unsent = posted;
    else this.#exchange = posted;
  }

  /** Whether its bytes may have left. */
  get isSent(): boolean {
    return this.#wasSent || (this.#exchange?.isSent ?? false);
  }

  /** Ends it; nothing is handed on any more. */
  stop(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#exchange?.breakOff();
  }

  /** The answer is there: nothing is gone on with, and the server may end its stream for so long. */
  answered(lingerMs: number): void {
    this.#isDone = true;
    this.#timer = setTimeout(() => this.#exchange?.breakOff(), lingerMs).unref();
  }

  #sink(): ExchangeSink {
    const { message, oversize, noise } = this.#options;
    return { message, oversize, noise, ended: (end) => this.#ended(end) };
  }

  #ended(end: End): void {
    clearTimeout(this.#timer);
    const { goOn, ended } = this.#options;
    this.#wasSent ||= end.isSent;
    const seen = this.#exchange?.lastEventId;
    this.#inVain = seen !== undefined && seen !== this.#lastEventId ? 0 : this.#inVain + 1;
    this.#lastEventId = seen ?? this.#lastEventId;
    const isLast = this.#isDone || goOn === undefined || this.#inVain > mostInVain;
    if (isLast || this.#lastEventId === undefined) return ended({ ...end, isSent: this.#wasSent });
    const pause = Math.min(Math.max(this.#exchange?.retryMs ?? 0, leastPauseMs), mostPauseMs);
    this.#timer = setTimeout(() => this.#resume(goOn, end), pause).unref();
    return undefined;
  }

  #resume(goOn: NonNullable<HttpCallOptions['goOn']>, end: End): void {
    if (this.#isDone || this.#lastEventId === undefined) return;
    const next = goOn(this.#lastEventId, this.#sink());
    if (typeof next === 'string') return this.#options.ended({ ...end, isSent: true });
    this.#exchange = next;
  }
}
