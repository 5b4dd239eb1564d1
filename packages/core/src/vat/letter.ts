/** A message on its way to an actor. */
import type { DeadReason } from '../ground/index.js';
import type { TurnContext } from './actor.js';
import type { Gate } from './gate.js';
import type { TurnEnd } from './turn.js';

/** The turns that wait for each other in one chain of calls, the nearest first. */
export interface Waiting {
  readonly turn: object;
  readonly up: Waiting | undefined;
}

/** One message. Settled exactly once. */
export interface Letter {
  /** Of a reference that stands for one method of an actor, that one once it is on its way. */
  method: string;
  /** Becomes what the actor has accepted of it. */
  args: unknown;
  readonly context: TurnContext;
  /** All that it came through, inherited from the turn that sent it or passed on its own way. */
  gates: readonly Gate[];
  /** Who waits for its end. */
  readonly chain: Waiting | undefined;
  /** Asked last in the step in which the turn starts; false: the turn is not made. */
  readonly atTurn?: () => boolean;
  started: boolean;
  settle(end: TurnEnd): void;
}

/** Whether something that a message came through was revoked. */
export function revokedGate(gates: readonly Gate[]): 'revoked' | undefined {
  for (let at = 0; at < gates.length; at += 1) if (gates[at]?.isRevoked === true) return 'revoked';
  return undefined;
}

/** Why a message, or the turn that it made, has no authority any more: what it came through was revoked, or its call's capability died. */
export function deadLetter({ gates, context }: Pick<Letter, 'gates' | 'context'>): DeadReason | undefined {
  return revokedGate(gates) ?? (context.signal.aborted ? 'revoked' : context.lives?.());
}
