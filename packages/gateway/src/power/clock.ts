/** The clock power: what time it is, and waiting. */
import { type Clock, type TurnPort, stopsWithTurns, systemClock } from '@pawl/core';
import { type Grant, type PowerPort, alsoAsking, anyOf } from './port.js';
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
  const power = clockIn({ port, clock, end: end.signal }, undefined);
  stopsWithTurns(power, (turn) => clockIn({ port, clock, end: end.signal }, turn));
  return Object.freeze({ power, revoke: async () => end.abort(revoked()) });
}

interface ClockParts extends Required<ClockOptions> {
  readonly end: AbortSignal;
}

function clockIn({ port, clock, end }: ClockParts, turn: TurnPort | undefined): ClockPower {
  const ask = alsoAsking(port, turn);
  const guard = (): void => {
    end.throwIfAborted();
    ask();
  };
  return Object.freeze({
    now: () => {
      guard();
      return clock.wall();
    },
    elapsed: () => {
      guard();
      return clock.monotonic();
    },
    sleep: async (milliseconds: number) => {
      guard();
      if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= longestMs))
        throw new PowerFailure('bad_request', 'the time to sleep is not between 0 and a day');
      const signal = anyOf(end, turn?.signal);
      await slept(milliseconds, signal);
      guard();
    },
  });
}

/** Ends early when the signal is aborted: what that means is for the guard to say. */
function slept(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const over = (): void => {
      signal.removeEventListener('abort', aborted);
      done();
    };
    const timer = setTimeout(over, milliseconds);
    const aborted = (): void => {
      clearTimeout(timer);
      done();
    };
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
  });
}
