/** Chains of certificates: what each certificate in one may be used for, and which of several ways to a root counts. */
import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { type JsonObject, isRefusal, readFolder, sha256, verifyContents } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import {
  type Authority,
  type Wish,
  certificate,
  nameConstraints,
  strangeExtension,
  usesOf,
} from './certificates.js';
import { byParts, signedBy } from './foreign.js';
import { MemoryFolder, entriesOf, trustOf } from './signed.js';

const now = Date.parse('2026-11-14T12:00:00Z');
const entries = entriesOf({ 'SKILL.md': '---\nname: notes\ndescription: x\n---\n' });

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const pair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [rootKey, middleKey, leafKey, otherKey] = [pair(), pair(), pair(), pair()];
const root: Authority = { name: 'root', key: rootKey.privateKey };
const middle: Authority = { name: 'middle', key: middleKey.privateKey };
const other: Authority = { name: 'other', key: otherKey.privateKey };
const signing = { authority: true, usage: 0x06 } as const;

function rootOf(wish: Partial<Wish> = {}): Buffer {
  return certificate(rootKey.publicKey, root, { name: 'root', ...signing, ...wish });
}

function middleOf(wish: Partial<Wish> = {}, issuer = root): Buffer {
  return certificate(middleKey.publicKey, issuer, { name: 'middle', ...signing, ...wish });
}

function leafOf(wish: Partial<Wish> = {}, issuer = middle): Buffer {
  return certificate(leafKey.publicKey, issuer, { name: 'leaf', ...wish });
}

