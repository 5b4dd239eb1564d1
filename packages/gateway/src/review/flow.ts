/** Rules as YAML: one a list item, their values in flow style, quoted wherever a plain text would be read otherwise. */
import { type Json, isJsonArray, isJsonObject } from '@pawl/core';
import type { SuggestedRule } from './suggested-rules.js';

/** Texts that YAML reads as themselves without quotes, whatever stands around them. */
const plain = /^(?:[A-Za-z_]|\/(?!\/))[\w./@-]*$/u;
/** Of these, those that it reads as something else. */
const words: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

/** A value in flow style. */
function flow(value: Json): string {
  if (isJsonArray(value)) return value.length === 0 ? '[]' : `[${value.map(flow).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, held]) => `${text(key)}: ${flow(held ?? null)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? text(value) : JSON.stringify(value);
}

function text(value: string): string {
  return plain.test(value) && !words.has(value.toLowerCase()) ? value : JSON.stringify(value);
}

/** The lines of a rule as an item of a list. */
export function ruleLines({ tools, verbs, where, ask, wide }: SuggestedRule): readonly string[] {
  const members: readonly (readonly [string, Json | undefined])[] = [
    ['tools', [...tools]],
    ['verbs', verbs && [...verbs]],
    ['where', where],
    ['ask', ask],
  ];
  const lines = members.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${flow(value)}`]));
  const notes = wide.map((each) => `# wide, ${each}`);
  return [
    ...notes.map((note) => note.replaceAll(/[\r\n]/gu, ' ')),
    ...lines.map((line, at) => `${at === 0 ? '- ' : '  '}${line}`),
  ];
}
