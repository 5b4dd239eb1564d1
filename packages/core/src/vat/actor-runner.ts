/** Runs the turns of a defined actor: reads arguments, keeps deadlines, commits what succeeds. */
import { type Alarm, type Clock, type Denial, CapError, wordsOf } from '../ground/index.js';
import { frozenCopy } from './data.js';
import type { Actor, Method, ReadArguments } from './define.js';
import { InHand, InHandList } from './in-hand.js';
import type { Letter } from './letter.js';
import { type Cell, type LiveTurn, beginTurn, commit, drop, isLate, waitingTurn } from './live-turn.js';
import type { Mailbox, Runner, WaitingTurn } from './mailbox.js';
import { badArguments, late, noSuchMethod } from './refusals.js';

/** Time for an actor. */
export interface Time {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly alarm: Alarm;
}

/** The runner of one actor. */
export class ActorRunner implements Runner {
  readonly #actor: Actor<never, unknown>;
  readonly #time: Time;
  readonly #cell: () => Cell;
  readonly #inHand = new InHandList();
  #armed = false;

  constructor(actor: Actor<never, unknown>, time: Time, cell: () => Cell) {
    this.#actor = actor;
    this.#time = time;
    this.#cell = cell;
  }

  accept(letter: Letter): Denial | undefined {
    const method = this.#actor.methods.get(letter.method);
    if (method === undefined) return noSuchMethod(letter.method);
    const reading = read(method, letter.args);
    if (!reading.ok) return badArguments(letter.method, reading.problem);
    letter.args = reading.args;
    return undefined;
  }

  waiting(): Iterable<WaitingTurn> {
    return [...this.#cell().waiting].map((turn) => waitingTurn(turn));
  }

  run(letter: Letter, mailbox: Mailbox): void {
    const method = this.#actor.methods.get(letter.method);
    const { deadlineMs } = this.#actor;
    const deadline = deadlineMs === Infinity ? Infinity : this.#time.clock.monotonic() + deadlineMs;
    const turn = beginTurn(this.#cell(), letter, method?.effect === 'write', deadline);
    let result: unknown;
    let promise: Promise<unknown> | undefined;
    try {
      result = runMethod(method, letter.args, turn);
      promise = promiseIn(result);
    } catch (error) {
      return fail(turn, letter, mailbox, error);
    }
    if (promise === undefined) return succeed(turn, letter, mailbox, result);
    const one = new InHand(deadline, () => fail(turn, letter, mailbox, new CapError(late)));
    this.#inHand.add(one);
    if (!this.#armed) this.#arm(deadlineMs);
    const kept = (value: unknown): void => {
      this.#inHand.remove(one);
      succeed(turn, letter, mailbox, value);
    };
    const broken = (error: unknown): void => {
      this.#inHand.remove(one);
      fail(turn, letter, mailbox, error);
    };
    try {
      void Promise.prototype.then.call(promise, kept, broken);
    } catch (error) {
      // It only looked like a promise.
      broken(error);
    }
  }

  /** One alarm for all running turns: their deadlines come in the order of their beginning. */
  #arm(milliseconds: number): void {
    if (milliseconds === Infinity) return;
    this.#armed = true;
    this.#time.alarm.after(milliseconds, () => this.#ring());
  }

  #ring(): void {
    this.#armed = false;
    const now = this.#time.clock.monotonic();
    for (let one = this.#inHand.first; one !== undefined; one = this.#inHand.first) {
      if (one.deadline > now) return this.#arm(one.deadline - now);
      this.#inHand.remove(one);
      one.giveUp();
    }
  }
}

function read(method: Method<never, unknown>, args: unknown): ReadArguments<unknown> {
  try {
    return method.args.read(args);
  } catch (error) {
    return { ok: false, problem: `the arguments cannot be read: ${wordsOf(error)}` };
  }
}

function runMethod(method: Method<never, unknown> | undefined, args: unknown, turn: LiveTurn): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method's own schema has read the arguments
  return method?.run(args as never, turn as never);
}

function succeed(turn: LiveTurn, letter: Letter, mailbox: Mailbox, result: unknown): void {
  let value: unknown;
  try {
    value = frozenCopy(result);
  } catch (error) {
    return fail(turn, letter, mailbox, error);
  }
  if (isLate(turn)) return fail(turn, letter, mailbox, new CapError(late));
  if (commit(turn)) mailbox.ended(letter, { kind: 'returned', value, isData: true });
}

function fail(turn: LiveTurn, letter: Letter, mailbox: Mailbox, error: unknown): void {
  if (drop(turn, error)) mailbox.ended(letter, { kind: 'threw', error });
}

/**
 * The promise that a result is; undefined for one that is none. What has anything of its own, or only says that it is a promise, becomes
 * one: its `then` is the method's code, and may do anything.
 */
function promiseIn(result: unknown): Promise<unknown> | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  if (isPlainPromise(result)) return result;
  return 'then' in result ? new Promise((resolve) => resolve(result)) : undefined;
}

function isPlainPromise(result: object): result is Promise<unknown> {
  return (
    Object.getPrototypeOf(result) === Promise.prototype &&
    !Object.hasOwn(result, 'then') &&
    !Object.hasOwn(result, 'constructor')
  );
}
