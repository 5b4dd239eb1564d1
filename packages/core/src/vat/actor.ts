/** What an actor is made of, seen from below: something that takes turns, and what goes with a turn. */
import type { CallId, DeadReason } from '../ground/index.js';

/** What a turn is given beside its message. */
export interface TurnContext {
  /** Aborted when the turn's outcome is no longer wanted, or no longer allowed. */
  readonly signal: AbortSignal;
  /** The mediated call that the turn belongs to. */
  readonly call: CallId;
  /** Why the capability of that call authorises nothing any more; undefined while it lives. Absent: nothing can end it. */
  readonly lives?: () => DeadReason | undefined;
}

/** What an actor does, untyped: for actors that stand for something outside, as a tool of a server. Others are defined by `defineActor`. */
export interface Behaviour {
  /** Turns that may run at the same time: 1 for an actor with state, `Infinity` for one without. Read once, at spawn. */
  readonly parallel: number;
  /**
   * One turn. `args` belongs to the sender and is frozen. What it returns, or what its promise brings, is the turn's value; what
   * it throws is the turn's error.
   */
  turn(method: string, args: unknown, context: TurnContext): unknown;
}