function entry(der: Uint8Array, terms: JsonObject = {}): JsonObject {
  const text = Buffer.from(der).toString('base64');
  const pem = `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  return { [sha256(der)]: { certificate: pem, skills: ['*'], ...terms } };
}

/** `verified`, or the reason and what the message says. */
async function told(
  chain: readonly Uint8Array[],
  roots: JsonObject,
  revoked: string[] = [],
): Promise<string> {
  const material = {
    x509CertificateChain: {
      certificates: chain.map((der) => ({ rawBytes: Buffer.from(der).toString('base64') })),
    },
  };
  const trust = trustOf({ roots, revoked });
  const signer = { key: leafKey.privateKey, hash: 'sha256', material, file: {}, trust };
  const serialization = { method: 'files', hash_type: 'sha256', allow_symlinks: false };
  const layout = { text: JSON.stringify, serialization, order: byParts };
  const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
  const contents = await readFolder(new MemoryFolder(signedBy(entries, signer, layout, { mediaType })));
  if (isRefusal(contents)) throw new Error(contents.message);
  const answer = verifyContents(contents, trust, now);
  if (isRefusal(answer)) return `${answer.reason}: ${answer.message}`;
  return answer.mayBeCalled('notes')?.reason ?? 'verified';
}

const anchor = rootOf();

describe('[S003.trust] what a certificate of a chain is for', () => {
  test.each<readonly [string, Partial<Wish>, Partial<Wish>]>([
    ['says no more than it has to', {}, {}],
    ['is for code', { more: [usesOf('code')] }, {}],
    ['is for code among others', { more: [usesOf('server', 'code')] }, {}],
    ['is for any use', { more: [usesOf('any')] }, {}],
    ['stands below one for code', { more: [usesOf('code')] }, { more: [usesOf('code', 'server')] }],
    ['has an extension that is not critical', { more: [strangeExtension(false)] }, {}],
    ['has no subject', { name: '' }, {}],
  ])('a signer that %s is taken', async (_, leaf, authority) => {
    expect(await told([leafOf(leaf), middleOf(authority)], entry(anchor))).toBe('verified');
  });

  test.each<readonly [string, RegExp, Partial<Wish>, Partial<Wish>]>([
    ['is for servers only', /^bad_chain: CN=leaf is for other uses/u, { more: [usesOf('server')] }, {}],
    [
      'stands below one for servers only',
      /^bad_chain: CN=middle is for other uses/u,
      { more: [usesOf('code')] },
      { more: [usesOf('server')] },
    ],
    [
      'stands below one with critical constraints on names',
      /^bad_chain: CN=middle has an extension/u,
      {},
      { more: [nameConstraints(true)] },
    ],
    [
      'stands below one with constraints on names',
      /^bad_chain: CN=middle has an extension/u,
      {},
      { more: [nameConstraints(false)] },
    ],
    [
      'has a critical extension that nobody knows',
      /^bad_chain: CN=leaf has an extension/u,
      { more: [strangeExtension(true)] },
      {},
    ],
    [
      'has an extension twice',
      /^malformed_bundle: /u,
      { more: [strangeExtension(false), strangeExtension(false)] },
      {},
    ],
    [
      'has no subject, and is expired',
      /^key_expired: the certificate [0-9a-f]{64} was valid until 2026-02-01T00:00:00 only\. Ask/u,
      { name: '', until: '2026-02-01T00:00:00Z' },
      {},
    ],
  ])('a signer that %s is refused', async (_, why, leaf, authority) => {
    expect(await told([leafOf(leaf), middleOf(authority)], entry(anchor))).toMatch(why);
  });

  test('the same holds of the root itself', async () => {
    const server = rootOf({ more: [usesOf('server')] });
    expect(await told([leafOf(), middleOf()], entry(server))).toMatch(
      /^bad_chain: CN=root is for other uses/u,
    );
  });

  test('a signer whose own certificate is pinned signs, unless it is an authority', async () => {
    const self: Authority = { name: 'leaf', key: leafKey.privateKey };
    const alone = leafOf({}, self);
    expect(await told([alone], entry(alone))).toBe('verified');
    const both = leafOf({ authority: true, usage: 0x86 }, self);
    expect(await told([both], entry(both))).toMatch(/^bad_chain: CN=leaf is a certificate authority/u);
  });
});

describe('[S003.trust] several ways to a root', () => {
  const past = { until: '2026-02-01T00:00:00Z' };

  test('a root that was renewed: the one that is valid counts, in whatever order they stand', async () => {
    const old = rootOf(past);
    for (const roots of [
      { ...entry(old), ...entry(anchor) },
      { ...entry(anchor), ...entry(old) },
    ])
      expect(await told([leafOf(), middleOf()], roots)).toBe('verified');
    expect(await told([leafOf(), middleOf()], entry(old))).toMatch(/^key_expired: CN=root/u);
  });

  test('an authority that was renewed: both may stand in the bundle', async () => {
    const [old, fresh] = [middleOf(past), middleOf()];
    for (const chain of [
      [leafOf(), old, fresh],
      [leafOf(), fresh, old],
    ])
      expect(await told(chain, entry(anchor))).toBe('verified');
    expect(await told([leafOf(), old], entry(anchor))).toMatch(/^key_expired: CN=middle/u);
  });

  test('an authority that two roots certified: the trusted one counts', async () => {
    const crossed = middleOf({}, other);
    expect(await told([leafOf(), crossed, middleOf()], entry(anchor))).toBe('verified');
    expect(await told([leafOf(), crossed], entry(anchor))).toMatch(/^unknown_signer: .* CN=leaf/u);
  });

  test('each with names of its own: the signer may sign what any of them may, in whatever order they stand', async () => {
    const second = certificate(otherKey.publicKey, other, { name: 'other', ...signing });
    const chain = [leafOf(), middleOf(), middleOf({}, other)];
    const [here, elsewhere] = [entry(anchor, { skills: ['notes'] }), entry(second, { skills: ['reports'] })];
    expect(await told(chain, { ...here, ...elsewhere })).toBe('verified');
    expect(await told(chain, { ...elsewhere, ...here })).toBe('verified');
    expect(await told(chain, elsewhere)).toBe('not_for_this_skill');
    const early = entry(anchor, { skills: ['notes'], notBefore: '2027-01-01' });
    expect(await told(chain, { ...early, ...elsewhere })).toBe('not_for_this_skill');
  });

  test('revoking the key of an authority closes all of them; revoking one certificate closes that one', async () => {
    const [old, fresh] = [middleOf(past), middleOf()];
    const key = sha256(middleKey.publicKey.export({ format: 'der', type: 'spki' }));
    const chain = [leafOf(), old, fresh];
    expect(await told(chain, entry(anchor), [sha256(old)])).toBe('verified');
    expect(await told(chain, entry(anchor), [sha256(fresh)])).toMatch(/^key_expired: /u);
    expect(await told(chain, entry(anchor), [key])).toMatch(/^key_revoked: /u);
  });

  test('authorities that certify each other end somewhere', async () => {
    const loops = [
      middleOf({}, other),
      certificate(otherKey.publicKey, middle, { name: 'other', ...signing }),
    ];
    const chain = [leafOf(), ...loops, ...loops.map((each) => Buffer.from(each)), middleOf({}, other)];
    expect(await told(chain, entry(anchor))).toMatch(/^unknown_signer: /u);
  });
});
