/** A gateway behind a gateway: a server reached over HTTP with a stored secret, and another that is started with one. */
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Ended,
  type Gateway,
  Started,
  fakeServer,
  pawlArguments,
  startGateway,
  temporaryFolder,
} from './gateway.js';
import { type Endpoint, call, refusalOf, textOf, toolNames } from './post.js';

let folder = '';
let inner: Gateway;
let outer: Gateway;
let worker: Endpoint;
let innerKey = '';
const token = 'token-"quoted"-and-longer';

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const each of ['inner', 'outer']) mkdirSync(join(folder, each));
  const server = { command: process.execPath, args: [fakeServer] };
  const allow = [{ tools: ['files/*'] }];
  inner = await startGateway({
    folder: join(folder, 'inner'),
    policy: { pawl: 1, servers: { files: server }, agents: { outer: { allow } } },
  });
  innerKey = (await inner.issueKey('outer')).secret;
  const policy = {
    pawl: 1,
    servers: {
      inner: { url: inner.url, headers: { Authorization: { secret: 'inner_key' } } },
      local: { ...server, env: { TOKEN: { secret: 'local_token' } } },
    },
    agents: { worker: { allow: [{ tools: ['inner/*', 'local/*'] }] } },
  };
  const store = join(folder, 'outer/store');
  await set(store, 'inner_key', `Bearer ${innerKey}\n`);
  await set(store, 'local_token', token);
  outer = await startGateway({ folder: join(folder, 'outer'), policy });
  worker = { url: outer.url, authorization: (await outer.issueKey('worker')).authorization };
}, 60_000);
afterAll(async () => {
  await outer.stop();
  await inner.stop();
});

/** `pawl secrets set`, with the value on its standard input. */
async function set(store: string, name: string, value: string): Promise<Ended> {
  const started = new Started(pawlArguments('secrets', 'set', name, '--store', store));
  started.child.stdin?.end(value);
  const ended = await started.ended;
  expect(ended.out + ended.err).not.toContain(value.trim());
  return ended;
}

interface ServerRow {
  readonly server: string;
  readonly state: string;
  readonly why?: string;
}

async function row(server: string): Promise<ServerRow | undefined> {
  const { out } = await outer.ask('status', '--json');
  return (JSON.parse(out) as { servers: ServerRow[] }).servers.find((each) => each.server === server);
}

const echoed = async (): Promise<string> => textOf(await call(worker, 'inner__files__echo', {}));

