/** Time as a power: TTLs count on the monotonic clock, records carry the wall clock. */

/** Both clocks, in milliseconds. */
export interface Clock {
  /** Never goes back within a process; only differences mean anything. */
  monotonic(): number;
  /** Unix time; may jump. */
  wall(): number;
}

/** The clocks of this process. */
export const systemClock: Clock = Object.freeze({
  monotonic: (): number => performance.now(),
  wall: (): number => Date.now(),
});
