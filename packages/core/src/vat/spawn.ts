/** Actors come to be and end here; what stands for one outside is a reference from which nothing can be read. */
import { UsageError } from '../ground/index.js';
import type { Behaviour } from './actor.js';
import { Mailbox } from './mailbox.js';

declare const opaque: unique symbol;

/** Stands for one actor. A frozen object without members: holding it allows sending, where sending is allowed at all. */
export interface Ref {
  readonly [opaque]: never;
}

const mailboxes = new WeakMap<Ref, Mailbox>();

/** Makes an actor. Throws UsageError when `parallel` is neither a whole number of at least 1 nor `Infinity`. */
export function spawn(behaviour: Behaviour): Ref {
  const { parallel } = behaviour;
  if (!(parallel >= 1) || (parallel !== Infinity && !Number.isSafeInteger(parallel))) {
    throw new UsageError(`parallel is ${parallel}; allowed is a whole number of at least 1, or Infinity`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one constructor of this brand, which exists in types only
  const ref = Object.freeze(Object.create(null)) as Ref;
  mailboxes.set(ref, new Mailbox(behaviour, parallel));
  return ref;
}

/** Ends an actor: later turns are refused, waiting ones dropped, running ones finish. Further calls do nothing. */
export function stop(ref: Ref): void {
  mailboxes.get(ref)?.stop();
}

/** The mailbox behind a reference. For this room only; undefined for a reference that was not made here. */
export function mailboxOf(ref: Ref): Mailbox | undefined {
  return mailboxes.get(ref);
}
