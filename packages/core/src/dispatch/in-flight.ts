/** Calls from their hand-over to their settlement: what is revoked is cancelled, what is given up is settled without its answer. */
import type { Lifeline, Revocation, Revocations } from '../capability/index.js';
import type { Snapshot } from '../policy/index.js';

/** What a call is known by while it is in flight. */
export interface Flight {
  /** Passed to the actor; aborted by its caller, by a revocation, or when it is given up. */
  readonly signal: AbortSignal;
  /** Settles when the call is given up, and not otherwise. */
  readonly givenUp: Promise<void>;
  /** The call was handed over: from here on a revocation cancels it. */
  begin(): void;
  /** The call is settled, or never was handed over. */
  end(): void;
}

interface Airborne {
  readonly capability: Lifeline;
  readonly snapshot: Snapshot;
  cancel(why: string): void;
  giveUp(): void;
}

/** Calls in flight of one dispatcher. */
export class InFlight {
  readonly #calls = new Set<Airborne>();

  /** Follows the revocations for as long as it lives. */
  constructor(revocations: Revocations) {
    revocations.subscribe((revocation) => this.#revoked(revocations, revocation));
  }

  /** How many calls were handed over and are not settled. */
  get size(): number {
    return this.#calls.size;
  }

  /** Follows a call that holds this snapshot; `caller` is the signal of whoever made it. */
  follow(capability: Lifeline, snapshot: Snapshot, caller: AbortSignal): Flight {
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(caller.reason);
    if (caller.aborted) onAbort();
    else caller.addEventListener('abort', onAbort);
    let settle = (): void => undefined;
    const givenUp = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const airborne: Airborne = {
      capability,
      snapshot,
      cancel: (why) => controller.abort(why),
      giveUp: () => {
        controller.abort('the generation of the call was replaced long ago');
        settle();
      },
    };
    return {
      signal: controller.signal,
      givenUp,
      begin: () => void this.#calls.add(airborne),
      end: () => {
        this.#calls.delete(airborne);
        caller.removeEventListener('abort', onAbort);
      },
    };
  }

  /** Cancels and settles every call that was handed over under that snapshot, and says how many. */
  giveUp(snapshot: Snapshot): number {
    const held = [...this.#calls].filter((call) => call.snapshot === snapshot);
    for (const call of held) call.giveUp();
    return held.length;
  }

  /** In the step of the revocation. */
  #revoked(revocations: Revocations, { kind }: Revocation): void {
    for (const call of this.#calls)
      if (revocations.covers(call.capability)) call.cancel(`revoked by its ${kind}`);
  }
}
