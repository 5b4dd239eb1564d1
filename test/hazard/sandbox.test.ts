/** Servers in a sandbox: what hostile ones reach, what the policy is told, and what happens where there is no sandbox. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@pawl/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithSandbox } from '../bubblewrap.js';
import { type Gateway, startGateway, temporaryFolder } from '../e2e/gateway.js';
import { type Endpoint, call, textOf, toolNames } from '../e2e/post.js';

const program = fileURLToPath(new URL('../mcp/hostile-server.mjs', import.meta.url));

function policyOf(sandbox: unknown, data: string): object {
  const server = {
    command: process.execPath,
    args: [join(data, 'server.mjs')],
    cwd: data,
    env: { TOKEN: 'given' },
  };
  return {
    pawl: 1,
    servers: { nosy: { ...server, ...(sandbox === undefined ? {} : { sandbox }) } },
    agents: { worker: { allow: [{ tools: ['nosy/attempt'] }] } },
  };
}

function folders(): { readonly policy: string; readonly data: string; readonly outside: string } {
  const base = temporaryFolder(afterAll);
  const [policy, data, outside] = ['policy', 'data', 'outside'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [policy, data, outside, join(data, 'out')]) mkdirSync(folder);
  writeFileSync(join(data, 'server.mjs'), readFileSync(program));
  writeFileSync(join(data, 'own.txt'), 'own');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  symlinkSync(outside, join(data, 'link'));
  return { policy, data, outside };
}

async function endpoint(gateway: Gateway): Promise<Endpoint> {
  const { authorization } = await gateway.issueKey('worker');
  return { url: gateway.url, authorization };
}

describeWithSandbox('a server in its sandbox', () => {
  const { policy, data, outside } = folders();
  let gateway: Gateway;
  let to: Endpoint;

  beforeAll(async () => {
    const sandbox = { read: [data], write: [join(data, 'out')], network: 'none' };
    gateway = await startGateway({ folder: policy, policy: policyOf(sandbox, data) });
    to = await endpoint(gateway);
  });
  afterAll(() => gateway.stop());

  const attempt = async (what: string, more: JsonObject = {}): Promise<unknown> => {
    const result = await call(to, 'nosy__attempt', { what, ...more });
    return result['isError'] === true
      ? `refused: ${textOf(result)}`
      : (JSON.parse(textOf(result)) as unknown);
  };

  test('does its work in the folders that it has [P.powers.sandbox]', async () => {
    expect(await attempt('read', { path: join(data, 'own.txt') })).toBe('own');
    expect(await attempt('write', { path: join(data, 'out/made.txt') })).toBe('done');
    expect(readFileSync(join(data, 'out/made.txt'), 'utf8')).toBe('written');
    expect(await attempt('environment')).toMatchObject({ TOKEN: 'given' });
  });

  test.each([
    ['a file outside', 'read', () => ({ path: join(outside, 'secret.txt') })],
    ['a file outside through a link', 'read', () => ({ path: join(data, 'link/secret.txt') })],
    ['a file outside through its own root', 'read', () => ({ path: `/proc/self/root${outside}/secret.txt` })],
    ['users of the machine', 'read', () => ({ path: '/etc/passwd' })],
    ['the policy', 'read', () => ({ path: gateway.policy })],
    ['the store', 'list', () => ({ path: gateway.store })],
    ['a folder that it may only read', 'write', () => ({ path: join(data, 'own.txt') })],
    ['programs', 'write', () => ({ path: '/usr/bin/pawl-test' })],
    ['the policy, to change it', 'write', () => ({ path: gateway.policy })],
    ['its folder, to move it', 'move', () => ({ path: join(data, 'out') })],
    ['a port of the machine', 'connect', () => ({ port: Number(new URL(gateway.url).port) })],
    ['the socket of the operators', 'socket', () => ({ path: join(gateway.store, 'control.sock') })],
    ['the socket of the agents', 'socket', () => ({ path: join(gateway.store, 'agents.sock') })],
  ])('does not reach %s', async (_, what, args) => {
    expect(await attempt(what, args())).toMatch(/^refused: E/u);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(existsSync(join(data, 'out'))).toBe(true);
  });

  test('sees no processes but its own', async () => {
    expect(await attempt('processes')).toBeLessThan(6);
    expect(JSON.stringify(await attempt('parent'))).not.toContain('PAWL');
  });

  test('is shown as confined by object in the audit and in the status [P.audit.confinement]', async () => {
    const shown = await gateway.ask('audit', 'show', '--json');
    expect(shown.out).toContain('"confinement":"object"');
    expect(shown.out).toContain('"confinedBy":"bubblewrap"');
    expect(shown.out).not.toContain('"confinement":"name"');
    const { servers } = JSON.parse((await gateway.ask('status', '--json')).out) as { servers: unknown };
    expect(servers).toMatchObject([{ server: 'nosy', state: 'up', confinement: 'object' }]);
  });
});

describeWithSandbox('a sandbox that cannot be had', () => {
  test.each([
    ['the folder of the policy', (data: string) => ({ read: [data, '.'] }), /no sandbox may show/u],
    ['no folder with the program', () => ({ read: [] }), /ended with code/u],
  ])('leaves the server without tools, and says so: %s', async (_, sandbox, why) => {
    const { policy, data } = folders();
    const gateway = await startGateway({ folder: policy, policy: policyOf(sandbox(data), data) });
    try {
      expect(await toolNames(await endpoint(gateway))).toEqual([]);
      expect(gateway.process.err).toMatch(why);
      const { servers } = JSON.parse((await gateway.ask('status', '--json')).out) as { servers: unknown };
      expect(servers).toMatchObject([{ tools: 0, state: 'down', why: expect.stringMatching(why) }]);
    } finally {
      await gateway.stop();
    }
  });

  test('is not asked of a server that demands none: what it names is judged, and the audit says that', async () => {
    const { policy, data, outside } = folders();
    const gateway = await startGateway({ folder: policy, policy: policyOf('none', data) });
    try {
      const to = await endpoint(gateway);
      const result = await call(to, 'nosy__attempt', { what: 'read', path: join(outside, 'secret.txt') });
      expect(textOf(result)).toBe('"secret"');
      expect((await gateway.ask('audit', 'show', '--json')).out).toContain('"confinement":"name"');
    } finally {
      await gateway.stop();
    }
  });

  test('with hosts reaches those through the proxy and nothing else', async () => {
    const { policy, data } = folders();
    let connections = 0;
    const inner = createServer((socket) => socket.destroy());
    inner.on('connection', () => (connections += 1));
    await new Promise<void>((done) => inner.listen(0, '127.0.0.1', done));
    const sandbox = { read: [data], network: { hosts: ['api.example'] } };
    const gateway = await startGateway({ folder: policy, policy: policyOf(sandbox, data) });
    try {
      const to = await endpoint(gateway);
      const { port } = inner.address() as AddressInfo;
      const direct = await call(to, 'nosy__attempt', { what: 'connect', port });
      expect(textOf(direct)).toBe('ECONNREFUSED');
      const environment = await call(to, 'nosy__attempt', { what: 'environment' });
      expect(JSON.parse(textOf(environment))).toMatchObject({
        HTTPS_PROXY: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/u),
        TOKEN: 'given',
      });
      expect(connections).toBe(0);
    } finally {
      await gateway.stop();
      inner.close();
    }
    expect(readdirSync(policy)).toContain('store');
  });
});
