/** What an actor is made of: a behaviour that takes turns. */
import type { CallId } from '../ground/index.js';

/** What a turn is given beside its message. */
export interface TurnContext {
  /** Aborted when the turn's outcome is no longer wanted, or no longer allowed. */
  readonly signal: AbortSignal;
  /** The mediated call that the turn belongs to. */
  readonly call: CallId;
}

/** What an actor does. It holds the powers it was constructed with and no others. */
export interface Behaviour {
  /** Turns that may run at the same time: 1 for an actor with state, `Infinity` for one without. Read once, at spawn. */
  readonly parallel: number;
  /**
   * One turn. `args` belongs to the sender and is frozen. What it returns, or what its promise brings, is the turn's value; what
   * it throws is the turn's error.
   */
  turn(method: string, args: unknown, context: TurnContext): unknown;
}
