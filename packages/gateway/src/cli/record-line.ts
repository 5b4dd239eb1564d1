/** Audit records as lines for people: time, call, executor, tool, verdict, code or outcome, target. */
import {
  type Envelope,
  type Json,
  canonicalJson,
  isJsonArray,
  isJsonObject,
  own,
  readEnvelope,
} from '@pawl/core';
import { columns, timeText, visible } from './layout.js';

type Facts = Envelope['record'];

/** One line a record, aligned. A settlement borrows executor and tool of its intent, where that is among the records. */
export function recordLines(texts: readonly string[]): readonly string[] {
  const intents = new Map<string, Facts>();
  const rows = texts.map((text) => {
    const envelope = readEnvelope(text);
    if (envelope === undefined) return ['-', '-', '-', '-', 'unreadable', '-', visible(text)];
    const { at, record } = envelope;
    const call = record['call'];
    if (typeof call === 'string' && record.type === 'intent') intents.set(call, record);
    return [timeText(at), ...rowOf(record, typeof call === 'string' ? intents.get(call) : undefined)];
  });
  return columns(rows);
}

/** One record as a line, not aligned with others, and the call that it is about. */
export function recordLine(text: string): { readonly call: string | undefined; readonly text: string } {
  const call = readEnvelope(text)?.record['call'];
  const [line = ''] = recordLines([text]);
  return { call: typeof call === 'string' ? call : undefined, text: line };
}

function rowOf(record: Facts, intent: Facts | undefined): readonly string[] {
  const call = word(record['call']);
  const executor = word(record['executor'] ?? intent?.['executor']);
  const tool = word(record['tool'] ?? intent?.['tool']);
  const target = accessesText(record['target']);
  switch (record.type) {
    case 'intent':
      return [call, executor, tool, word(record['verdict']), levelText(record['level']), target];
    case 'refusal':
      return [call, executor, tool, word(record['verdict']), word(record['code']), target];
    case 'settlement':
      return [call, executor, tool, 'settled', outcomeText(record), ''];
    default:
      return [call, executor, tool, visible(record.type), word(record['event']), dataText(record['data'])];
  }
}

/** How long an approval holds; nothing for a plain permit. */
function levelText(level: Json | undefined): string {
  return level === 'permit' ? '-' : word(level);
}

function outcomeText(record: Facts): string {
  const outcome = word(record['outcome']);
  return record['code'] === undefined ? outcome : `${outcome}:${word(record['code'])}`;
}

/** `read path="/a"`, several with a semicolon between. */
function accessesText(target: Json | undefined): string {
  if (!isJsonArray(target)) return '';
  return visible(target.map(accessText).join('; '));
}

/** One access in words: `read path="/a"`. */
export function accessText(access: Json): string {
  if (!isJsonObject(access)) return canonicalJson(access);
  const fields = Object.entries(access).filter(([key]) => !['tool', 'verb', 'extent'].includes(key));
  const extent = own(access, 'extent');
  const parts = fields.map(([key, value]) => `${key}=${canonicalJson(value ?? null)}`);
  return [
    word(own(access, 'verb')),
    ...parts,
    ...(typeof extent === 'string' && extent !== 'point' ? [`(${extent})`] : []),
  ].join(' ');
}

function dataText(data: Json | undefined): string {
  return data === undefined ? '' : visible(canonicalJson(data));
}

function word(value: Json | undefined): string {
  return typeof value === 'string' ? visible(value) : '-';
}
