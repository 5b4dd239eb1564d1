import { describe, expect, test } from 'vitest';
import { load } from '../../../../test/policies.js';
import { parseServerName } from '../ground/index.js';

function server(sandbox: string): ReturnType<typeof load> {
  return load(`
pawl: 1
servers:
  files: { command: x, sandbox: ${sandbox} }
agents: { a: { allow: [ { tools: [files/read] } ] } }
`);
}

describe('the sandbox of a server', () => {
  test.each([
    ['none', undefined],
    ['{}', { read: [], write: [], network: 'none' }],
    [
      '{ read: [/data, docs], write: [/data/out], network: none }',
      { read: ['/data', 'docs'], write: ['/data/out'], network: 'none' },
    ],
    [
      '{ network: { hosts: [api.example, "*.cdn.example", 10.0.0.0/8] } }',
      { read: [], write: [], network: { hosts: ['api.example', '*.cdn.example', '10.0.0.0/8'] } },
    ],
  ])('%s is read', (text, expected) => {
    const { policy, problems } = server(text);
    expect(problems).toEqual([]);
    expect(policy?.servers.get(parseServerName('files')!)?.source?.sandbox).toEqual(expected);
  });

  test.each([
    ['all', 'servers.files.sandbox'],
    ['[/data]', 'servers.files.sandbox'],
    ['{ paths: [/data] }', 'servers.files.sandbox'],
    ['{ read: /data }', 'servers.files.sandbox.read'],
    ['{ read: [1] }', 'servers.files.sandbox.read[0]'],
    ['{ read: [""] }', 'servers.files.sandbox.read'],
    ['{ write: [~/x] }', 'servers.files.sandbox.write'],
    ['{ network: any }', 'servers.files.sandbox.network'],
    ['{ network: {} }', 'servers.files.sandbox.network'],
    ['{ network: { hosts: [] } }', 'servers.files.sandbox.network.hosts'],
    ['{ network: { hosts: ["a*b"] } }', 'servers.files.sandbox.network.hosts'],
    ['{ network: { hosts: ["http://x"] } }', 'servers.files.sandbox.network.hosts'],
    ['{ network: { hosts: [a], ports: [1] } }', 'servers.files.sandbox.network'],
  ])('%s is a load error at its place', (text, path) => {
    const { policy, problems } = server(text);
    expect(policy).toBeUndefined();
    expect(problems.map((problem) => problem.path)).toEqual([path]);
  });
});
