/** Size limits of automata and the error that says one was reached. */

/** Most states that any automaton may have, while it is built and when it is done. */
export const maxStates = 20_000;

/** Most product states that a lazy question may visit: admission asks them, so this bounds how long a call can hold up others. */
export const maxWalk = 20_000;

/** An automaton (or an exact set built from them) would grow past its limit; readers turn it into a load problem. */
export class TooManyStates extends Error {
  override readonly name = 'TooManyStates';
  /** The limit that was reached. */
  readonly limit: number;
  constructor(limit: number, what = 'states') {
    super(`the pattern needs more than ${limit} ${what}`);
    this.limit = limit;
  }
}
