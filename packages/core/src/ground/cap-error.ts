/** A refusal on its way through code that speaks in exceptions: what a power, or a reference, throws when it says no. */
import { type Denial, denial, maxMessageLength, shortened } from './denial.js';
import { type Fault, fault } from './fault.js';

/** Thrown by powers, by the turn itself and by sends; the mediation point turns it back into the value that it carries. */
export class CapError extends Error {
  override readonly name = 'CapError';
  readonly refusal: Denial | Fault;
  readonly #refusal: Denial | Fault;

  /** A refusal that was not made by `denial` or `fault` is made by them here. */
  constructor(refusal: Denial | Fault) {
    const isMade = Object.isFrozen(refusal) && refusal.message.length <= maxMessageLength;
    const made = isMade ? refusal : remade(refusal);
    super(made.message);
    this.refusal = made;
    this.#refusal = made;
  }

  /** What was thrown says no by it; undefined for everything else, of which nothing is asked: it may be anything. */
  static refusalIn(thrown: unknown): Denial | Fault | undefined {
    return isObject(thrown) && #refusal in thrown ? thrown.#refusal : undefined;
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function remade(refusal: Denial | Fault): Denial | Fault {
  if (refusal.kind === 'fault') {
    const { late, lost } = refusal;
    const base = fault(refusal.code, shortened(refusal.message), refusal.detail);
    return Object.freeze({ ...base, ...(late && { late }), ...(lost && { lost }) });
  }
  const { kind: _kind, retryable: _retryable, ...init } = refusal;
  return denial(init);
}

/** What was thrown, in words; never throws itself, whatever that is. */
export function wordsOf(thrown: unknown): string {
  try {
    const said: unknown = thrown instanceof Error ? thrown.message : thrown;
    return String(said);
  } catch {
    return 'something that has no words';
  }
}
