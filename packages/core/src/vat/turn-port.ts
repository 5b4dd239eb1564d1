/** The turn of an untyped actor, as powers see one. */
import { CapError } from '../ground/index.js';
import type { TurnContext } from './actor.js';
import type { TurnPort } from './power.js';
import { dead } from './refusals.js';

/** What a behaviour gives to powers that stop with turns: they stop when its call is cancelled, and when the call's capability dies. */
export function turnPort({ call, signal, lives }: TurnContext): TurnPort {
  const guard = (): void => {
    const reason = signal.aborted ? 'revoked' : lives?.();
    if (reason !== undefined) throw new CapError(dead(reason));
  };
  return Object.freeze({ call, guard, signal });
}
