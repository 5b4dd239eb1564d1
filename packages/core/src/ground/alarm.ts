/** Waiting as a power: something is to happen after a while, on the monotonic clock. */

/** Rings once after a while. */
export interface Alarm {
  /** Calls `ring` after that many milliseconds unless the answer was called before; never at once. Keeps no process alive. */
  after(milliseconds: number, ring: () => void): () => void;
}

/** The timers of this process. */
export const systemAlarm: Alarm = Object.freeze({
  after: (milliseconds: number, ring: () => void): (() => void) => {
    const timer = setTimeout(ring, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
});
