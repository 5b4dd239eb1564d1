/** Connector `terminal`: the six tools of examples/terminal; fields `backends` and `targets`. */
import type { Verb } from '../../authority/index.js';
import type { AccessRow, ConnectorTable, Source, ToolTable } from '../table.js';

const backend: Source = { argument: ['backend'] };
const backends: readonly Source[] = [backend, { argument: ['target'], prefix: ':' }];
const targets: readonly Source[] = [{ argument: ['target'], joined: { field: 'backends', by: ':' } }];

function row(verb: Verb, fields: AccessRow['fields'], omitted: AccessRow['omitted'] = {}): AccessRow {
  return { verb, extent: 'exact', fields, omitted, needed: true, namedOnly: false };
}

/** A tool that acts on one target; what stands before the first colon of a target is its backend. */
function onTarget(verb: Verb, ...payload: readonly string[]): ToolTable {
  return { verb, accesses: [row(verb, { backends, targets })], payload };
}

/** Listing goes over all backends unless one is named; everything else goes to one target. */
export const terminal: ConnectorTable = {
  name: 'terminal',
  version: 1,
  packages: [],
  fields: {
    backends: { kind: 'oneOf', vocabulary: { values: ['tmux', 'kitty', 'iterm2'], wildcard: 'all' } },
    targets: { kind: 'oneOf' },
  },
  unlisted: 'refuse',
  tools: {
    terminal_list_targets: {
      verb: 'list',
      accesses: [row('list', { backends: [backend] }, { backends: 'everything' })],
      payload: [],
    },
    terminal_capture: onTarget('read', 'lines'),
    terminal_send_text: onTarget('execute', 'text'),
    terminal_send_keys: onTarget('execute', 'keys'),
    terminal_open: {
      verb: 'write',
      accesses: [row('write', { backends: [backend] })],
      payload: ['name'],
    },
    terminal_close: onTarget('delete'),
  },
};
