/** How much a server may write that nobody asked for before it is ended. */
import type { Clock } from '@pawl/core';

/** Lines and bytes within one window. */
export interface StrayLimits {
  readonly lines: number;
  readonly bytes: number;
  readonly windowMs: number;
}

/** Generous for a server that logs to its output by mistake, small for one that floods it. */
export const strayLimits: StrayLimits = Object.freeze({ lines: 10_000, bytes: 16_777_216, windowMs: 10_000 });

/** Counts what a server writes besides answers to calls. */
export class StrayOutput {
  readonly #limits: StrayLimits;
  readonly #clock: Clock;
  #lines = 0;
  #bytes = 0;
  #windowEnd = Number.NEGATIVE_INFINITY;

  constructor(limits: StrayLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Counts one line; false when that was too much. */
  allows(bytes: number): boolean {
    const now = this.#clock.monotonic();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + this.#limits.windowMs;
      this.#lines = 0;
      this.#bytes = 0;
    }
    this.#lines += 1;
    this.#bytes += bytes;
    return this.#lines <= this.#limits.lines && this.#bytes <= this.#limits.bytes;
  }
}
