/** Certificates for tests, written as DER by hand: no program of the system is needed. */
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { sha256 } from '@pawl/core';

function node(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sequence = (...parts: readonly Uint8Array[]): Buffer => node(0x30, ...parts);
const objectId = (hex: string): Buffer => node(0x06, bytes(hex));

/** Algorithms of keys, and how certificates are signed with them. */
export type CertificateAlgorithm = 'P-256' | 'P-384' | 'ed25519';

const algorithms = {
  'P-256': { id: sequence(objectId('2a8648ce3d040302')), hash: 'sha256' },
  'P-384': { id: sequence(objectId('2a8648ce3d040303')), hash: 'sha384' },
  ed25519: { id: sequence(objectId('2b6570')), hash: null },
} as const;

function nameOf(text: string): Buffer {
  if (text === '') return sequence();
  return sequence(node(0x31, sequence(objectId('550403'), node(0x0c, Buffer.from(text)))));
}

function time(text: string): Buffer {
  return node(0x17, Buffer.from(text.replaceAll(/[-:T]/gu, '').slice(2)));
}

function extension(id: string, value: Uint8Array, critical = true): Buffer {
  return sequence(objectId(id), ...(critical ? [node(0x01, bytes('ff'))] : []), node(0x04, value));
}

const useIds = { code: '2b06010505070303', server: '2b06010505070301', any: '551d2500' } as const;

/** What a certificate may be used for. */
export function usesOf(...uses: readonly (keyof typeof useIds)[]): Buffer {
  return extension('551d25', sequence(...uses.map((use) => objectId(useIds[use]))), false);
}

/** A constraint on the names below. */
export function nameConstraints(critical: boolean): Buffer {
  const subtree = sequence(node(0x82, Buffer.from('corp.example')));
  return extension('551d1e', sequence(node(0xa0, subtree)), critical);
}

/** An extension that nobody knows. */
export function strangeExtension(critical: boolean): Buffer {
  return extension('2a0304', node(0x05), critical);
}

/** Who issues certificates. */
export interface Authority {
  readonly name: string;
  readonly key: KeyObject;
  /** P-256 unless told. */
  readonly algorithm?: CertificateAlgorithm;
}

/** How a certificate is wanted. */
export interface Wish {
  /** Its subject; an empty one has no parts. */
  readonly name: string;
  readonly from?: string;
  readonly until?: string;
  /** Basic constraints; undefined: none. A number is a path length. */
  readonly authority?: boolean | number;
  /** Bits of key usage: 0x80 signs data, 0x20 enciphers keys, 0x06 signs certificates. */
  readonly usage?: number;
  /** Further extensions. */
  readonly more?: readonly Buffer[];
}

let serial = 1;

/** A certificate, as DER. */
export function certificate(publicKey: KeyObject, issuer: Authority, wish: Wish): Buffer {
  const {
    name,
    from = '2026-01-01T00:00:00Z',
    until = '2030-01-01T00:00:00Z',
    authority,
    usage = 0x80,
    more = [],
  } = wish;
  const length = typeof authority === 'number' ? [node(0x02, Buffer.from([authority]))] : [];
  const isAuthority =
    authority === undefined || authority === false ? [] : [node(0x01, bytes('ff')), ...length];
  const extensions = [
    extension('551d13', sequence(...isAuthority)),
    extension('551d0f', node(0x03, Buffer.from([0, usage]))),
    ...more,
  ];
  serial += 1;
  const { id, hash } = algorithms[issuer.algorithm ?? 'P-256'];
  const body = sequence(
    node(0xa0, node(0x02, bytes('02'))),
    node(0x02, Buffer.from([serial])),
    id,
    nameOf(issuer.name),
    sequence(time(from), time(until)),
    nameOf(name),
    publicKey.export({ format: 'der', type: 'spki' }),
    node(0xa3, sequence(...extensions)),
  );
  const signature = sign(hash, body, issuer.key);
  return sequence(body, id, node(0x03, bytes('00'), signature));
}

/** Certificates, as DER. */
export interface Chains {
  readonly root: Uint8Array;
  readonly middle: Uint8Array;
  readonly leaf: Uint8Array;
  readonly leafKey: KeyObject;
  readonly leafKeyId: string;
  /** Another root. */
  readonly stranger: Uint8Array;
  readonly expired: Uint8Array;
  readonly early: Uint8Array;
  /** May not sign. */
  readonly encipher: Uint8Array;
  /** Signs certificates, and should sign nothing else. */
  readonly authority: Uint8Array;
  /** An authority below one that may have none below it, and what it certified. */
  readonly unconstrained: Uint8Array;
  readonly belowUnconstrained: Uint8Array;
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A root, an authority below it and a signer, all with keys of one algorithm. */
export function chainOf(
  algorithm: CertificateAlgorithm,
): Pick<Chains, 'root' | 'middle' | 'leaf' | 'leafKey'> {
  const pair = (): Pair =>
    algorithm === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: algorithm });
  const [rootKey, middleKey, leafKey] = [pair(), pair(), pair()];
  const root: Authority = { name: 'root', key: rootKey.privateKey, algorithm };
  const middle: Authority = { name: 'middle', key: middleKey.privateKey, algorithm };
  return {
    root: certificate(rootKey.publicKey, root, { name: 'root', authority: true, usage: 0x06 }),
    middle: certificate(middleKey.publicKey, root, { name: 'middle', authority: 0, usage: 0x06 }),
    leaf: certificate(leafKey.publicKey, middle, { name: 'leaf', authority: false }),
    leafKey: leafKey.privateKey,
  };
}

/** A root, an authority below it, and certificates that it issued for one key. */
export function certificates(): Chains {
  const pair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [rootKey, middleKey, leafKey, strangerKey, lowKey] = [pair(), pair(), pair(), pair(), pair()];
  const root: Authority = { name: 'root', key: rootKey.privateKey };
  const middle: Authority = { name: 'middle', key: middleKey.privateKey };
  const leaf = (wish: Partial<Wish>): Buffer =>
    certificate(leafKey.publicKey, middle, { name: 'leaf', ...wish });
  const low: Authority = { name: 'low', key: lowKey.privateKey };
  return {
    root: certificate(rootKey.publicKey, root, { name: 'root', authority: true, usage: 0x06 }),
    middle: certificate(middleKey.publicKey, root, { name: 'middle', authority: 0, usage: 0x06 }),
    leaf: leaf({}),
    leafKey: leafKey.privateKey,
    leafKeyId: sha256(leafKey.publicKey.export({ format: 'der', type: 'spki' })),
    stranger: certificate(
      strangerKey.publicKey,
      { name: 'stranger', key: strangerKey.privateKey },
      { name: 'stranger', authority: true, usage: 0x06 },
    ),
    expired: leaf({ until: '2026-10-01T00:00:00Z' }),
    early: leaf({ from: '2027-01-01T00:00:00Z' }),
    encipher: leaf({ usage: 0x20 }),
    authority: leaf({ authority: true, usage: 0x86 }),
    unconstrained: certificate(lowKey.publicKey, middle, { name: 'low', authority: true, usage: 0x06 }),
    belowUnconstrained: certificate(leafKey.publicKey, low, { name: 'leaf' }),
  };
}
