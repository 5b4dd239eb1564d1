/** Faults (we or an upstream broke: fail closed) and UsageError (the programmer; thrown at construction). */

/** Closed union of fault codes, whether the caller may send the call again, and what each means. */
export const faultCodes = {
  outcome_unknown: {
    retryable: false,
    help: 'The call was handed over and its answer was lost: it may have happened.',
  },
  upstream_gone: {
    retryable: true,
    help: 'The server ended before it had the call.',
  },
  audit_unavailable: {
    retryable: true,
    help: 'The log cannot be written, so the call was not made.',
  },
  result_too_large: {
    retryable: false,
    help: 'The call was made; its result is larger than `results.maxBytes` and was replaced.',
  },
  internal: {
    retryable: false,
    help: 'Something broke inside Pawl, or no policy is in force.',
  },
} as const;
/** One fault code. */
export type FaultCode = keyof typeof faultCodes;

/** Something broke. `message` is what a model may read; `detail` goes to the audit and the log only. */
export interface Fault {
  readonly kind: 'fault';
  readonly code: FaultCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly detail?: string;
  /** Of an `outcome_unknown` that was given up while the other side may still be at work: resolves once it is known to have ended. */
  readonly late?: Promise<void>;
  /** Of an `outcome_unknown`: no answer came, although nobody cancelled the call. */
  readonly lost?: true;
}

/** Makes a fault. */
export function fault(code: FaultCode, message: string, detail?: string): Fault {
  const base = { kind: 'fault' as const, code, message, retryable: faultCodes[code].retryable };
  return Object.freeze(detail === undefined ? base : { ...base, detail });
}

/** Whether a value is a fault. */
export function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'fault';
}

/** A mistake of the calling program, found at construction; never used for anything a caller of tools can cause. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
