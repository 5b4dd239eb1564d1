/** JSON-RPC errors that Pawl answers with, and their codes. */
import type { JsonObject } from '@pawl/core';

/** The text is no JSON that Pawl reads. */
export const parseError = -32700;
/** The text is JSON but no valid request. */
export const invalidRequest = -32600;
/** No such method, or one that is closed here. */
export const methodNotFound = -32601;
/** The parameters are not what the method takes. */
export const invalidParams = -32602;
/** The gateway broke. */
export const internalError = -32603;
/** 2026-07-28: the HTTP headers say otherwise than the body. */
export const headerMismatch = -32020;
/** 2026-07-28: the protocol revision is not served. */
export const unsupportedVersion = -32022;

/** A JSON-RPC error object. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** The error of a method that does not exist or is closed here. */
export function closedSurface(method: string): WireError {
  const name = method.length > 64 ? `${method.slice(0, 64)}…` : method;
  return { code: methodNotFound, message: `${name} is closed here`, data: { code: 'surface_closed' } };
}
