/** What powers throw: a denial where they may not, a failure where it did not work, and neither names a path of the host. */
import { CapError, type Denial, type DenialInit, ToolFailure, UsageError, denial } from '@pawl/core';

/** A denial that is thrown: as a value it is the denial itself. */
export class DenialError extends CapError implements Denial {
  readonly kind = 'denial';
  readonly code: Denial['code'];
  readonly layer: Denial['layer'];
  readonly retryable: boolean;
  readonly constraint?: string;
  readonly reason?: NonNullable<Denial['reason']>;

  constructor(init: DenialInit) {
    const made = denial(init);
    super(made);
    this.code = made.code;
    this.layer = made.layer;
    this.retryable = made.retryable;
    if (made.constraint !== undefined) this.constraint = made.constraint;
    if (made.reason !== undefined) this.reason = made.reason;
  }
}

/** Why a use that was allowed did not work. */
export type FailureCode =
  | 'not_found'
  | 'exists'
  | 'not_a_file'
  | 'not_a_folder'
  | 'not_empty'
  | 'no_access'
  | 'no_space'
  | 'bad_name'
  | 'not_text'
  | 'too_large'
  | 'timeout'
  | 'unreachable'
  | 'bad_request'
  | 'failed';

/** A use that was allowed and did not work. `message` is what a model may read. */
export class PowerFailure extends ToolFailure {
  override readonly name = 'PowerFailure';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The confinement that a power promises is not to be had on this machine, so there is no such power. Thrown at construction. */
export class NoConfinement extends UsageError {}

/** Outside what the power was constructed with. `constraint`: `fs.root`, `net.hosts`. */
export function outOfScope(constraint: string, message: string): DenialError {
  return new DenialError({ code: 'out_of_scope', layer: 'power', message, constraint });
}

/** The power was taken back. */
export function revoked(): DenialError {
  const message = 'the power of this tool was taken back';
  return new DenialError({ code: 'no_such_cap', layer: 'power', message, reason: 'revoked' });
}

/** A text of the caller as messages show it. */
export function shown(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`);
}

/** The code of an error of the system, as `ENOENT`. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
