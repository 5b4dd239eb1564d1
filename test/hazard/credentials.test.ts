/** Who a key stands for, until when, and what a started server is given. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clients, connectOld } from '../e2e/clients.js';
import {
  type Gateway,
  fakeServer,
  pawl,
  pawlArguments,
  serverProgram,
  startGateway,
  temporaryFolder,
} from '../e2e/gateway.js';
import { type Endpoint, call, post, refusalOf, textOf, toolNames } from '../e2e/post.js';

const slowEnough = { timeout: 60_000 };
const fake = { command: process.execPath, args: [fakeServer] };

async function endpoint(gateway: Gateway, agent: string): Promise<Endpoint> {
  const { authorization } = await gateway.issueKey(agent);
  return { url: gateway.url, authorization };
}

describe('keys', slowEnough, () => {
  test('[P.session.unknown-key] a key revoked while its clients are connected refuses their next call, also after a restart', async () => {
    const folder = temporaryFolder();
    const agents = { worker: { allow: [{ tools: ['fake/*'] }] } };
    const gateway = await startGateway({ folder, policy: { pawl: 1, servers: { fake }, agents } });
    const [key, other] = [await gateway.issueKey('worker'), await gateway.issueKey('worker')];
    const to = { url: gateway.url, authorization: key.authorization };
    const shim = await connectOld({ program: pawlArguments('connect', '--key', key.path) });
    const stays = await connectOld({ program: pawlArguments('connect', '--key', other.path) });
    const echo = { name: 'fake__echo', arguments: {} };
    expect((await shim.callTool(echo)).isError).toBeUndefined();
    expect(textOf(await call(to, 'fake__echo', {}))).toBe('{}');
    expect(await gateway.ask('keys', 'revoke', key.id)).toMatchObject({ code: 0 });
    expect(await shim.callTool(echo)).toMatchObject({
      isError: true,
      _meta: { 'pawl/refusal': { code: 'no_such_cap' } },
    });
    expect((await shim.listTools()).tools).toEqual([]);
    await expect(post(to, 'tools/list', {})).rejects.toThrow('status 401');
    expect((await stays.callTool(echo)).isError).toBeUndefined();
    await Promise.all([shim.close(), stays.close()]);
    const late = await pawl('connect', '--key', key.path);
    expect(late).toMatchObject({ code: 1, out: '' });
    expect(late.err).not.toContain(key.secret);
    await gateway.stop();
    const again = await startGateway({ folder });
    await expect(post({ ...to, url: again.url }, 'tools/list', {})).rejects.toThrow('status 401');
    await again.stop();
  });

  test("[S001.handle-per-session] another agent's key sees and reaches its own tools only", async () => {
    const folder = temporaryFolder();
    const agents = {
      worker: { allow: [{ tools: ['fake/echo'] }] },
      reader: { allow: [{ tools: ['fake/seen'] }] },
      idle: { allow: [] },
    };
    const gateway = await startGateway({ folder, policy: { pawl: 1, servers: { fake }, agents } });
    const worker = await endpoint(gateway, 'worker');
    const [reader, idle] = [await endpoint(gateway, 'reader'), await endpoint(gateway, 'idle')];
    expect(await toolNames(worker)).toEqual(['fake__echo']);
    expect(await toolNames(reader)).toEqual(['fake__seen']);
    expect(await toolNames(idle)).toEqual([]);
    expect(refusalOf(await call(reader, 'fake__echo', {}))).toBe('no_such_cap');
    expect(refusalOf(await call(idle, 'fake__seen', {}))).toBe('no_such_cap');
    expect(refusalOf(await call(worker, 'fake__echo', {}))).toBeUndefined();
    for (const stranger of ['nobody', 'constructor', 'toString']) {
      const out = join(folder, 'x');
      expect(await gateway.ask('keys', 'issue', '--agent', stranger, '--out', out)).toMatchObject({
        code: 1,
      });
      expect(existsSync(out)).toBe(false);
    }
    await gateway.stop();
  });

  test('[P.session.deterministic-list] one credential sees the same list through every client and after a restart', async () => {
    const folder = temporaryFolder();
    const agents = { worker: { allow: [{ tools: ['fake/*'] }] } };
    const gateway = await startGateway({ folder, policy: { pawl: 1, servers: { fake }, agents } });
    const key = await gateway.issueKey('worker');
    const list = await toolNames({ url: gateway.url, authorization: key.authorization });
    expect(list).toHaveLength(20);
    const shim = await clients['SDK v2, auto']!({ program: pawlArguments('connect', '--key', key.path) });
    expect((await shim.listTools()).tools.map(({ name }) => name)).toEqual(list);
    await shim.close();
    await gateway.stop();
    const again = await startGateway({ folder });
    expect(await toolNames({ url: again.url, authorization: key.authorization })).toEqual(list);
    await again.stop();
  });
});

test('[P.upstream.declared-env] a server gets the environment of its entry and PATH, and nothing of the gateway', async () => {
  const folder = temporaryFolder();
  const declared = { TOKEN_OF_FAKE: 'declared', EMPTY: '' };
  const every = { command: process.execPath, args: [serverProgram('everything')] };
  const gateway = await startGateway({
    folder,
    policy: {
      pawl: 1,
      servers: { fake: { ...fake, env: declared }, every },
      agents: { worker: { allow: [{ tools: ['fake/env', 'every/get-env'] }] } },
    },
    env: { SECRET_OF_GATEWAY: 'undeclared' },
  });
  const to = await endpoint(gateway, 'worker');
  const inFake: unknown = JSON.parse(textOf(await call(to, 'fake__env', {})));
  expect(inFake).toEqual({ ...declared, PATH: expect.any(String) as string });
  const inEvery: unknown = JSON.parse(textOf(await call(to, 'every__get-env', {})));
  expect(inEvery).toEqual({ PATH: expect.any(String) as string });
  await gateway.stop();
}, 60_000);
