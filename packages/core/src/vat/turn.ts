/** Turns as their senders see them. */
import { type Denial, type Fault, isFault } from '../ground/index.js';
import type { TurnContext } from './actor.js';

/** How a turn ended. Only `not-started` says that the behaviour was never called. */
export type TurnEnd = Returned | { readonly kind: 'threw'; readonly error: unknown } | NotStarted;

/** The turn was made, and came to a value. */
export interface Returned {
  readonly kind: 'returned';
  readonly value: unknown;
  /** Of a defined actor: the value is data, whatever it says of itself. */
  readonly isData?: true;
}

/** The fault that a turn ended with; undefined for any other end. INVARIANT(S001.isolated-messages): data that looks like one is none. */
export function faultIn(end: TurnEnd): Fault | undefined {
  return end.kind === 'returned' && end.isData !== true && isFault(end.value) ? end.value : undefined;
}

/** The turn was not made. */
export interface NotStarted {
  readonly kind: 'not-started';
  /** `refused`: by the check at the turn, by what the message came through, or by the actor; `stopped`: there is no such actor. */
  readonly why: 'refused' | 'stopped';
  /** Who refused, where it was not the check at the turn. */
  readonly refusal?: Denial;
  /** Why the promise was broken that the message was sent to. */
  readonly broken?: unknown;
}

/** One turn that was asked for. */
export interface Turn {
  /** Whether the behaviour was called. Known when `post` returns if the actor was free; becomes true later if it was not. */
  readonly started: boolean;
  /** Never rejects. */
  readonly done: Promise<TurnEnd>;
}

/** What goes with a message. */
export interface SendOptions {
  readonly context: TurnContext;
  /**
   * Asked in the same synchronous step as the start of the turn, immediately before the behaviour is called. False: the turn
   * is not made. Throwing counts as false.
   */
  atTurn(): boolean;
}

/** A message that was refused with a reason. */
export function refusedFor(refusal: Denial): NotStarted {
  return { kind: 'not-started', why: 'refused', refusal };
}

/** The end of a message to nobody. */
export const stopped: NotStarted = Object.freeze({ kind: 'not-started', why: 'stopped' });
/** The end of a message that the check at the turn refused. */
export const refused: NotStarted = Object.freeze({ kind: 'not-started', why: 'refused' });
