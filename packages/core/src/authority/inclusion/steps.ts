/** A budget of steps: proofs are bounded by work done, never by time, so that the answer is the same on every machine. */

/** The budget ran out, or a set grew past its limit: the answer is unknown. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}

/** Steps that are left. */
export class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Takes steps. Throws {@link OutOfSteps} when there are not so many left. */
  spend(count: number = 1): void {
    this.#left -= count;
    if (this.#left < 0) throw new OutOfSteps('the comparison takes more steps than are allowed');
  }
}

/** Steps of one comparison unless told. */
export const usualSteps = 400_000;
