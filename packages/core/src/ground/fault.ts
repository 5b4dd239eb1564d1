/** Faults (we or an upstream broke: fail closed) and UsageError (the programmer; thrown at construction). */

/** Closed union of fault codes, and whether the caller may send the call again. */
export const faultCodes = {
  outcome_unknown: { retryable: false },
  upstream_gone: { retryable: true },
  audit_unavailable: { retryable: true },
  result_too_large: { retryable: false },
  internal: { retryable: false },
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
}

/** Makes a fault. */
export function fault(code: FaultCode, message: string, detail?: string): Fault {
  const base = { kind: 'fault' as const, code, message, retryable: faultCodes[code].retryable };
  return Object.freeze(detail === undefined ? base : { ...base, detail });
}

/** A mistake of the calling program, found at construction; never used for anything a caller of tools can cause. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
