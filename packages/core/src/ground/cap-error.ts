/** A refusal on its way through code that speaks in exceptions: what a power, or a reference, throws when it says no. */
import type { Denial } from './denial.js';
import type { Fault } from './fault.js';

/** Thrown by powers, by the turn itself and by sends; the mediation point turns it back into the value that it carries. */
export class CapError extends Error {
  override readonly name = 'CapError';
  readonly refusal: Denial | Fault;

  constructor(refusal: Denial | Fault) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
