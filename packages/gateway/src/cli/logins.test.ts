import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executorId, parseAgentName, parseServerName, systemClock, systemEntropy } from '@pawl/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Issuer, startIssuer } from '../../../../test/mcp/issuer.js';
import { beginLogin } from '../mcp/index.js';
import { Redactor } from '../power/index.js';
import { type StoredTokens, TokenFolder } from '../store/index.js';
import { Logins } from './logins.js';

const server = parseServerName('wiki')!;
const ann = executorId(parseAgentName('ann')!);
const clone = executorId(parseAgentName('ann')!, 'x.y');
const resource = 'https://wiki.example/mcp';
let folder = '';
let issuer: Issuer;
let tokens: TokenFolder;
let now = 0;
let redactor: Redactor;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-logins-')));
  tokens = new TokenFolder(join(folder, 'tokens'));
  issuer = await startIssuer();
  redactor = new Redactor();
  now = 1_000_000;
});
afterEach(async () => {
  await issuer.close();
  rmSync(folder, { recursive: true });
});

const logins = (): Logins =>
  new Logins({
    server,
    target: { issuer: issuer.url, scopes: [], resource },
    tokens,
    redactor,
    clock: { wall: () => now, monotonic: () => now },
  });
const stored = (more: Partial<StoredTokens> = {}): StoredTokens => ({
  issuer: issuer.url,
  resource,
  client: 'c',
  access: 'access-1',
  ...more,
});

describe('[P.oauth.principals] the logins of a server', () => {
  test('are of one principal each', () => {
    tokens.set(server, ann, stored({ access: 'of-ann-1' }));
    tokens.set(server, undefined, stored({ access: 'of-list-1' }));
    expect(logins().header(ann)).toEqual({ authorization: 'Bearer of-ann-1' });
    expect(logins().header(undefined)).toEqual({ authorization: 'Bearer of-list-1' });
    expect(logins().header(clone)).toBe(
      'nobody has logged in there for ann/x.y; run: pawl secrets login wiki --agent ann --instance x.y',
    );
    expect(redactor.text('of-ann-1 of-list-1')).toBe('[secret] [secret]');
    tokens.set(server, clone, stored());
    writeFileSync(join(folder, 'tokens/wiki~ann~x%y.abcdefgh'), 'an interrupted write');
    writeFileSync(join(folder, 'tokens/other file'), '');
    expect(tokens.list().map(({ server: of, executor }) => [of, executor])).toEqual([
      ['wiki', ''],
      ['wiki', 'ann'],
      ['wiki', 'ann/x.y'],
    ]);
    expect([tokens.remove(server, clone), tokens.remove(server, clone)]).toEqual([true, false]);
    expect(tokens.list()).toHaveLength(2);
    const other = executorId(parseAgentName('ann.abcdefgh')!);
    tokens.set(server, other, stored());
    tokens.remove(server, ann);
    expect(tokens.read(server, other)).toBeDefined();
  });

  test('at another issuer, for another address, or of another shape are none', async () => {
    for (const other of [
      stored({ issuer: 'https://old.example' }),
      stored({ resource: 'https://old.example/' }),
    ]) {
      tokens.set(server, ann, other);
      expect(await logins().ready(ann)).toContain('nobody has logged in');
    }
    tokens.set(server, ann, stored());
    expect(await logins().ready(ann)).toBeUndefined();
    writeFileSync(join(folder, 'tokens/wiki~ann'), '{"access":7}');
    expect(logins().header(ann)).toContain('nobody has logged in');
  });
});

describe('[P.oauth.renewal] a token', () => {
  /** A login of the issuer, whose token ends then. */
  async function given(expiresAt: number): Promise<void> {
    const target = { issuer: issuer.url, scopes: [], resource };
    const redirect = 'http://127.0.0.1:9/callback';
    const login = await beginLogin(target, { redirect, clock: systemClock, entropy: systemEntropy });
    const answer = await fetch(login.url, { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '').searchParams;
    const { refresh = '' } = await login.finish(back);
    tokens.set(server, ann, stored({ refresh, expiresAt }));
  }

  test('that ends soon is renewed before it is used, once for all who ask', async () => {
    await given(now + 30_000);
    const before = issuer.forms.length;
    const asked = logins();
    expect(await Promise.all([asked.ready(ann), asked.ready(ann), asked.renew(ann)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(issuer.forms).toHaveLength(before + 1);
    expect(asked.header(ann)).not.toEqual({ authorization: 'Bearer access-1' });
  });

  test('that ends while it is used is renewed meanwhile, and not used after its end', async () => {
    await given(now + 90_000);
    const asked = logins();
    expect(asked.header(ann)).toEqual({ authorization: 'Bearer access-1' });
    now += 60_000;
    expect(asked.header(ann)).toEqual({ authorization: 'Bearer access-1' });
    await expect.poll(() => asked.header(ann)).not.toEqual({ authorization: 'Bearer access-1' });
    tokens.set(server, ann, stored({ expiresAt: now + 1000 }));
    expect(await asked.ready(ann)).toBeUndefined();
    tokens.set(server, ann, stored({ expiresAt: now - 1 }));
    expect(asked.header(ann)).toContain('has ended');
    expect(await asked.ready(ann)).toContain(
      'cannot be renewed: the issuer gave nothing to renew it with; run:',
    );
  });

  test('that a person replaced while it was renewed stays replaced', async () => {
    await given(now + 30_000);
    const asked = logins();
    const renewed = asked.ready(ann);
    tokens.set(server, ann, stored({ access: 'of-a-new-login', expiresAt: now + 999_999 }));
    expect(await renewed).toBeUndefined();
    expect(asked.header(ann)).toEqual({ authorization: 'Bearer of-a-new-login' });
  });
});
