/** Waiting as a power: something is to happen after a while, on the monotonic clock. */

/** Rings once after a while. */
export interface Alarm {
  /** Calls `ring` after that many milliseconds unless the answer was called before; never at once. Keeps no process alive. */
  after(milliseconds: number, ring: () => void): () => void;
}

/** The longest that a timer of the system waits; with more it rings at once. */
const longest = 2 ** 31 - 1;

/** The timers of this process. */
export const systemAlarm: Alarm = Object.freeze({
  after: (milliseconds: number, ring: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number): void => {
      timer = left > longest ? setTimeout(() => wait(left - longest), longest) : setTimeout(ring, left);
      timer.unref();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
});
