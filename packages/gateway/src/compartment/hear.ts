/** What a process says, read as if it were forged: the tool in it may have found a way out of its compartment. */
import { type Json, isJsonArray, isJsonObject, own, parseJson } from '@pawl/core';
import type { Said } from './wire.js';

/** Lines are bounded by their bytes alone. */
const unbounded = { bytes: Infinity, depth: 8, items: 65_536, members: 16 };
const longestMessage = 1000;

/** One message, or undefined for what no process of ours says. Never throws. */
export function heard(line: string): Said | undefined {
  const parsed = parseJson(line, unbounded);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const message = parsed.value;
  const text = (name: string): string | undefined => {
    const value = own(message, name);
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: string): number | undefined => {
    const value = own(message, name);
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  switch (text('say') ?? '') {
    case 'open':
      return { say: 'open' };
    case 'loaded':
      return loaded(text('entry'), text('archive'), own(message, 'methods'));
    case 'refused':
      return refused(text('why'), text('file'));
    case 'use':
      return use(number('use'), text('power'), text('method'), text('args'));
    case 'result':
      return result(number('call'), text('value'));
    case 'failed':
      return failed(number('call'), text('code'), text('message'));
    default:
      return undefined;
  }
}

function loaded(
  entry: string | undefined,
  archive: string | undefined,
  methods: Json | undefined,
): Said | undefined {
  if (entry === undefined || archive === undefined || !isJsonArray(methods)) return undefined;
  return { say: 'loaded', entry, archive, methods: methods.filter((name) => typeof name === 'string') };
}

function refused(why: string | undefined, file: string | undefined): Said | undefined {
  if (why === undefined) return undefined;
  return { say: 'refused', why: plain(why), ...(file === undefined ? {} : { file }) };
}

function use(
  ...[id, power, method, args]: readonly [number | undefined, ...(string | undefined)[]]
): Said | undefined {
  if (id === undefined || power === undefined || method === undefined || args === undefined) return undefined;
  return { say: 'use', use: id, power, method, args };
}

function result(call: number | undefined, value: string | undefined): Said | undefined {
  return call === undefined || value === undefined ? undefined : { say: 'result', call, value };
}

function failed(
  call: number | undefined,
  code: string | undefined,
  message: string | undefined,
): Said | undefined {
  if (call === undefined || message === undefined || (code !== 'threw' && code !== 'too_large'))
    return undefined;
  return { say: 'failed', call, code, message: plain(message) };
}

/** Without control characters, and cut. */
function plain(text: string): string {
  return text.slice(0, longestMessage).replaceAll(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, ' ');
}
