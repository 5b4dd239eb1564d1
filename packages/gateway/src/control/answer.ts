/** What every operation answers: a value, or a refusal with a code of a closed union. */

/** Error codes and the HTTP status that goes with each. */
export const controlErrors = {
  /** The body or a header cannot be read. */
  malformed: 400,
  /** The caller may not do this, or the request came from a browser or for another host. */
  forbidden: 403,
  unknown_operation: 404,
  /** Only POST has effects, so only POST is served. */
  wrong_method: 405,
  /** A negative verdict: the operation was understood and says no. */
  refused: 409,
  too_large: 413,
  invalid_parameters: 422,
  /** A mistake of Pawl's own. */
  internal: 500,
  /** The store cannot do it now. */
  unavailable: 503,
  /** No answer within the operation's time; it may still take effect. */
  timeout: 504,
} as const;
/** One error code. */
export type ControlErrorCode = keyof typeof controlErrors;

/** Why an operation was not done. The message is for operators and holds no secret. */
export interface ControlProblem {
  readonly code: ControlErrorCode;
  readonly message: string;
}

/** A bad answer. */
export interface Refused {
  readonly ok: false;
  readonly error: ControlProblem;
}

/** The answer to one operation, also as it crosses the wire. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refused;

/** Makes a good answer. */
export function yes<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Makes a bad answer. */
export function no(code: ControlErrorCode, message: string): Refused {
  return { ok: false, error: { code, message } };
}
