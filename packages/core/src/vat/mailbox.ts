/** A mailbox: the turns of one actor, first come, first served, never more at once than it bears. */
import type { Behaviour } from './actor.js';
import type { SendOptions, Turn, TurnEnd } from './turn.js';

interface Letter {
  readonly method: string;
  readonly args: unknown;
  readonly options: SendOptions;
  readonly state: { started: boolean };
  readonly settle: (end: TurnEnd) => void;
}

const refused: TurnEnd = Object.freeze({ kind: 'not-started', why: 'refused' });
const stopped: TurnEnd = Object.freeze({ kind: 'not-started', why: 'stopped' });

/** The turn of an actor that is not there. */
export function turnOfNobody(): Turn {
  return Object.freeze({ started: false, done: Promise.resolve(stopped) });
}

/** The turns of one actor. */
export class Mailbox {
  readonly #behaviour: Behaviour;
  readonly #parallel: number;
  readonly #waiting: Letter[] = [];
  #running = 0;
  #deciding = false;
  #stopped = false;

  /** `parallel` is a whole number of at least 1, or `Infinity`. */
  constructor(behaviour: Behaviour, parallel: number) {
    this.#behaviour = behaviour;
    this.#parallel = parallel;
  }

  /** Asks for a turn. With a free actor it starts before this returns. */
  post(method: string, args: unknown, options: SendOptions): Turn {
    if (this.#stopped) return turnOfNobody();
    const state = { started: false };
    const done = new Promise<TurnEnd>((settle) => {
      this.#waiting.push({ method, args, options, state, settle });
    });
    this.#drain();
    return Object.freeze({
      get started(): boolean {
        return state.started;
      },
      done,
    });
  }

  /** No turn starts afterwards; waiting ones are dropped, running ones finish. Further calls do nothing. */
  stop(): void {
    this.#stopped = true;
    for (const letter of this.#waiting.splice(0)) letter.settle(stopped);
  }

  /** Starts waiting turns, oldest first. While a turn is being decided on, none overtakes it. */
  #drain(): void {
    while (!this.#deciding && this.#running < this.#parallel) {
      const letter = this.#waiting.shift();
      if (letter === undefined) return;
      this.#begin(letter);
    }
  }

  #begin(letter: Letter): void {
    const allowed = this.#decide(letter.options);
    if (this.#stopped) letter.settle(stopped);
    else if (!allowed) letter.settle(refused);
    else void this.#run(letter).then(letter.settle);
  }

  #decide(options: SendOptions): boolean {
    this.#deciding = true;
    try {
      return options.atTurn();
    } catch {
      return false;
    } finally {
      this.#deciding = false;
    }
  }

  /** INVARIANT(P.lastcheck.synchronous): runs up to the behaviour's first await in the step in which it was decided on. */
  async #run({ method, args, options, state }: Letter): Promise<TurnEnd> {
    state.started = true;
    this.#running += 1;
    try {
      return { kind: 'returned', value: await this.#behaviour.turn(method, args, options.context) };
    } catch (error) {
      return { kind: 'threw', error };
    } finally {
      this.#running -= 1;
      this.#drain();
    }
  }
}
