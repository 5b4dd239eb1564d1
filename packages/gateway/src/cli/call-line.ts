/** One line of a file of calls. */
import { type Json, type JsonObject, isJsonObject, own, parseJson } from '@pawl/core';
import type { DecideLine } from './judge.js';

/** Members of a line that are texts; null is as if left out. */
const textMembers = ['tool', 'message', 'raw', 'agent', 'instance', 'session', 'onBehalfOf'] as const;

/** Every member that a line can have. */
export const callMembers: readonly string[] = Object.freeze(['id', 'args', ...textMembers]);

/** The object of a line, strictly decoded; undefined for any other line. */
export function objectIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text, { bytes: 8 * 1024 * 1024 });
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** The call of a line; undefined for an object without `id` and `tool` or `message`, or with a member of another type. */
export function lineOf(object: JsonObject): DecideLine | undefined {
  const id = own(object, 'id');
  const texts: Partial<Record<(typeof textMembers)[number], string>> = {};
  for (const key of textMembers) {
    const value = own(object, key) ?? undefined;
    if (value !== undefined && typeof value !== 'string') return undefined;
    if (value !== undefined) texts[key] = value;
  }
  if (id === undefined || (texts.tool ?? texts.message) === undefined) return undefined;
  const args: Json | undefined = own(object, 'args');
  return { id, ...texts, ...(args === undefined ? {} : { args }) };
}
