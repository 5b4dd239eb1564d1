/** Records that are written together, and the one promise that all their tickets share. */
import type { Ticket } from '@pawl/core';
import type { Entry } from './backend.js';
import type { StoreError } from './ports.js';

/** A batch while it gathers and until it is settled or refused. */
export class Batch {
  readonly #entries: Entry[] = [];
  readonly #noted = new Set<Entry>();
  #ticket: Ticket | undefined;
  #resolve: (() => void) | undefined;
  #reject: ((error: StoreError) => void) | undefined;

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Adds a record that somebody waits for. */
  append(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Adds a record that nobody waits for. */
  note(entry: Entry): void {
    this.#entries.push(entry);
    this.#noted.add(entry);
  }

  /** The ticket of every record here. */
  get ticket(): Ticket {
    this.#ticket ??= this.#open();
    return this.#ticket;
  }

  /** All records are durable. */
  settle(): void {
    this.#resolve?.();
  }

  /** None is and none will be; gives back those that were only noted. */
  refuse(error: StoreError): readonly Entry[] {
    this.#reject?.(error);
    return this.#entries.filter((entry) => this.#noted.has(entry));
  }

  #open(): Ticket {
    const durable = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A caller that does not look at its ticket is no reason to end the process.
    durable.catch(() => undefined);
    return { durable };
  }
}
