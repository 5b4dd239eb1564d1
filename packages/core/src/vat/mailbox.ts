/** A mailbox: the turns of one actor, first come, first served, never more at once than it bears. */
import { type Denial, denial, wordsOf } from '../ground/index.js';
import type { Behaviour } from './actor.js';
import { type Letter, type Waiting, deadLetter, revokedGate } from './letter.js';
import type { Receiver } from './ref.js';
import { comesBack, dead } from './refusals.js';
import { type TurnEnd, refused, refusedFor, stopped } from './turn.js';

/** What takes the turns of a mailbox. */
export interface Runner {
  /** Takes the message's arguments as they are to be kept, or says why not. In the step of the sending; never throws. */
  accept(letter: Letter): Denial | undefined;
  /** Makes the turn up to its first wait, and tells the mailbox of its end once, perhaps before it returns. Never throws. */
  run(letter: Letter, mailbox: Mailbox): void;
  /** Running turns that have called somebody, and who has not answered them. */
  waiting(): Iterable<WaitingTurn>;
}

/** A turn that waits for others. */
export interface WaitingTurn {
  readonly turn: object;
  readonly on: readonly Receiver[];
}

/** The turns of one actor. */
export class Mailbox implements Receiver {
  readonly #runner: Runner;
  readonly #parallel: number;
  readonly #waiting: Letter[] = [];
  #running = 0;
  #deciding = false;
  #stopped = false;

  /** `parallel` is a whole number of at least 1, or `Infinity`. */
  constructor(runner: Runner, parallel: number) {
    this.#runner = runner;
    this.#parallel = parallel;
  }

  /** Takes a message. With a free actor its turn starts before this returns. */
  enter(letter: Letter): void {
    if (this.#stopped) return letter.settle(stopped);
    const problem = this.#runner.accept(letter);
    if (problem !== undefined) return letter.settle(refusedFor(problem));
    if (letter.chain !== undefined && this.#isAwaitedBy(letter.chain)) {
      return letter.settle(refusedFor(comesBack));
    }
    if (this.#isFree() && !this.#deciding) return this.#begin(letter);
    this.#waiting.push(letter);
    this.#drain();
  }

  /** No turn starts afterwards; waiting ones are dropped, running ones finish. Further calls do nothing. */
  stop(): void {
    this.#stopped = true;
    for (const letter of this.#waiting.splice(0)) letter.settle(stopped);
  }

  /** The end of a running turn, told by the runner. */
  ended(letter: Letter, end: TurnEnd): void {
    this.#running -= 1;
    letter.settle(end);
    if (this.#waiting.length > 0) this.#drain();
  }

  /** INVARIANT(S001.no-re-entrance): whether a message of this chain would wait for turns that wait for the chain. */
  #isAwaitedBy(chain: Waiting): boolean {
    if (this.#isFree()) return false;
    const turns = new Set<object>();
    for (let at: Waiting | undefined = chain; at !== undefined; at = at.up) turns.add(at.turn);
    return this.#isStuck(turns, new Set());
  }

  /** Whether every running turn is one of these, or waits for somebody who is stuck so. */
  #isStuck(turns: ReadonlySet<object>, seen: Set<Receiver>): boolean {
    if (this.#isFree() || seen.has(this)) return false;
    seen.add(this);
    const stuck = [...this.#runner.waiting()].filter(
      ({ turn, on }) =>
        turns.has(turn) || on.some((other) => other instanceof Mailbox && other.#isStuck(turns, seen)),
    );
    return stuck.length >= this.#running;
  }

  /** Whether a message would start its turn at once. */
  #isFree(): boolean {
    return this.#running < this.#parallel && this.#waiting.length === 0;
  }

  /** Starts waiting turns, oldest first. While a turn is being decided on, none overtakes it. */
  #drain(): void {
    while (!this.#deciding && this.#running < this.#parallel) {
      const letter = this.#waiting.shift();
      if (letter === undefined) return;
      this.#begin(letter);
    }
  }

  /** INVARIANT(P.lastcheck.synchronous): runs up to the behaviour's first await in the step in which it was decided on. */
  #begin(letter: Letter): void {
    this.#deciding = true;
    const no = decide(letter);
    this.#deciding = false;
    if (this.#stopped) return letter.settle(stopped);
    if (no !== undefined) return letter.settle(no);
    letter.started = true;
    this.#running += 1;
    this.#runner.run(letter, this);
  }
}

/** INVARIANT(S001.revoked-is-over): what a message came through is asked in the step in which its turn starts. */
function decide(letter: Letter): TurnEnd | undefined {
  const { gates, method, args, atTurn } = letter;
  try {
    const reason = atTurn === undefined ? deadLetter(letter) : revokedGate(gates);
    if (reason !== undefined) return refusedFor(dead(reason));
    for (let at = 0; at < gates.length; at += 1) {
      const refusal = gates[at]?.judge?.(method, args);
      if (refusal !== undefined) return refusedFor(refusal);
    }
  } catch (error) {
    return refusedFor(undecided(error));
  }
  return atTurn === undefined || asked(atTurn) ? undefined : refused;
}

function asked(atTurn: () => boolean): boolean {
  try {
    return atTurn();
  } catch {
    return false;
  }
}

function undecided(error: unknown): Denial {
  return denial({
    code: 'not_permitted',
    layer: 'capability',
    message: 'Whether the message may pass could not be told, so it does not. Tell the operator.',
    detail: wordsOf(error),
  });
}

/** The runner of an untyped behaviour. */
export class PlainRunner implements Runner {
  readonly #behaviour: Behaviour;

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
  }

  accept(): undefined {
    return undefined;
  }

  waiting(): Iterable<WaitingTurn> {
    return [];
  }

  run(letter: Letter, mailbox: Mailbox): void {
    void this.#run(letter).then((end) => mailbox.ended(letter, end));
  }

  async #run({ method, args, context }: Letter): Promise<TurnEnd> {
    try {
      return { kind: 'returned', value: await this.#behaviour.turn(method, args, context) };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }
}
