/** What real servers list: tool names and the names of their arguments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classedArguments, type ConnectorTable } from '../packages/core/src/connector/table.js';
import { type Json, isJsonArray, isJsonObject, own, readJson } from '../packages/core/src/ground/index.js';

/** Tool to its arguments, sorted. */
export type Arguments = ReadonlyMap<string, readonly string[]>;

/** What the stored list of a package says. */
export function listedBy(folder: string, name: string): Arguments {
  const stored = readJson(readFileSync(join(folder, `${name.replace('/', '__')}.json`), 'utf8'));
  return listedIn(isJsonObject(stored) ? own(stored, 'tools') : undefined);
}

/** What a list of tool definitions says. */
export function listedIn(tools: Json | undefined): Arguments {
  const definitions = (isJsonArray(tools) ? tools : []).filter(isJsonObject);
  return new Map(
    definitions.map((tool) => {
      const [name, schema] = [own(tool, 'name'), own(tool, 'inputSchema')];
      const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined;
      return [
        typeof name === 'string' ? name : '',
        isJsonObject(properties) ? Object.keys(properties).sort() : [],
      ];
    }),
  );
}

/** What a table classes, with the arguments that it leaves raw on purpose, by tool. */
export function classedBy(
  table: ConnectorTable,
  unclassed: Readonly<Record<string, readonly string[]>> = {},
): Arguments {
  const tools = Object.entries(table.tools);
  return new Map(
    tools.map(([tool, row]) => [tool, [...classedArguments(row), ...(unclassed[tool] ?? [])].sort()]),
  );
}
