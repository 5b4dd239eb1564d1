/** What of a server's entry is its identity: how it is reached, and what it is given, by name. */
import { describe, expect, test } from 'vitest';
import { load } from '../../../../../test/policies.js';
import { parseServerName } from '../../ground/index.js';
import type { ServerFrame } from '../tool.js';
import { serverGrowth } from './changes.js';

function frame(entry: string): ServerFrame {
  const { policy, problems } = load(`
pawl: 1
servers:
  s: ${entry}
agents: { a: { allow: [ { tools: [s/t] } ] } }
`);
  expect(problems).toEqual([]);
  return policy!.servers.get(parseServerName('s')!)!;
}

const grown = (old: string, next: string): unknown[] =>
  serverGrowth(frame(old), frame(next)).map(({ path, old: before, new: after }) => [path, before, after]);

describe('[P.policy.given] a change of identity', () => {
  test('is another url', () => {
    expect(grown('{ url: "https://a/mcp" }', '{ url: "https://b/mcp" }')).toEqual([
      ['servers.s.url', 'https://a/mcp', 'https://b/mcp'],
    ]);
    expect(grown('{ command: x }', '{ url: "https://b/mcp" }').length).toBeGreaterThan(0);
  });

  test('is another secret, by name: what it holds is no part of a document', () => {
    expect(
      grown('{ command: x, env: { T: { secret: one } } }', '{ command: x, env: { T: { secret: two } } }'),
    ).toEqual([['servers.s.env', { T: { secret: 'one' } }, { T: { secret: 'two' } }]]);
    expect(
      grown('{ url: "https://a", headers: { X: { secret: one } } }', '{ url: "https://a" }'),
    ).toHaveLength(1);
  });

  test('is another literal header, of which the value is not shown', () => {
    const [change] = grown(
      '{ url: "https://a", headers: { X: first-value, Y: same } }',
      '{ url: "https://a", headers: { X: other-value, Y: same } }',
    );
    expect(JSON.stringify(change)).not.toMatch(/first|other/u);
    expect(change).toEqual([
      'servers.s.headers',
      { x: '(hidden)', y: '(the same)' },
      { x: '(hidden)', y: '(the same)' },
    ]);
    const fresh = serverGrowth(undefined, frame('{ url: "https://a", headers: { X: first-value } }'));
    expect(JSON.stringify(fresh)).not.toContain('first');
  });

  test('is another issuer, and other scopes', () => {
    const entry = (issuer: string, scopes: string): string =>
      `{ url: "https://a", auth: { oauth: { issuer: "https://${issuer}", scopes: [${scopes}] } } }`;
    expect(grown(entry('l', 'read'), entry('m', 'read'))).toHaveLength(1);
    expect(grown(entry('l', 'read'), entry('l', 'read, write'))).toHaveLength(1);
    expect(grown('{ url: "https://a" }', entry('l', 'read'))).toHaveLength(1);
    expect(grown(entry('l', 'read'), entry('l', 'read'))).toEqual([]);
  });

  test('is not the letters of a header name', () => {
    expect(
      grown('{ url: "https://a", headers: { X-A: b } }', '{ url: "https://a", headers: { x-a: b } }'),
    ).toEqual([]);
  });
});
