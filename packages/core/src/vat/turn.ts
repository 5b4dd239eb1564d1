/** Turns as their senders see them. */
import type { TurnContext } from './actor.js';

/** How a turn ended. Only `not-started` says that the behaviour was never called. */
export type TurnEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'not-started'; readonly why: 'refused' | 'stopped' };

/** One turn that was asked for. */
export interface Turn {
  /** Whether the behaviour was called. Known when `send` returns if the actor was free; becomes true later if it was not. */
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
