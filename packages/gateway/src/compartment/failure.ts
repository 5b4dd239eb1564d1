/** Why a compartment did not answer. */

/** What went wrong, in one word. */
export type CompartmentFailureCode =
  /** The module cannot be loaded: it is not sound, or wants what no compartment gives. */
  | 'refused'
  /** The tool threw. */
  | 'threw'
  /** It had not ended at its deadline, and was ended. */
  | 'timeout'
  /** Its result is larger than it may be. */
  | 'too_large'
  /** Its process is gone: memory, processor time, or a broken protocol. */
  | 'ended'
  /** Too many run already. */
  | 'busy'
  /** Nobody waits any more. */
  | 'closed';

/** A compartment that was asked and did not answer. `message` is what a model may read. */
export class CompartmentFailure extends Error {
  override readonly name = 'CompartmentFailure';
  readonly code: CompartmentFailureCode;
  /** Of `refused`: the file that is concerned. */
  readonly file?: string;

  constructor(code: CompartmentFailureCode, message: string, file?: string) {
    super(message);
    this.code = code;
    if (file !== undefined) this.file = file;
  }
}
