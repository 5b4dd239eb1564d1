/** Transport sessions of the legacy era: an id that correlates a client's messages and authorises nothing. */
import { type Clock, type Entropy, type KeyId, base32 } from '@pawl/core';
import { Questions } from '../elicitation.js';
import { InFlight } from '../in-flight.js';

/** What one transport session holds: the calls that its client may cancel, and the questions that it has to answer. */
export interface TransportSession {
  readonly key: KeyId;
  readonly calls: InFlight;
  readonly questions: Questions;
  /** Whether the client said that it shows questions. */
  readonly showsQuestions: boolean;
}

/** Sessions that one credential may have; the longest unused one gives way. */
const mostOfOne = 64;
/** Milliseconds after which an unused session is forgotten. */
const idleMs = 12 * 60 * 60 * 1000;

interface Held extends TransportSession {
  usedAt: number;
}

/** The transport sessions of one endpoint. */
export class TransportSessions {
  readonly #clock: Clock;
  readonly #entropy: Entropy;
  readonly #held = new Map<string, Held>();

  constructor(clock: Clock, entropy: Entropy) {
    this.#clock = clock;
    this.#entropy = entropy;
  }

  /** Opens one for this credential and returns its id (128 random bits). */
  open(key: KeyId, showsQuestions: boolean): string {
    this.#makeRoom(key);
    const id = base32(this.#entropy.bytes(16));
    const [calls, questions] = [new InFlight(), new Questions()];
    this.#held.set(id, { key, calls, questions, showsQuestions, usedAt: this.#clock.monotonic() });
    return id;
  }

  /** The session of that id, if this credential opened it; a foreign and an unknown id are the same. */
  find(id: string, key: KeyId): TransportSession | undefined {
    const held = this.#held.get(id);
    if (held === undefined || held.key !== key || this.#stale(held)) return undefined;
    held.usedAt = this.#clock.monotonic();
    return held;
  }

  /** Ends one and cancels its calls; whether there was one. */
  end(id: string, key: KeyId): boolean {
    const session = this.find(id, key);
    session?.calls.cancelAll('the client ended its session');
    return session !== undefined && this.#held.delete(id);
  }

  /** Ends all of them. */
  endAll(why: string): void {
    for (const { calls } of this.#held.values()) calls.cancelAll(why);
    this.#held.clear();
  }

  #stale(held: Held): boolean {
    return held.calls.size === 0 && this.#clock.monotonic() - held.usedAt > idleMs;
  }

  #makeRoom(key: KeyId): void {
    const own = [...this.#held].filter(([, held]) => held.key === key);
    const byUse = own.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [id, held] of byUse) if (this.#stale(held)) this.#held.delete(id);
    const over = byUse.filter(([id]) => this.#held.has(id)).slice(0, -(mostOfOne - 1));
    for (const [id, held] of over) {
      held.calls.cancelAll('the client opened too many sessions');
      this.#held.delete(id);
    }
  }
}
