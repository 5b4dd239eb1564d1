/** Tool definitions from files: one `<server>.json` a server, each a tools/list answer. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type JsonObject,
  type ServerName,
  type ToolDefinition,
  isJsonArray,
  isJsonObject,
  own,
  parseJson,
  parseServerName,
} from '@pawl/core';

/** Largest file that is read, in bytes. */
const largest = 16 * 1024 * 1024;

/** Definitions by server, or why the folder cannot be used. */
export type Catalog =
  | { readonly ok: true; readonly tools: ReadonlyMap<ServerName, readonly ToolDefinition[]> }
  | { readonly ok: false; readonly why: string };

/** Reads every `<server>.json` of a folder. */
export function readCatalog(folder: string): Catalog {
  const tools = new Map<ServerName, readonly ToolDefinition[]>();
  for (const entry of entriesOf(folder) ?? []) {
    const name = parseServerName(entry.slice(0, -'.json'.length));
    if (name === undefined) return { ok: false, why: `${join(folder, entry)}: its name is no server name` };
    const read = toolsOf(join(folder, entry));
    if (typeof read === 'string') return { ok: false, why: read };
    tools.set(name, read);
  }
  return entriesOf(folder) === undefined
    ? { ok: false, why: `${folder}: no folder that can be read` }
    : { ok: true, tools };
}

function entriesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder)
      .filter((entry) => entry.endsWith('.json'))
      .sort();
  } catch {
    return undefined;
  }
}

function toolsOf(file: string): readonly ToolDefinition[] | string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return `${file}: cannot be read`;
  }
  const parsed = parseJson(text, { bytes: largest });
  if (!parsed.ok) return `${file}: found ${parsed.found}`;
  const list = isJsonObject(parsed.value) ? own(parsed.value, 'tools') : undefined;
  if (!isJsonArray(list)) return `${file}: holds no list "tools"`;
  const definitions = list.map((item) => (isJsonObject(item) ? definitionOf(item) : undefined));
  const good = definitions.filter((definition) => definition !== undefined);
  return good.length === list.length ? good : `${file}: a tool has no name`;
}

function definitionOf(item: JsonObject): ToolDefinition | undefined {
  const name = own(item, 'name');
  return typeof name === 'string' ? { name, definition: item } : undefined;
}
