/** `allowed-tools` of a skill: names of tools that other hosts know, read as rules of the policy where the policy says what they mean. */
import type { ToolFrame } from '../connector/index.js';
import { type Json, type JsonObject, type ToolName, parseToolName } from '../ground/index.js';

/** One item: a name, and perhaps what stands in brackets behind it. */
export interface AllowedTool {
  /** As the skill spells it. */
  readonly text: string;
  readonly name: string;
  readonly limit: string | undefined;
}

/** Splits at blanks and commas outside brackets. What is no name with a pair of brackets is one item that nothing resolves. */
export function splitAllowedTools(text: string): readonly AllowedTool[] {
  return chunksOf(text).map((chunk) => {
    const found = /^(?<name>[^\s,()]+)(?:\((?<limit>[^]*)\))?$/u.exec(chunk)?.groups;
    return { text: chunk, name: found?.['name'] ?? chunk, limit: found?.['limit'] };
  });
}

/** Where brackets do not close, the rest is one chunk: it grants nothing. */
function chunksOf(text: string): readonly string[] {
  const chunks: string[] = [];
  let [depth, chunk] = [0, ''];
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    const separates = depth <= 0 && /[\s,]/u.test(character);
    if (separates && chunk !== '') chunks.push(chunk);
    chunk = separates ? '' : chunk + character;
  }
  return chunk === '' ? chunks : [...chunks, chunk];
}

/** How names are resolved. */
export interface NameContext {
  readonly names: Readonly<Record<string, ToolName>>;
  readonly fieldsOf: (tool: ToolName) => ToolFrame['fields'] | undefined;
}

/** The tool that a name of a skill means: what `skills.names` says, or the tool itself as `server/tool`. */
export function resolveName(name: string, { names }: NameContext): ToolName | undefined {
  return Object.hasOwn(names, name) ? names[name] : parseToolName(name);
}

/** The item as a rule; undefined where its name means nothing here, or where what stands in brackets cannot be said as a rule. */
export function ruleOfAllowed({ name, limit }: AllowedTool, context: NameContext): JsonObject | undefined {
  const tool = resolveName(name, context);
  const fields = tool === undefined ? undefined : context.fieldsOf(tool);
  if (tool === undefined || fields === undefined) return undefined;
  if (limit === undefined || limit.trim() === '' || limit.trim() === '*') {
    return limit === undefined || limit.trim() === '*' ? { tools: [tool] } : undefined;
  }
  const where = whereOf(limit.trim(), fields);
  return where && { tools: [tool], where };
}

function whereOf(limit: string, fields: ToolFrame['fields']): JsonObject | undefined {
  const ofKind = (kind: string): string | undefined =>
    Object.keys(fields).find((key) => fields[key]?.kind === kind);
  const host = limit.startsWith('domain:') ? ofKind('host') : undefined;
  if (host !== undefined) return { [host]: limit.slice('domain:'.length) };
  const command = ofKind('command');
  if (command !== undefined) return commandWhere(command, limit);
  const path = ofKind('path');
  return path === undefined ? undefined : { [path]: limit };
}

/** `git:*`, `git *`, `npm run test:*`: a program and its first words, then anything. `git status`: these words and no more. */
function commandWhere(field: string, limit: string): JsonObject | undefined {
  const open = /(?::\*| \*)$/u.test(limit);
  const words = (open ? limit.slice(0, -2) : limit).trim().split(/\s+/u);
  const [program, ...args] = words;
  if (program === undefined || !words.every((word) => /^[\w./@%+=:-]+$/u.test(word))) return undefined;
  const given: readonly Json[] = open ? [...args, '**'] : args;
  if (open && args.length === 0) return { [field]: { program: [program] } };
  return given.length === 0 ? undefined : { [field]: { program: [program], args: given } };
}