describe('a server elsewhere', { timeout: 60_000 }, () => {
  test('[P.upstream.http] is listed and called like one that is started', async () => {
    expect(await toolNames(worker)).toContain('inner__files__echo');
    expect(await echoed()).toBe('{}');
    expect(await row('inner')).toMatchObject({ state: 'up' });
  });

  test('[P.upstream.http] passes the refusal of the gateway there on', async () => {
    await inner.ask('freeze', 'outer');
    const answer = await call(worker, 'inner__files__echo', {});
    await inner.ask('thaw', 'outer');
    expect(answer).toMatchObject({ isError: true });
    expect(JSON.stringify(answer)).not.toContain(innerKey);
  });

  test('[P.secrets.rotated] gets another value of its secret with the next request, and comes back by itself', async () => {
    await inner.ask('keys', 'revoke', innerKey.split('_')[1] ?? '');
    const refused = refusalOf(await call(worker, 'inner__files__echo', {}));
    expect(refused).toBe('outcome_unknown');
    await vi.waitFor(
      async () => expect((await row('inner'))?.why).toContain('refuses the credentials (HTTP 401)'),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
    innerKey = (await inner.issueKey('outer')).secret;
    expect(await set(outer.store, 'inner_key', `Bearer ${innerKey}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('has a new value') as string,
    });
    await vi.waitFor(async () => expect(await echoed()).toBe('{}'), { timeout: 30_000, interval: 200 });
    expect((await row('inner'))?.why).toBeUndefined();
  });

  test('[P.bad.upstream-dies] that goes away is down, its calls were not sent, and it comes back', async () => {
    const { port } = new URL(inner.url);
    await inner.stop();
    await vi.waitFor(
      async () => {
        const refused = refusalOf(await call(worker, 'inner__files__echo', {}));
        expect(refused).toBe('upstream_gone');
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(textOf(await call(worker, 'local__echo', {}))).toBe('{}');
    inner = await startGateway({ folder: inner.folder, args: ['--http', `127.0.0.1:${port}`] });
    await vi.waitFor(async () => expect(await echoed()).toBe('{}'), { timeout: 40_000, interval: 200 });
  });

  test('[P.secrets.missing] without its secret is absent, with the reason, and sends no empty header', async () => {
    await outer.ask('secrets', 'remove', 'inner_key');
    const refused = refusalOf(await call(worker, 'inner__files__echo', {}));
    expect(refused).toBe('upstream_gone');
    await vi.waitFor(async () =>
      expect((await row('inner'))?.why).toBe(
        'the secret inner_key is not stored; store it with: pawl secrets set inner_key',
      ),
    );
    const { out } = await outer.ask('secrets', 'list', '--policy', outer.policy);
    expect(out).toMatch(/inner_key +NOT STORED +inner/u);
    expect(out).toMatch(/local_token +set .* +local/u);
    await set(outer.store, 'inner_key', `Bearer ${innerKey}`);
    await vi.waitFor(async () => expect(await echoed()).toBe('{}'), { timeout: 40_000, interval: 200 });
  });

  test('[P.policy.given] of another secret is another server: a reload waits for the operator', async () => {
    const before = readFileSync(outer.policy, 'utf8');
    writeFileSync(outer.policy, before.replace('inner_key', 'other_key'));
    const { code, out, err } = await outer.ask('reload', '--json');
    expect(code, err).toBe(1);
    expect(out).toContain('other_key');
    writeFileSync(outer.policy, before);
    expect((await outer.ask('reload')).code).toBe(0);
    expect(await echoed()).toBe('{}');
  });
});

describe('[P.secrets.removed] secrets', { timeout: 60_000 }, () => {
  test('reach the process, and are taken out of what it answers', async () => {
    const seen = textOf(await call(worker, 'local__env', {}));
    expect(JSON.parse(seen)).toMatchObject({ TOKEN: '[secret]' });
  });

  test('are nowhere but in their files', async () => {
    const [status, log, shown] = await Promise.all([
      outer.ask('status', '--json'),
      outer.ask('audit', 'show', '--json'),
      outer.ask('secrets', 'list', '--json'),
    ]);
    const told =
      [status, log, shown].map(({ out, err }) => out + err).join('\n') +
      outer.process.out +
      outer.process.err;
    const files = readdirSync(outer.store, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('secrets') && statSync(join(outer.store, name)).isFile())
      .map((name) => readFileSync(join(outer.store, name), 'latin1'));
    for (const text of [told, ...files]) expect(text.includes(innerKey)).toBe(false);
    for (const name of readdirSync(join(outer.store, 'secrets')))
      expect(statSync(join(outer.store, 'secrets', name)).mode & 0o777).toBe(0o600);
  });

  test('are not taken from the command line, and not with line ends', async () => {
    const misuse = await outer.ask('secrets', 'set', 'other', 'value-of-it');
    expect(misuse).toMatchObject({ code: 2 });
    expect(misuse.err).not.toContain('value-of-it');
    const refused = await set(outer.store, 'other', 'abcdef\r\nX-Admin: 1');
    expect(refused.code).toBe(1);
    expect((await outer.ask('secrets', 'list', '--json')).out).not.toContain('other');
    expect(await outer.ask('secrets', 'remove', 'other')).toMatchObject({ code: 1 });
  });
});
