/** A budget of steps: proofs are bounded by work done, never by time, so that the answer is the same on every machine. */

/** The budget ran out, or a set grew past its limit: the answer is unknown. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}

/** Steps that are left. */
export class Steps {
  #left: number;
  readonly #from: Steps | undefined;

  constructor(most: number, from?: Steps) {
    this.#left = most;
    this.#from = from;
  }

  /** A budget of its own for one question; what it takes is taken from this one too. */
  share(most: number): Steps {
    return new Steps(most, this);
  }

  /** Takes steps. Throws {@link OutOfSteps} when there are not so many left. */
  spend(count: number = 1): void {
    this.#from?.spend(count);
    this.#left -= count;
    if (this.#left < 0) throw new OutOfSteps('the comparison takes more steps than are allowed');
  }
}

/** Steps of one comparison unless told. */
export const usualSteps = 400_000;
