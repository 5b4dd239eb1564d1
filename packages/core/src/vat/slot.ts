/** Promised references: messages to an actor that is still to come wait here in order, and go on or break with the promise. */
import { CapError, denial } from '../ground/index.js';
import type { Letter } from './letter.js';
import type { Eventually } from './protocol.js';
import { type Receiver, type Ref, deliver, isRef, refTo, routeOf } from './ref.js';

const noReference = denial({
  code: 'no_such_cap',
  layer: 'handle',
  message: 'What was to be a reference is none, so nothing can be sent to it. Look at the result instead.',
  reason: 'unknown',
});

/** Where messages for one promised reference wait. Kept or broken once. */
export class Slot implements Receiver {
  #waiting: Letter[] = [];
  #to: Ref | undefined;
  #broken: { readonly error: unknown } | undefined;

  /** Passes on, breaks, or keeps until one of the two is known. */
  enter(letter: Letter): void {
    if (this.#to !== undefined) deliver(this.#to, letter);
    else if (this.#broken === undefined) this.#waiting.push(letter);
    else letter.settle({ kind: 'not-started', why: 'refused', broken: this.#broken.error });
  }

  /** Keeps the promise: everything that waits goes on, in order. A value that is no reference, or that leads back here, breaks it. */
  keep(value: unknown): void {
    if (!isRef(value) || this.#leadsHere(value)) return this.break(new CapError(noReference));
    this.#to = value;
    for (const letter of this.#waiting.splice(0)) deliver(value, letter);
  }

  /** Breaks the promise: everything that waits, and that comes later, ends with this error. */
  break(error: unknown): void {
    this.#broken = { error };
    for (const letter of this.#waiting.splice(0)) this.enter(letter);
  }

  /** Where it leads; undefined while that is not known. */
  get to(): Ref | undefined {
    return this.#to;
  }

  #leadsHere(ref: Ref): boolean {
    let to = routeOf(ref)?.to;
    while (to instanceof Slot) {
      if (to === this) return true;
      to = to.#to === undefined ? undefined : routeOf(to.#to)?.to;
    }
    return false;
  }
}

/** What finally takes the messages of a reference; undefined while that is not known. For this room only. */
export function receiverOf(ref: Ref): Receiver | undefined {
  let to = routeOf(ref)?.to;
  while (to instanceof Slot) to = to.to === undefined ? undefined : routeOf(to.to)?.to;
  return to;
}

const slots = new WeakMap<object, { readonly slot: Slot; readonly ref: Ref }>();
let some = false;

/**
 * A reference to what a promise will bring. Messages to it arrive in the order of sending and before any that is sent to the reference
 * that it becomes; a promise that is broken breaks them. The same promise gives the same reference.
 */
export function pipeline<P>(promise: PromiseLike<Ref<P>>): Ref<P> {
  const before = slots.get(promise);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made for a promise of this type
  if (before !== undefined) return before.ref as Ref<P>;
  const slot = new Slot();
  const ref = refTo<P>({ to: slot, gates: noGates });
  slots.set(promise, { slot, ref });
  some = true;
  promise.then(
    (value) => keepOnce(slot, value),
    (error: unknown) => {
      if (slot.to === undefined) slot.break(error);
    },
  );
  return ref;
}

const noGates = Object.freeze([]);

function keepOnce(slot: Slot, value: unknown): void {
  if (slot.to === undefined) slot.keep(value);
}

/** The place where messages to what this promise will bring wait, if any were sent. */
export function slotOf(promise: object | undefined): Slot | undefined {
  return some && promise !== undefined ? slots.get(promise)?.slot : undefined;
}

/** The reference that is meant. */
export function refOf(to: Eventually<unknown>): Ref {
  return 'then' in to ? pipeline(to) : to;
}
