/** The calls that one server has not answered yet, whatever carries the bytes. */
import { type Clock, type Fault, type JsonObject, fault } from '@pawl/core';
import type { RawResult } from '../result.js';
import type { UpstreamCallOptions } from './upstream.js';

/** Smallest id of Pawl's own requests: the SDK counts its few from 0 on the same pipe and never comes this far. */
export const firstCallId = 1_000_000;

/** What a table is made from. */
export interface CallTableOptions {
  readonly clock: Clock;
  /** Tells the server that nobody waits for this call any more. */
  readonly cancel: (id: number, reason: string) => void;
}

interface Pending {
  readonly options: UpstreamCallOptions;
  readonly settle: (answer: RawResult | Fault) => void;
  readonly onAbort: () => void;
  /** When the server was last heard of in this call, on the monotonic clock. */
  heardAt: number;
}

/** Calls given up that are remembered at the same time; many servers never answer what was cancelled. */
const mostGivenUp = 1024;

/** Milliseconds between looks for calls past their deadline; one timer for all, and none while nothing is pending. */
const sweepMs = 250;

/** Calls by id. Every call that begins settles exactly once. */
export class CallTable {
  readonly #options: CallTableOptions;
  readonly #pending = new Map<number, Pending>();
  /** Calls that nobody waits for any more and that the server may still be at work on; what to do when it is done. */
  readonly #givenUp = new Map<number, () => void>();
  #next: number = firstCallId;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: CallTableOptions) {
    this.#options = options;
  }

  /** How many calls have no answer yet. */
  get size(): number {
    return this.#pending.size;
  }

  /** Notes a call; from here on it counts as handed over. */
  begin(options: UpstreamCallOptions): { readonly id: number; readonly answer: Promise<RawResult | Fault> } {
    const id = this.#next;
    this.#next += 1;
    const answer = new Promise<RawResult | Fault>((settle) => {
      const onAbort = (): void => this.#give(id, 'the call was cancelled after it had been handed over');
      this.#pending.set(id, { options, settle, onAbort, heardAt: this.#options.clock.monotonic() });
      options.signal.addEventListener('abort', onAbort);
    });
    this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref();
    return { id, answer };
  }

  /** Whether that call waits for its answer. */
  has(id: number): boolean {
    return this.#pending.has(id);
  }

  /** Settles a call; false when no such call is pending, as for a late, repeated or foreign answer. */
  settle(id: number, answer: RawResult | Fault): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      this.#endGivenUp(id);
      return false;
    }
    this.#pending.delete(id);
    pending.options.signal.removeEventListener('abort', pending.onAbort);
    if (this.#pending.size === 0) this.#rest();
    pending.settle(answer);
    return true;
  }

  /** Notes that the server is done with a call that was given up. */
  heardLate(id: number): void {
    this.#endGivenUp(id);
  }

  /** Notes that the server still works on a call, and passes on what it says; false when no such call is pending. */
  progress(id: number, progress: JsonObject): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    pending.heardAt = this.#options.clock.monotonic();
    pending.options.onProgress?.(progress);
    return true;
  }

  /** Settles everything: the server is gone and may have acted; `bySelf` unless Pawl ended it. */
  loseAll(why: string, bySelf: boolean): void {
    const unknown = fault('outcome_unknown', lost, why);
    const gone = bySelf ? Object.freeze({ ...unknown, lost: true as const }) : unknown;
    for (const id of this.#pending.keys()) this.settle(id, gone);
    for (const id of this.#givenUp.keys()) this.#endGivenUp(id);
  }

  /** Gives up a call; `lost` where that is because nothing was heard, and not because nobody wants the answer any more. */
  #give(id: number, message: string, isLost: { readonly lost?: true } = {}): void {
    if (!this.#pending.has(id)) return;
    this.#options.cancel(id, message);
    const late = new Promise<void>((resolve) => {
      for (const [oldest, ended] of this.#givenUp) {
        if (this.#givenUp.size < mostGivenUp) break;
        this.#givenUp.delete(oldest);
        ended();
      }
      this.#givenUp.set(id, resolve);
    });
    this.settle(id, Object.freeze({ ...fault('outcome_unknown', message), late, ...isLost }));
  }

  #endGivenUp(id: number): void {
    this.#givenUp.get(id)?.();
    this.#givenUp.delete(id);
  }

  #sweep(): void {
    const now = this.#options.clock.monotonic();
    for (const [id, { options, heardAt }] of this.#pending) {
      if (now - heardAt >= options.deadlineMs) this.#give(id, late(options.deadlineMs), { lost: true });
    }
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

const lost = 'the server ended before it answered; it may or may not have acted';

function late(ms: number): string {
  return `the server gave no sign for ${ms / 1000} s; it may or may not have acted`;
}
