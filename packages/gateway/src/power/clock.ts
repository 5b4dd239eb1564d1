/** The clock power: what time it is, and waiting. */
import { type Clock, systemClock } from '@pawl/core';
import type { Grant, PowerPort } from './port.js';
import { PowerFailure, revoked } from './refusal.js';

/** A power over time. */
export interface ClockPower {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds that only grow. */
  elapsed(): number;
  /** Settles after so many milliseconds, at most a day; rejects when the power is taken back meanwhile. */
  sleep(milliseconds: number): Promise<void>;
}

/** What a clock power is made from. */
export interface ClockOptions {
  readonly port: PowerPort;
  readonly clock?: Clock;
}

const longestMs = 86_400_000;

/** Grants a clock. */
export function grantClock({ port, clock = systemClock }: ClockOptions): Grant<ClockPower> {
  const end = new AbortController();
  const guard = (): void => {
    end.signal.throwIfAborted();
    port.guard();
  };
  const power: ClockPower = {
    now: () => {
      guard();
      return clock.wall();
    },
    elapsed: () => {
      guard();
      return clock.monotonic();
    },
    sleep: async (milliseconds) => {
      guard();
      if (!(milliseconds >= 0 && milliseconds <= longestMs))
        throw new PowerFailure('bad_request', 'the time to sleep is not between 0 and a day');
      await slept(milliseconds, end.signal);
      guard();
    },
  };
  return Object.freeze({
    power: Object.freeze(power),
    revoke: async () => end.abort(revoked()),
  });
}

function slept(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const over = (): void => {
      signal.removeEventListener('abort', aborted);
      done();
    };
    const timer = setTimeout(over, milliseconds);
    const aborted = (): void => {
      clearTimeout(timer);
      fail(revoked());
    };
    signal.addEventListener('abort', aborted, { once: true });
  });
}
