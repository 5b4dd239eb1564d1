/** What every power is joined to its caller by: it asks before each use whether it still may. */
import type { TurnPort } from '@pawl/core';

/** Asks whether the turn and the capability that a use belongs to still live. */
export interface PowerPort {
  /** Throws a denial when they do not. Called at each use, and again before each step that changes something. */
  guard(): void;
}

/** A power, and the way to take it back. Whoever holds the power alone cannot revoke it, and nobody else can use it. */
export interface Grant<Power> {
  /** Frozen, without state that shows. Spawned with it, an actor's uses stop with the turns that they are made in. */
  readonly power: Power;
  /** After it returns no use begins or changes anything; settles when what the power held open is closed. */
  revoke(): Promise<void>;
}

/** Asks the turn too, where there is one. */
export function alsoAsking(port: PowerPort, turn: TurnPort | undefined): () => void {
  return () => {
    port.guard();
    turn?.guard();
  };
}

/** Aborted when any of them is. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const some = signals.filter((signal) => signal !== undefined);
  const [only] = some;
  return some.length === 1 && only !== undefined ? only : AbortSignal.any(some);
}
