/** What a waiting tool definition says otherwise than the accepted one, in lines: all of it, and nothing that a terminal would obey. */
import { type Json, type JsonObject, canonicalJson, isJsonArray, isJsonObject, own } from '@pawl/core';
import { visible } from './layout.js';

/** Lines of what is new (`+`) and what is gone (`-`). `before` is undefined for a tool that is new. */
export function definitionDiff(before: Json | undefined, after: Json): readonly string[] {
  return changes('', before, after).flatMap(({ path, old, now }) => lines(path, old, now));
}

interface Change {
  readonly path: string;
  readonly old: Json | undefined;
  readonly now: Json | undefined;
}

/** Values that differ, each at the deepest place that both have; what only one has stays whole. */
function changes(path: string, old: Json | undefined, now: Json | undefined): readonly Change[] {
  if (isJsonObject(now) && (isJsonObject(old) || path === '')) {
    const before: JsonObject = isJsonObject(old) ? old : {};
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return keys.flatMap((key) =>
      changes(`${path}${path === '' ? '' : '.'}${keyText(key)}`, own(before, key), own(now, key)),
    );
  }
  // A tool or a schema that is new: its members one a line, so that each can be read.
  if (
    old === undefined &&
    isJsonObject(now) &&
    Object.keys(now).length > 0 &&
    /(?:^inputSchema|properties)$/u.test(path)
  )
    return changes(path, {}, now);
  if (old !== undefined && now !== undefined && canonicalJson(old) === canonicalJson(now)) return [];
  return [{ path, old, now }];
}

/** A name that could be taken for several, or that hides something, stands in quotes. */
function keyText(key: string): string {
  return /^[\w$-]+$/u.test(key) ? key : JSON.stringify(key);
}

function lines(path: string, old: Json | undefined, now: Json | undefined): readonly string[] {
  const name = visible(path, Infinity);
  if (isList(old) && isList(now)) return listLines(name, old, now);
  if (typeof old === 'string' && typeof now === 'string' && (old + now).includes('\n'))
    return textLines(name, old, now);
  return [...valueLines('-', name, old), ...valueLines('+', name, now)];
}

function valueLines(sign: '+' | '-', name: string, value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string' || !value.includes('\n')) return [`${sign} ${name}: ${valueText(value)}`];
  return [`${sign} ${name}:`, ...value.split('\n').map((line) => `${sign}   ${valueText(line)}`)];
}

function valueText(value: Json): string {
  return visible(JSON.stringify(value), Infinity);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return value !== undefined && isJsonArray(value);
}

/** Elements that came and went; where only their order changed, both lists. */
function listLines(name: string, old: readonly Json[], now: readonly Json[]): readonly string[] {
  const gone = without(old, now);
  const come = without(now, old);
  if (gone.length + come.length === 0 || old.length - gone.length !== now.length - come.length)
    return [...valueLines('-', name, [...old]), ...valueLines('+', name, [...now])];
  return [
    ...gone.map((each) => `- ${name}: ${valueText(each)}`),
    ...come.map((each) => `+ ${name}: ${valueText(each)}`),
  ];
}

function without(list: readonly Json[], other: readonly Json[]): readonly Json[] {
  const known = new Set(other.map((each) => canonicalJson(each)));
  return list.filter((each) => !known.has(canonicalJson(each)));
}

/** A text of several lines: those between the common begin and the common end. */
function textLines(name: string, old: string, now: string): readonly string[] {
  const [before, after] = [old.split('\n'), now.split('\n')];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const changed = (sign: '+' | '-', text: readonly string[]): readonly string[] =>
    text.slice(head, text.length - tail).map((line) => `${sign}   ${valueText(line)}`);
  const same = head + tail === 0 ? '' : ` (${head + tail} lines are the same)`;
  return [`  ${name}:${same}`, ...changed('-', before), ...changed('+', after)];
}
