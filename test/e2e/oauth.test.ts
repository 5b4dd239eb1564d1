/** A server that wants tokens: logins with a person at a browser, tokens for each principal, their renewal and their end. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Issuer, startIssuer } from '../mcp/issuer.js';
import { type ScriptedServer, answerJson, said, scriptedServer } from '../mcp/scripted-server.js';
import {
  type Ended,
  type Gateway,
  Started,
  pawlArguments,
  startGateway,
  temporaryFolder,
} from './gateway.js';
import { type Endpoint, call, refusalOf, textOf } from './post.js';

let issuer: Issuer;
let server: ScriptedServer;
let gateway: Gateway;
let ann: Endpoint;
let folder = '';
/** Access tokens that the server saw with calls. */
const seen: string[] = [];

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  issuer = await startIssuer();
  server = await scriptedServer({
    script: (asked) => {
      const { headers, message, response } = asked;
      const token = headers.authorization?.replace(/^Bearer /u, '') ?? '';
      if (!issuer.knows(token)) return response.writeHead(401).end() !== undefined;
      if (message['method'] !== 'tools/call') return false;
      seen.push(token);
      return answerJson(asked, said(`you are ${token}`));
    },
  });
  const auth = { oauth: { issuer: issuer.url, scopes: ['read'] } };
  const policy = {
    pawl: 1,
    servers: { tools: { url: server.url, auth } },
    agents: { ann: { allow: [{ tools: ['tools/*'] }] }, bo: { allow: [{ tools: ['tools/*'] }] } },
  };
  const file = join(folder, 'pawl.json');
  writeFileSync(file, JSON.stringify(policy));
  expect((await login()).code).toBe(0);
  gateway = await startGateway({ folder, policy });
  ann = { url: gateway.url, authorization: (await gateway.issueKey('ann')).authorization };
}, 60_000);
afterAll(async () => {
  await gateway.stop();
  await server.close();
  await issuer.close();
});

/** `pawl secrets login`, and the person at the browser. */
async function login(...more: readonly string[]): Promise<Ended> {
  const place = ['--policy', join(folder, 'pawl.json'), '--store', join(folder, 'store')];
  const started = new Started(pawlArguments('secrets', 'login', 'tools', ...place, ...more));
  const [, url = ''] = await started.shows(/^ {2}(http\S+)$/mu);
  // Somebody else on this machine knocks first.
  const door = new URL(url).searchParams.get('redirect_uri') ?? '';
  for (const knock of ['', '?state=guessed&code=c', '?state=&error=access_denied'])
    expect((await fetch(door + knock)).status).toBe(404);
  await fetch(url);
  return started.ended;
}

async function why(): Promise<string> {
  const { out } = await gateway.ask('status', '--json');
  return (JSON.parse(out) as { servers: { why?: string }[] }).servers[0]?.why ?? '';
}

const use = async (): Promise<string> => {
  const answer = await call(ann, 'tools__go', {});
  return refusalOf(answer) ?? textOf(answer);
};
const used = (): Promise<void> =>
  vi.waitFor(async () => expect(await use()).toBe('you are [secret]'), { timeout: 30_000, interval: 200 });

describe('[P.oauth.principals] a server that wants tokens', { timeout: 60_000 }, () => {
  test('is there for a principal only once somebody has logged in for it', async () => {
    expect(await use()).toBe('upstream_gone');
    await vi.waitFor(async () =>
      expect(await why()).toBe(
        'nobody has logged in there for ann; run: pawl secrets login tools --agent ann',
      ),
    );
    const ended = await login('--agent', 'ann');
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('renewed by Pawl') as string });
    await used();
  });

  test('is asked with the token of the principal, which no other gets and nobody is told', async () => {
    const bo = { url: gateway.url, authorization: (await gateway.issueKey('bo')).authorization };
    expect(refusalOf(await call(bo, 'tools__go', {}))).toBe('upstream_gone');
    await login('--agent', 'bo');
    await vi.waitFor(async () => expect(textOf(await call(bo, 'tools__go', {}))).toBe('you are [secret]'), {
      timeout: 30_000,
      interval: 200,
    });
    await used();
    expect(new Set(seen).size).toBe(2);
    const { out } = await gateway.ask('secrets', 'list');
    expect(out).toMatch(/login of ann +set .* tools\nlogin of bo +set .* tools/u);
    const told =
      out + gateway.process.out + gateway.process.err + (await gateway.ask('audit', 'show', '--json')).out;
    for (const token of seen) expect(told).not.toContain(token);
    const tokens = join(gateway.store, 'tokens');
    for (const name of readdirSync(tokens)) {
      expect(statSync(join(tokens, name)).mode & 0o777).toBe(0o600);
      expect(
        seen.some((token) => readFileSync(join(gateway.store, 'pawl.db'), 'latin1').includes(token)),
      ).toBe(false);
    }
  });

  test('[P.oauth.renewal] gets a renewed token when it refuses one, without a person', async () => {
    const before = seen.at(-1);
    issuer.revoke();
    expect(await use()).toBe('outcome_unknown');
    await used();
    expect(seen.at(-1)).not.toBe(before);
    expect(issuer.forms.at(-1)?.get('grant_type')).toBe('refresh_token');
  });

  test('[P.oauth.renewal] whose issuer renews no more is absent until somebody logs in again', async () => {
    issuer.script = { refuses: true };
    issuer.revoke();
    await use();
    await vi.waitFor(
      async () => expect(await why()).toContain('was refused: invalid_grant; run: pawl secrets login tools'),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
    const asked = issuer.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(issuer.asked.length - asked).toBeLessThan(20);
    issuer.script = {};
    await login('--agent', 'ann');
    await used();
  });

  test('is left by a principal that is logged out', async () => {
    expect(await gateway.ask('secrets', 'logout', 'tools', '--agent', 'ann')).toMatchObject({ code: 0 });
    expect(await use()).toBe('upstream_gone');
    expect(await gateway.ask('secrets', 'logout', 'tools', '--agent', 'ann')).toMatchObject({ code: 1 });
  });

  test('takes no login for who is not in the policy', async () => {
    const policy = ['--policy', gateway.policy];
    for (const words of [
      ['tools', '--agent', 'nobody'],
      ['other'],
      ['tools', '--instance', 'x'],
      ['tools', '--agent', 'a/b'],
    ])
      expect((await gateway.ask('secrets', 'login', ...words, ...policy)).code).toBe(2);
  });
});
