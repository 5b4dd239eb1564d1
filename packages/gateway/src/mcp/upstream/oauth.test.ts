import { systemClock, systemEntropy } from '@pawl/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Issuer, startIssuer } from '../../../../../test/mcp/issuer.js';
import { type Login, type OAuthTarget, beginLogin, renewTokens } from './oauth.js';

let issuer: Issuer;
let target: OAuthTarget;
const redirect = 'http://127.0.0.1:9/callback';
beforeEach(async () => {
  issuer = await startIssuer();
  target = { issuer: issuer.url, scopes: ['read', 'write'], resource: 'https://tools.example/mcp' };
});
afterEach(() => issuer.close());

const begin = (more: { readonly client?: string } = {}): Promise<Login> =>
  beginLogin(target, { redirect, clock: systemClock, entropy: systemEntropy, ...more });

/** What the browser comes back with. */
async function browse(url: string): Promise<URLSearchParams> {
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

describe('[P.oauth.login] a login', () => {
  test('asks for what the policy says, for the server alone, and gives tokens', async () => {
    const login = await begin();
    const asked = new URL(login.url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      scope: 'read write',
      resource: 'https://tools.example/mcp',
      client_id: 'client-1',
      code_challenge_method: 'S256',
      redirect_uri: redirect,
    });
    const tokens = await login.finish(await browse(login.url));
    expect(tokens).toMatchObject({ issuer: issuer.url, resource: target.resource, client: 'client-1' });
    expect(issuer.knows(tokens.access)).toBe(true);
    expect((tokens.expiresAt ?? 0) - systemClock.wall()).toBeGreaterThan(3_590_000);
  });

  test('uses a client that the issuer knows', async () => {
    const login = await begin({ client: 'mine' });
    expect(new URL(login.url).searchParams.get('client_id')).toBe('mine');
    expect(issuer.asked).not.toContain('/register');
  });

  test('is worth nothing to who comes back without its state, from another issuer, or with a refusal', async () => {
    const login = await begin();
    const back = await browse(login.url);
    for (const [name, value, why] of [
      ['state', 'guessed', 'another login'],
      ['state', '', 'another login'],
      ['iss', 'https://evil.example', 'ssuer'],
      ['error', 'access_denied\u001b', 'access_denied?'],
      ['code', '', 'without a code'],
    ] as const) {
      const other = new URLSearchParams(back);
      other.set(name, value);
      await expect(login.finish(other)).rejects.toThrow(why);
    }
    expect(issuer.forms).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { issuer: 'https://other.example' }],
    ['without PKCE', { code_challenge_methods_supported: undefined }],
    ['with weak PKCE', { code_challenge_methods_supported: ['plain'] }],
    ['whose tokens are not encrypted', { token_endpoint: 'http://tokens.example/token' }],
    ['whose login is not encrypted', { authorization_endpoint: 'http://login.example/authorize' }],
    ['whose registration is not encrypted', { registration_endpoint: 'http://login.example/register' }],
    ['that registers nobody', { registration_endpoint: undefined }],
  ])('[P.oauth.issuer] does not begin at an issuer %s', async (_, metadata) => {
    issuer.script = { metadata };
    await expect(begin()).rejects.toThrow();
    expect(issuer.forms).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['of another kind', { token_type: 'mac' }],
    ['that no header can carry', { access_token: 'abc\r\nX-Evil: 1' }],
    ['that is empty', { access_token: '' }],
  ])('takes no token %s', async (_, tokens) => {
    issuer.script = { tokens };
    const login = await begin();
    await expect(login.finish(await browse(login.url))).rejects.toThrow();
  });

  test('says who is not there', async () => {
    await issuer.close();
    await expect(begin()).rejects.toThrow('the metadata failed: ECONNREFUSED');
    issuer = await startIssuer();
  });
});

describe('[P.oauth.renewal] tokens', () => {
  test('are renewed, and what renewed them is replaced', async () => {
    const login = await begin();
    const first = await login.finish(await browse(login.url));
    const second = await renewTokens(target, first, systemClock);
    expect(second.access).not.toBe(first.access);
    expect(second.refresh).not.toBe(first.refresh);
    expect(issuer.forms.at(-1)?.get('resource')).toBe(target.resource);
    await expect(renewTokens(target, first, systemClock)).rejects.toThrow(
      'the renewal was refused: invalid_grant',
    );
  });

  test('without what renews them are not', async () => {
    const bare = { issuer: issuer.url, resource: target.resource, client: 'c', access: 'abcdef' };
    await expect(renewTokens(target, bare, systemClock)).rejects.toThrow('nothing to renew');
  });
});
