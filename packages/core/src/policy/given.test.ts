import { describe, expect, test } from 'vitest';
import { load } from '../../../../test/policies.js';
import { parseServerName } from '../ground/index.js';
import type { ServerSource } from './document.js';

function read(entry: string): {
  readonly server: ServerSource | undefined;
  readonly problems: readonly string[];
} {
  const { policy, problems } = load(`
pawl: 1
servers:
  s: ${entry}
agents: { a: { allow: [ { tools: [s/t] } ] } }
`);
  const server = policy?.servers.get(parseServerName('s')!)?.source;
  return { server, problems: problems.map(({ path, message }) => `${path} ${message}`) };
}

describe('[P.policy.given] what a server is given', () => {
  test('is texts, and stored secrets by name', () => {
    const { server, problems } = read('{ command: x, env: { LEVEL: warn, TOKEN: { secret: files_token } } }');
    expect(problems).toEqual([]);
    expect(server?.env).toEqual({ LEVEL: 'warn', TOKEN: { secret: 'files_token' } });
    const remote = read(
      '{ url: "https://tools.example/mcp?v=1", headers: { Authorization: { secret: T-1 }, X-Team: blue team } }',
    );
    expect(remote.problems).toEqual([]);
    expect(remote.server).toMatchObject({
      url: 'https://tools.example/mcp?v=1',
      command: undefined,
      headers: { authorization: { secret: 'T-1' }, 'x-team': 'blue team' },
    });
  });

  test.each([
    ['{ command: x, env: { T: { secret: "" } } }', 'servers.s.env.T.secret'],
    ['{ command: x, env: { T: { secret: ../keys } } }', 'servers.s.env.T.secret'],
    ['{ command: x, env: { T: { secret: .hidden } } }', 'servers.s.env.T.secret'],
    ['{ command: x, env: { T: { secret: 7 } } }', 'servers.s.env.T.secret'],
    ['{ command: x, env: { T: { secret: a, or: b } } }', 'servers.s.env.T'],
    ['{ command: x, env: { T: {} } }', 'servers.s.env.T'],
    ['{ command: x, env: { T: [a] } }', 'servers.s.env.T'],
    ['{ command: x, env: { "T X": { secret: a } } }', 'servers.s.env.T X'],
    ['{ url: "http://h/", headers: { "X Y": a } }', 'servers.s.headers.X Y'],
    ['{ url: "http://h/", headers: { X: "a\\r\\nY: b" } }', 'servers.s.headers.X'],
    ['{ url: "http://h/", headers: { X: "" } }', 'servers.s.headers.X'],
    ['{ url: "http://h/", headers: { X: " a" } }', 'servers.s.headers.X'],
    ['{ url: "http://h/", headers: { X: "a\\tb" } }', 'servers.s.headers.X'],
    ['{ url: "http://h/", headers: { X: é } }', 'servers.s.headers.X'],
    ['{ url: "http://h/", headers: { X-A: a, x-a: b } }', 'servers.s.headers.x-a'],
  ])('%s is an error at %s', (entry, path) => {
    expect(read(entry).problems.some((problem) => problem.startsWith(`${path} `))).toBe(true);
  });

  test.each([
    'Host',
    'content-length',
    'Content-Type',
    'accept',
    'Accept-Encoding',
    'transfer-encoding',
    'connection',
    'Mcp-Session-Id',
    'MCP-Protocol-Version',
    'mcp-param-x',
    'last-event-id',
    'Proxy-Authorization',
  ])("the header %s is Pawl's own", (name) => {
    expect(read(`{ url: "http://h/", headers: { ${name}: { secret: abc } } }`).problems.join('\n')).toContain(
      'Pawl does not set itself',
    );
  });
});

