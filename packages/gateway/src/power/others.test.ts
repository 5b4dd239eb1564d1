import type { Json } from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DenialError, grantApproval, grantClock, grantSecrets } from './index.js';

const dead = new DenialError({
  code: 'no_such_cap',
  layer: 'capability',
  message: 'gone',
  reason: 'expired',
});

function mortal(): { readonly port: { guard(): void }; readonly die: () => void } {
  let alive = true;
  return {
    die: () => (alive = false),
    port: {
      guard: () => {
        if (!alive) throw dead;
      },
    },
  };
}

const port = { guard: (): void => {} };

describe('a secret power', () => {
  const source = { get: async (name: string) => ({ token: 'top-secret/+&é', short: 'abc' })[name] };

  test('reads what was granted by name, and nothing else', async () => {
    const { power } = grantSecrets({ names: ['token', 'short', 'none'], source, port });
    expect(await power.read('token')).toBe('top-secret/+&é');
    await expect(power.read('other')).rejects.toMatchObject({
      code: 'out_of_scope',
      constraint: 'secret.names',
    });
    await expect(power.read('none')).rejects.toMatchObject({ code: 'not_found' });
    await expect(power.read('short')).rejects.toMatchObject({ code: 'failed' });
    await expect(power.read('__proto__')).rejects.toMatchObject({ code: 'out_of_scope' });
    expect(() => grantSecrets({ names: [], source, port })).toThrow('no secret');
  });

  test('is taken out of results in every usual spelling, wherever it stands', async () => {
    const value = fc
      .string({ minLength: 6, maxLength: 40, unit: 'binary' })
      .filter((text) => !/\p{Surrogate}/u.test(text));
    await fc.assert(
      fc.asyncProperty(value, fc.string(), fc.string(), async (secret, before, after) => {
        const grant = grantSecrets({ names: ['s'], source: { get: async () => secret }, port });
        await grant.power.read('s');
        const around = (text: string): string => before + text + after;
        const texts = [
          around(secret),
          around(encodeURIComponent(secret)),
          around(Buffer.from(secret).toString('hex')),
        ];
        const encoded = Buffer.from(around(secret)).toString('base64');
        const made = JSON.stringify(
          grant.removed([...texts, { [around(secret)]: [around(secret)] }] as Json),
        );
        expect(made.split('[secret]').length - 1).toBeGreaterThanOrEqual(5);
        expect(JSON.parse(made).join?.('\n') ?? '').not.toContain(secret);
        expect(grant.removed(encoded)).toContain('[secret]');
      }),
      { numRuns: 100 },
    );
    const grant = grantSecrets({ names: ['token'], source, port });
    const result: Json = { content: [{ type: 'text', text: 'nothing here' }], n: 1, b: null };
    await grant.power.read('token');
    expect(grant.removed(result)).toEqual(result);
  });

  test('asks whether it still may', async () => {
    const { port: guarded, die } = mortal();
    const grant = grantSecrets({ names: ['token'], source, port: guarded });
    const late = grant.power.read('token');
    die();
    await expect(late).rejects.toBe(dead);
    const other = grantSecrets({ names: ['token'], source, port });
    await other.revoke();
    await expect(other.power.read('token')).rejects.toMatchObject({ reason: 'revoked' });
  });
});

describe('a clock power', () => {
  test('tells the time and sleeps, until it is taken back', async () => {
    const grant = grantClock({ port, clock: { wall: () => 5, monotonic: () => 7 } });
    expect([grant.power.now(), grant.power.elapsed()]).toEqual([5, 7]);
    await grant.power.sleep(1);
    for (const wrong of [-1, Number.NaN, Infinity])
      await expect(grant.power.sleep(wrong)).rejects.toMatchObject({ code: 'bad_request' });
    const sleeping = grant.power.sleep(60_000);
    await grant.revoke();
    await expect(sleeping).rejects.toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
    expect(() => grant.power.now()).toThrow('taken back');
    const { port: guarded, die } = mortal();
    const mortalClock = grantClock({ port: guarded });
    die();
    expect(() => mortalClock.power.elapsed()).toThrow(dead);
  });
});

describe('an approval power', () => {
  test('goes on only when a person approved the very text', async () => {
    const asked: string[] = [];
    const answers = ['approved', 'refused', 'expired'] as const;
    const { power } = grantApproval({
      port,
      ask: async (text) => {
        asked.push(text);
        return answers[asked.length - 1] ?? 'refused';
      },
    });
    await power.request('rm -r x\nin /box');
    await expect(power.request('two')).rejects.toMatchObject({ code: 'consent_refused', layer: 'ask' });
    await expect(power.request('three')).rejects.toMatchObject({ code: 'consent_expired' });
    for (const wrong of ['', ' ', 'a\u202Eb', 'a\0', 'x'.repeat(2001)])
      await expect(power.request(wrong)).rejects.toMatchObject({ code: 'bad_request' });
    expect(asked).toEqual(['rm -r x\nin /box', 'two', 'three']);
  });

  test('is worth nothing to a turn that ended while the person thought', async () => {
    const { port: guarded, die } = mortal();
    const { power } = grantApproval({
      port: guarded,
      ask: async () => {
        die();
        return 'approved';
      },
    });
    await expect(power.request('go on')).rejects.toBe(dead);
  });
});
