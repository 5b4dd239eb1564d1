/** The trust file, NEW against OLD: whether it lets anybody sign what they could not sign before. */
import {
  type Json,
  type JsonObject,
  canonicalJson,
  isJsonArray,
  isJsonObject,
  own,
} from '../../ground/index.js';

/** Whether nobody is trusted more: no further key or root, none for more skills or longer, and whoever was revoked still is. */
export function trustsNoMore(old: Json | undefined, next: Json | undefined): boolean {
  if (next === undefined) return true;
  if (old === undefined || !isJsonObject(old) || !isJsonObject(next)) return false;
  const now = listOf(next, 'revoked');
  const kept = (key: string): boolean => {
    const before = membersOf(old, key);
    return Object.entries(membersOf(next, key)).every(([id, terms]) => isNoMilder(own(before, id), terms));
  };
  return kept('keys') && kept('roots') && listOf(old, 'revoked').every((id) => now.includes(id));
}

function membersOf(trust: JsonObject, key: string): JsonObject {
  const found = own(trust, key);
  return isJsonObject(found) ? found : {};
}

function listOf(object: JsonObject, key: string): readonly Json[] {
  const found = own(object, key);
  return isJsonArray(found) ? found : [];
}

/** The entry of the same key or root, for skills that were named so before, and within the times that it had. */
function isNoMilder(old: Json | undefined, next: Json | undefined): boolean {
  if (old === undefined || !isJsonObject(old) || !isJsonObject(next)) return false;
  const same = (key: string): boolean => textOf(old, key) === textOf(next, key);
  const before = listOf(old, 'skills');
  return (
    same('publicKey') &&
    same('certificate') &&
    listOf(next, 'skills').every((name) => before.includes(name)) &&
    isBounded(momentOf(old, 'notBefore'), momentOf(next, 'notBefore'), (was, is) => is >= was) &&
    isBounded(momentOf(old, 'notAfter'), momentOf(next, 'notAfter'), (was, is) => is <= was)
  );
}

function textOf(object: JsonObject, key: string): string {
  return canonicalJson(own(object, key) ?? null);
}

/** Without a bound before, any is one. */
function isBounded(
  old: string | undefined,
  next: string | undefined,
  fits: (was: string, is: string) => boolean,
): boolean {
  return old === undefined || (next !== undefined && fits(old, next));
}

/** A moment in the one spelling in which texts sort as times do; a day is its begin. */
function momentOf(object: JsonObject, key: string): string | undefined {
  const text = own(object, key);
  if (typeof text !== 'string') return undefined;
  return text.length === 10 ? `${text}T00:00:00Z` : text;
}
