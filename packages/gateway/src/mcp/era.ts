/** The two protocol eras, and the per-request envelope by which a request claims the newer one. */
import { type JsonObject, isJsonObject, own } from '@pawl/core';
import { clientCapabilitiesKey, clientInfoKey, protocolVersionKey } from './meta.js';
import { type WireError, invalidParams, unsupportedVersion } from './wire-error.js';

/** `legacy`: a handshake opens it (2025-11-25 and before). `modern`: every request says what it speaks (2026-07-28). */
export type Era = 'legacy' | 'modern';

/** The revision of the modern era. */
export const modernVersion = '2026-07-28';

/** The `_meta` object of a message's params, or undefined. */
export function metaOf(params: JsonObject): JsonObject | undefined {
  const meta = own(params, '_meta');
  return isJsonObject(meta) ? meta : undefined;
}

/** Whether a message claims the modern era: its `_meta` has the protocol version, whatever its value. */
export function claimsModern(params: JsonObject): boolean {
  const meta = metaOf(params);
  return meta !== undefined && Object.hasOwn(meta, protocolVersionKey);
}

/** What is wrong with a modern request's envelope, or undefined. */
export function envelopeError(params: JsonObject): WireError | undefined {
  const meta = metaOf(params);
  const version = meta && own(meta, protocolVersionKey);
  if (meta === undefined || version === undefined) return badEnvelope(protocolVersionKey);
  if (!isJsonObject(own(meta, clientCapabilitiesKey))) return badEnvelope(clientCapabilitiesKey);
  if (typeof version !== 'string') return badEnvelope(protocolVersionKey);
  const info = own(meta, clientInfoKey);
  if (info !== undefined && !isImplementation(info)) return badEnvelope(clientInfoKey);
  if (version === modernVersion) return undefined;
  const data = { supported: [modernVersion], requested: version };
  return { code: unsupportedVersion, message: 'the protocol version is not served here', data };
}

function badEnvelope(key: string): WireError {
  const problem = 'missing or malformed';
  return {
    code: invalidParams,
    message: `_meta: ${key} is ${problem}`,
    data: { envelope: { key, problem } },
  };
}

function isImplementation(info: JsonObject[string]): boolean {
  if (!isJsonObject(info)) return false;
  return typeof own(info, 'name') === 'string' && typeof own(info, 'version') === 'string';
}
