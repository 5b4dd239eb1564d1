/** Digests and canonical JSON: what "the same call" and "the same generation" mean, byte for byte. */
import { createHash, createHmac } from 'node:crypto';
import { type Digest, mintId } from './id.js';
import { type Json, isJsonArray, isJsonObject } from './json.js';

/** SHA-256 of a text (UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): Digest {
  return mintId.digest(createHash('sha256').update(data).digest('hex'));
}

/** HMAC-SHA-256; the key never leaves the caller. */
export function hmacSha256(key: Uint8Array, data: string | Uint8Array): Digest {
  return mintId.digest(createHmac('sha256', key).update(data).digest('hex'));
}

/**
 * Canonical JSON: members sorted by UTF-16 units, no blanks, numbers and strings as `JSON.stringify` writes them
 * (RFC 8785 for the values that strict decode lets through). Equal values give equal texts.
 */
export function canonicalJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
