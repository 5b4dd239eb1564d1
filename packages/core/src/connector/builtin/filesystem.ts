/** Connector `filesystem`: @modelcontextprotocol/server-filesystem, field `path`. */
import type { Extent, Verb } from '../../authority/index.js';
import type { AccessRow, ConnectorTable, ToolTable } from '../table.js';

function row(verb: Verb, argument: string, extent: Extent = 'exact', namedOnly = false): AccessRow {
  return { verb, extent, namedOnly, fields: { path: [{ argument: [argument] }] }, omitted: {}, needed: true };
}

function tool(accesses: readonly AccessRow[], payload: readonly string[] = []): ToolTable {
  return { verb: accesses[0]?.verb ?? 'list', accesses, payload };
}

/** Listing shows names, so it is exact; search and tree read what is beneath; a move takes a folder with all in it. */
export const filesystem: ConnectorTable = {
  name: 'filesystem',
  version: 1,
  packages: ['@modelcontextprotocol/server-filesystem'],
  fields: { path: { kind: 'path' } },
  unlisted: 'refuse',
  tools: {
    read_file: tool([row('read', 'path')], ['head', 'tail']),
    read_text_file: tool([row('read', 'path')], ['head', 'tail']),
    read_media_file: tool([row('read', 'path')]),
    read_multiple_files: tool([row('read', 'paths')]),
    search_files: tool([row('read', 'path', 'subtree')], ['pattern', 'excludePatterns']),
    directory_tree: tool([row('read', 'path', 'subtree')], ['excludePatterns']),
    list_directory: tool([row('list', 'path')]),
    list_directory_with_sizes: tool([row('list', 'path')], ['sortBy']),
    get_file_info: tool([row('list', 'path')]),
    write_file: tool([row('write', 'path')], ['content']),
    create_directory: tool([row('write', 'path')]),
    edit_file: tool([row('read', 'path'), row('write', 'path')], ['edits', 'dryRun']),
    move_file: tool([row('delete', 'source', 'subtree', true), row('write', 'destination', 'subtree', true)]),
    list_allowed_directories: tool([]),
  },
};
