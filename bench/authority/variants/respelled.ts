/** Other ways of saying the very same call: whatever a client may do without meaning anything else. */
import { type Json, type JsonObject, deepEqualJson } from '@pawl/core';
import { envelope } from '../line.js';
import type { SuiteTool } from '../suite.js';
import { sameNumber } from './numerals.js';
import { type Variant, calling, callingText } from './variant.js';

/** Every way; `name` is the tool's in the session. */
export function respellings(tool: SuiteTool, name: string, args: JsonObject): readonly Variant[] {
  const text = JSON.stringify(args);
  const message = (params: string, more = ''): string =>
    `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":${params}${more}}`;
  const params = `"name":${JSON.stringify(name)},"arguments":${text}`;
  const meta = (more: string): string => `"_meta":${envelope.slice(0, -1)},${more}}`;
  const line = (way: string, sent: string): Variant => ({ way, sent: { kind: 'line', line: sent } });
  return [
    calling('as it is', name, args),
    calling('members in the other order', name, reordered(args)),
    callingText('blanks between', name, JSON.stringify(args, undefined, 2).replaceAll('\n', ' ')),
    callingText('tabs between', name, JSON.stringify(args, undefined, '\t').replaceAll('\n', '\r')),
    callingText('every letter escaped', name, escaped(args)),
    callingText('slashes escaped', name, text.replaceAll('/', '\\/')),
    callingText('letters beyond ASCII escaped', name, ascii(text)),
    ...[0, 1, 2, 3].map((which) => callingText(`numbers, spelling ${which}`, name, numbered(args, which))),
    ...optionals(tool, args).map(([way, more]) => calling(way, name, { ...args, ...more })),
    line(
      'params before method',
      `{"params":{${params},"_meta":${envelope}},"id":"x","method":"tools/call","jsonrpc":"2.0"}`,
    ),
    line(
      'arguments before name',
      message(`{"_meta":${envelope},"arguments":${text},"name":${JSON.stringify(name)}}`),
    ),
    line('blanks around the message', `  ${message(`{${params},"_meta":${envelope}}`)} \t`),
    line('with a progress token', message(`{${params},${meta('"progressToken":"p"')}}`)),
    line(
      'with a trace',
      message(
        `{${params},${meta('"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"')}}`,
      ),
    ),
    line('on behalf of somebody', message(`{${params},${meta('"pawl/onBehalfOf":"ann"')}}`)),
    ...(text === '{}' ? noArguments(name) : []),
  ];
}

/** Whether what arrived is what was meant: the same values, but for optional arguments that are null or said outright. */
export function meant(tool: SuiteTool, args: JsonObject, arrived: JsonObject): boolean {
  const names = new Set([...Object.keys(args), ...Object.keys(arrived)]);
  return [...names].every((name) => {
    const [sent, got] = [args[name], arrived[name]];
    if (sent !== undefined && got !== undefined) return deepEqualJson(sent, got);
    const implied = defaultOf(tool, name) ?? null;
    return deepEqualJson(sent ?? got ?? null, implied) || (sent ?? got) === null;
  });
}

function noArguments(name: string): readonly Variant[] {
  const line = (way: string, params: string): Variant => ({
    way,
    sent: { kind: 'line', line: `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":${params}}` },
  });
  return [
    line('no arguments', `{"name":${JSON.stringify(name)},"_meta":${envelope}}`),
    line('arguments null', `{"name":${JSON.stringify(name)},"arguments":null,"_meta":${envelope}}`),
  ];
}

function reordered(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(reordered);
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>)
      .reverse()
      .map(([name, inner]) => [name, reordered(inner)]),
  );
}

/** JSON in which every letter of every text and name is escaped. */
function escaped(value: Json): string {
  if (typeof value === 'string')
    return `"${Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(escaped).join(',')}]`;
  return `{${Object.entries(value as Readonly<Record<string, Json>>)
    .map(([name, inner]) => `${escaped(name)}:${escaped(inner)}`)
    .join(',')}}`;
}

function ascii(text: string): string {
  return text.replaceAll(/[^ -~]/gu, (each) => escaped(each).slice(1, -1));
}

/** JSON in which every number is spelled in one of its ways. */
function numbered(value: Json, which: number): string {
  if (typeof value === 'number') {
    const ways = sameNumber(value);
    return ways[which % ways.length]?.[1] ?? String(value);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((each) => numbered(each, which)).join(',')}]`;
  return `{${Object.entries(value as Readonly<Record<string, Json>>)
    .map(([name, inner]) => `${JSON.stringify(name)}:${numbered(inner, which)}`)
    .join(',')}}`;
}

/** Optional arguments that are not given: null, or their default said outright. */
function optionals(tool: SuiteTool, args: JsonObject): readonly (readonly [string, JsonObject])[] {
  const required = new Set((tool.parameters['required'] as readonly string[] | undefined) ?? []);
  const names = Object.keys(tool.parameters['properties'] ?? {}).filter(
    (name) => !required.has(name) && !Object.hasOwn(args, name),
  );
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const defaults = Object.fromEntries(
    names.flatMap((name) => {
      const value = defaultOf(tool, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return [
    ...names.map((name) => [`${name} null`, { [name]: null }] as const),
    ...(names.length > 1 ? [['every optional argument null', nulls] as const] : []),
    ...(Object.keys(defaults).length > 0 ? [['defaults said', defaults] as const] : []),
  ];
}

function defaultOf(tool: SuiteTool, name: string): Json | undefined {
  const properties = tool.parameters['properties'] as Readonly<Record<string, JsonObject>> | undefined;
  return properties?.[name]?.['default'];
}