describe('[P.policy.reach] a server is started or reached', () => {
  test.each([
    ['{ command: x, url: "https://h/mcp" }', 'servers.s.command'],
    ['{ url: "https://h/mcp", args: [a] }', 'servers.s.args'],
    ['{ url: "https://h/mcp", cwd: /x }', 'servers.s.cwd'],
    ['{ url: "https://h/mcp", env: { A: b } }', 'servers.s.env'],
    ['{ url: "https://h/mcp", sandbox: { network: none } }', 'servers.s.sandbox'],
    ['{ command: x, headers: { A: b } }', 'servers.s.headers'],
    ['{ headers: { A: b } }', 'servers.s.headers'],
    ['{ url: 7 }', 'servers.s.url'],
    ['{ url: "" }', 'servers.s.url'],
    ['{ url: "tools.example/mcp" }', 'servers.s.url'],
    ['{ url: "ftp://h/mcp" }', 'servers.s.url'],
    ['{ url: "https:/h/mcp" }', 'servers.s.url'],
    ['{ url: "file:///etc/passwd" }', 'servers.s.url'],
    ['{ url: "https://h/mcp#a" }', 'servers.s.url'],
    ['{ url: "https://h\\\\@evil/" }', 'servers.s.url'],
    ['{ url: "https://h/m cp" }', 'servers.s.url'],
    ['{ url: "https://[::g]/" }', 'servers.s.url'],
  ])('%s is an error at %s', (entry, path) => {
    expect(read(entry).problems.some((problem) => problem.startsWith(`${path} `))).toBe(true);
  });

  test('sandbox: none demands nothing of a server elsewhere', () => {
    expect(read('{ url: "https://h/mcp", sandbox: none, root: /data }').problems).toEqual([]);
  });

  test('a url with a user is refused without being repeated', () => {
    const [problem] = read('{ url: "https://ann:hunter22@h/mcp" }').problems;
    expect(problem).toContain('a url with a user');
    expect(problem).not.toContain('hunter22');
  });
});

describe('[P.policy.given] tokens of an issuer', () => {
  test('are asked for by issuer and scopes', () => {
    const { server, problems } = read(
      '{ url: "https://h/mcp", auth: { oauth: { issuer: "https://login.example/t", scopes: [read, "a:b"] } } }',
    );
    expect(problems).toEqual([]);
    expect(server?.auth).toEqual({ oauth: { issuer: 'https://login.example/t', scopes: ['read', 'a:b'] } });
    const bare = read('{ url: "https://h/mcp", auth: { oauth: { issuer: "http://127.0.0.1:9" } } }');
    expect(bare.server?.auth).toEqual({ oauth: { issuer: 'http://127.0.0.1:9', scopes: [] } });
  });

  test.each([
    ['auth: {}', 'servers.s.auth'],
    ['auth: { oauth: {} }', 'servers.s.auth.oauth'],
    ['auth: { basic: {} }', 'servers.s.auth'],
    ['auth: { oauth: { issuer: 7 } }', 'servers.s.auth.oauth.issuer'],
    ['auth: { oauth: { issuer: "http://login.example" } }', 'servers.s.auth.oauth.issuer'],
    ['auth: { oauth: { issuer: "https://login.example?x" } }', 'servers.s.auth.oauth.issuer'],
    ['auth: { oauth: { issuer: "https://a:b@login.example" } }', 'servers.s.auth.oauth.issuer'],
    ['auth: { oauth: { issuer: "https://l", scopes: ["a b"] } }', 'servers.s.auth.oauth.scopes'],
    ['auth: { oauth: { issuer: "https://l", client: x } }', 'servers.s.auth.oauth'],
    [
      'headers: { authorization: x }, auth: { oauth: { issuer: "https://l" } }',
      'servers.s.headers.authorization',
    ],
  ])('%s is an error at %s', (entry, path) => {
    const { problems } = read(`{ url: "https://h/mcp", ${entry} }`);
    expect(problems.some((problem) => problem.startsWith(`${path} `))).toBe(true);
  });

  test('are for a server at a url', () => {
    expect(read('{ command: x, auth: { oauth: { issuer: "https://l" } } }').problems.join()).toContain(
      'auth only with url',
    );
  });
});
