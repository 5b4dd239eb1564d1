/** The connectors that Pawl brings along, by name. */
import { browser } from './builtin/browser.js';
import { fetch } from './builtin/fetch.js';
import { filesystem } from './builtin/filesystem.js';
import { git } from './builtin/git.js';
import { shell } from './builtin/shell.js';
import { sql } from './builtin/sql.js';
import { terminal } from './builtin/terminal.js';
import type { ConnectorTable } from './table.js';

const tables: ReadonlyMap<string, ConnectorTable> = new Map(
  [filesystem, terminal, fetch, git, shell, browser, sql].map((table) => [table.name, table]),
);

/** A connector of this version, or undefined. */
export function builtinConnector(name: string): ConnectorTable | undefined {
  return tables.get(name);
}

/** Names of the connectors of this version: a server may have one only together with that connector. */
export function builtinNames(): readonly string[] {
  return [...tables.keys()];
}

/** The connector of a server that is started from an exact package and lists no tool that the table does not know. */
export function inferredConnector(
  args: readonly string[],
  tools: readonly string[],
): ConnectorTable | undefined {
  for (const table of tables.values()) {
    const named = args.some((arg) =>
      table.packages.some((name) => arg === name || arg.startsWith(`${name}@`)),
    );
    if (named && tools.length > 0 && tools.every((tool) => Object.hasOwn(table.tools, tool))) return table;
  }
  return undefined;
}
