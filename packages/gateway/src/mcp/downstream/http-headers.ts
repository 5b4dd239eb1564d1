/** Agreement of the 2026-07-28 request headers with the body, for the methods that Pawl answers itself. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Json, isJsonObject, own } from '@pawl/core';
import { metaOf } from '../era.js';
import type { RequestFrame } from '../frame.js';
import { protocolVersionKey } from '../meta.js';
import { type WireError, headerMismatch } from '../wire-error.js';
import type { ParamHeader } from '../param-header.js';

/** The member of `params` that `Mcp-Name` repeats, by method. */
const named: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** The first header that is missing or says otherwise than the body, or undefined. */
export function headerError(headers: IncomingHttpHeaders, frame: RequestFrame): WireError | undefined {
  const meta = metaOf(frame.params);
  const name = named.get(frame.method);
  const expected: readonly (readonly [string, Json | undefined])[] = [
    ['mcp-protocol-version', meta && own(meta, protocolVersionKey)],
    ['mcp-method', frame.method],
    ['mcp-name', name && own(frame.params, name)],
  ];
  for (const [header, body] of expected) {
    if (typeof body !== 'string') continue;
    const sent = textOf(headers, header);
    if (sent !== body)
      return mismatch(
        header,
        sent === undefined ? 'is missing or malformed' : 'says otherwise than the body',
      );
  }
  return undefined;
}

/** The first `Mcp-Param-*` header that a tool declares and that is missing or says otherwise than the arguments. */
export function paramHeaderError(
  headers: IncomingHttpHeaders,
  declared: readonly ParamHeader[],
  args: Json | undefined,
): WireError | undefined {
  for (const { header, path, numeric } of declared) {
    const value = valueAt(args, path);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const sent = textOf(headers, header);
    if (sent === undefined) return mismatch(header, 'is missing or malformed');
    const same = numeric && typeof value === 'number' ? Number(sent) === value : sent === String(value);
    if (!same) return mismatch(header, 'says otherwise than the body');
  }
  return undefined;
}

function mismatch(header: string, problem: string): WireError {
  return { code: headerMismatch, message: `the header ${header} ${problem}`, data: { mismatch: { header } } };
}

function valueAt(args: Json | undefined, path: readonly string[]): Json | undefined {
  let value = args;
  for (const key of path) value = isJsonObject(value) ? own(value, key) : undefined;
  return value;
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A header's text, its `=?base64?…?=` form decoded; undefined when it is absent, repeated or wrongly encoded. */
function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const base64 = encoded.exec(value)?.[1];
  if (base64 === undefined) return undefined;
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
