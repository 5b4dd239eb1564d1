/** Connector `shell`: mcp-server-commands, and start_process of Desktop Commander; fields `command` and `path`. */
import type { ConnectorTable, Source, ToolTable } from '../table.js';

function running(source: Omit<Source, 'argument'>, payload: readonly string[]): ToolTable {
  const row = {
    verb: 'execute',
    extent: 'exact',
    fields: { command: [{ argument: ['command'], ...source }] },
    omitted: {},
    needed: true,
    namedOnly: false,
    commands: true,
  } as const;
  return { verb: 'execute', accesses: [row], payload };
}

/**
 * Every simple command is executed, and its words are paths from `workdir`. The `shell` that start_process takes is another
 * program to run, so a rule has to free or constrain it.
 */
export const shell: ConnectorTable = {
  name: 'shell',
  version: 1,
  packages: ['mcp-server-commands'],
  fields: { command: { kind: 'command' }, path: { kind: 'path' } },
  unlisted: 'refuse',
  tools: {
    run_command: running({ base: ['workdir'] }, ['stdin']),
    start_process: running({}, ['timeout_ms', 'verbose_timing', 'origin']),
  },
};
