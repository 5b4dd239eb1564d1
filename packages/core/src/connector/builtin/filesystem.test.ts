/** What calls of the filesystem server's tools touch. */
import { describe, expect, test } from 'vitest';
import { filesystemTools, gate } from '../../../../../test/policies.js';
import type { JsonObject } from '../../ground/index.js';

const policy = gate(
  'pawl: 1\nservers: { files: { command: x, connector: filesystem, root: /w } }\nagents: { a: { allow: [ { tools: ["files/*"] } ] } }',
  { files: filesystemTools },
);

const rows: readonly (readonly [string, JsonObject, readonly JsonObject[]])[] = [
  ['read_text_file', { path: '/w/a', head: 1 }, [{ verb: 'read', path: '/w/a' }]],
  [
    'read_multiple_files',
    { paths: ['/w/a', 'b'] },
    [
      { verb: 'read', path: '/w/a' },
      { verb: 'read', path: '/w/b' },
    ],
  ],
  ['search_files', { path: '/w', pattern: '*' }, [{ verb: 'read', extent: 'subtree', path: '/w' }]],
  ['directory_tree', { path: '/w' }, [{ verb: 'read', extent: 'subtree', path: '/w' }]],
  ['list_directory', { path: '/w' }, [{ verb: 'list', path: '/w' }]],
  ['write_file', { path: '/w/a', content: '' }, [{ verb: 'write', path: '/w/a' }]],
  [
    'edit_file',
    { path: '/w/a', edits: [] },
    [
      { verb: 'read', path: '/w/a' },
      { verb: 'write', path: '/w/a' },
    ],
  ],
  [
    'move_file',
    { source: '/w/a', destination: '/w/b' },
    [
      { verb: 'delete', extent: 'subtree', path: '/w/a' },
      { verb: 'write', extent: 'subtree', path: '/w/b' },
    ],
  ],
  ['list_allowed_directories', {}, [{ verb: 'list' }]],
];

describe('filesystem', () => {
  test.each(rows)('[P.connector.filesystem] %s touches what its table says', (tool, args, expected) => {
    const verdict = policy.call(`files/${tool}`, args);
    expect(verdict.decision).toBe('permit');
    expect(verdict.accesses).toEqual(expected.map((access) => ({ tool: `files/${tool}`, ...access })));
  });
});
