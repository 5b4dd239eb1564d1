/** The calls in flight of one connection or transport session: cancelled by their own sender only, all at once at its end. */
import type { Json } from '@pawl/core';
import type { RequestId } from './frame.js';

/** Calls by the id that their sender gave them. */
export class InFlight {
  readonly #calls = new Map<RequestId, AbortController>();
  #idle: (() => void)[] = [];

  /** How many calls have no answer yet. */
  get size(): number {
    return this.#calls.size;
  }

  /** Notes a call and returns the signal of its cancellation; undefined when that id is in use. */
  begin(id: RequestId): AbortSignal | undefined {
    if (this.#calls.has(id)) return undefined;
    const controller = new AbortController();
    this.#calls.set(id, controller);
    return controller.signal;
  }

  /** Forgets a call; whether its sender still wants the answer. */
  end(id: RequestId): boolean {
    const controller = this.#calls.get(id);
    this.#calls.delete(id);
    if (this.#calls.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    return controller !== undefined && !controller.signal.aborted;
  }

  /** Cancels the call of that id; an unknown id is nothing. */
  cancel(id: Json | undefined): void {
    if (typeof id === 'string' || typeof id === 'number')
      this.#calls.get(id)?.abort('cancelled by the client');
  }

  /** Cancels all of them. */
  cancelAll(why: string): void {
    for (const controller of this.#calls.values()) controller.abort(why);
  }

  /** Settles when no call is in flight. */
  async idle(): Promise<void> {
    if (this.#calls.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
