/** Turns that have begun and wait for something, in the order of their beginning. */

/** One of them; knows its neighbours, so that it leaves at once. */
export class InHand {
  /** On the actor's clock. */
  readonly deadline: number;
  /** Ends the turn as late. */
  readonly giveUp: () => void;
  before: InHand | undefined;
  after: InHand | undefined;
  isIn = false;

  constructor(deadline: number, giveUp: () => void) {
    this.deadline = deadline;
    this.giveUp = giveUp;
  }
}

/** A list of them. */
export class InHandList {
  #first: InHand | undefined;
  #last: InHand | undefined;

  /** The one that began first. */
  get first(): InHand | undefined {
    return this.#first;
  }

  /** Adds one that begins now. */
  add(one: InHand): void {
    one.isIn = true;
    one.before = this.#last;
    if (this.#last === undefined) this.#first = one;
    else this.#last.after = one;
    this.#last = one;
  }

  /** Takes one out; further times do nothing. */
  remove(one: InHand): void {
    if (!one.isIn) return;
    one.isIn = false;
    if (one.before === undefined) this.#first = one.after;
    else one.before.after = one.after;
    if (one.after === undefined) this.#last = one.before;
    else one.after.before = one.before;
  }
}
