/** The stream on which a server tells what nobody asked for: kept open, and opened again with back-off. */
import type { End, Exchange, ExchangeSink } from './http-exchange.js';

/** What a keeper is made from. */
export interface NoticesOptions {
  /** Opens the stream, or goes on with it after that event; a text: why nothing was sent. */
  readonly open: (lastEventId: string | undefined, sink: ExchangeSink) => Exchange | string;
  readonly message: (text: Buffer) => void;
  readonly noise: (bytes: number) => void;
  /** The stream is there again; what was told meanwhile is lost unless it went on where it ended. */
  readonly back: (wentOn: boolean) => void;
  /** The stream broke off, or could not be opened again. */
  readonly broken: () => void;
}

const firstMs = 1000;
const mostMs = 30_000;
/** A stream that stayed this long, in milliseconds, was a good one. */
const steadyMs = 10_000;

/** Keeps the stream. A server that has none is asked once. */
export class Notices {
  readonly #options: NoticesOptions;
  #exchange: Exchange | undefined;
  #wasOpen = false;
  #isStopped = false;
  #pauseMs = firstMs;
  #openedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
    this.#open(undefined);
  }

  /** Ends it for good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#exchange?.breakOff();
  }

  #open(from: string | undefined): void {
    const { open, message, noise, back } = this.#options;
    const again = this.#wasOpen;
    const exchange = open(from, {
      opened: () => {
        this.#wasOpen = true;
        this.#openedAt = performance.now();
        if (again) back(from !== undefined);
      },
      message,
      oversize: (_head, _tail, length) => noise(length),
      noise,
      ended: (end) => this.#ended(end),
    });
    if (typeof exchange !== 'string') this.#exchange = exchange;
    else if (again) this.#later(from);
  }

  #ended(end: End): void {
    const { lastEventId: from, retryMs } = this.#exchange ?? {};
    // A server may have no such stream at all.
    if (!this.#wasOpen || isNoStream(end)) return;
    if (performance.now() - this.#openedAt >= steadyMs) this.#pauseMs = firstMs;
    this.#options.broken();
    // One that had it and refuses now has forgotten the session, or is another one.
    if (!isRefusal(end)) this.#later(from, retryMs);
  }

  #later(from: string | undefined, wishMs = 0): void {
    if (this.#isStopped) return;
    const pause = Math.min(Math.max(this.#pauseMs, wishMs), mostMs);
    this.#timer = setTimeout(() => this.#open(from), pause).unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, mostMs);
  }
}

/** An answer, and no stream. */
function isNoStream({ status, isStream }: End): boolean {
  return status !== undefined && status < 300 && !isStream;
}

function isRefusal({ status = 0 }: End): boolean {
  return status >= 300 && status < 500 && status !== 429;
}
