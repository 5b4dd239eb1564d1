/** Texts of messages as 2026-07-28 repeats them in headers. */
import { type Json, type JsonObject, isJsonObject, own } from '@pawl/core';
import type { ParamHeader } from '../param-header.js';

export { type ParamHeader, declaredHeaders } from '../param-header.js';

/** A text as a header carries it: as it is, or in base64 where a header could not. */
export function headerText(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/u.test(text) && !/^=\?base64\?.*\?=$/u.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** The headers that a tool declares, for the arguments of one call: scalars that are there. */
export function paramHeaders(
  declared: readonly ParamHeader[],
  args: JsonObject,
): Readonly<Record<string, string>> {
  const entries = declared.flatMap(({ header, path }): [string, string][] => {
    const text = scalarText(valueAt(args, path));
    return text === undefined ? [] : [[header, headerText(text)]];
  });
  return Object.fromEntries(entries);
}

function valueAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = args;
  for (const key of path) value = isJsonObject(value) ? own(value, key) : undefined;
  return value;
}

function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return undefined;
  return String(value);
}
