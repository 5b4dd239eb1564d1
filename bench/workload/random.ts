/** The random numbers of the workload: mulberry32, the same sequence for the same seed everywhere. */

/** Draws from one sequence. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** The next number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const s = this.#state;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Whether an event of this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the list, which is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** A word of lower-case letters and digits. */
  word(length: number): string {
    return Array.from({ length }, () => this.pick(letters)).join('');
  }
}

const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');
