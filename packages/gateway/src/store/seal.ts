/** The store's two keys: Ed25519 over heads, HMAC over what must not be guessed from its digest. */
import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  type Digest,
  type Head,
  type SignedHead,
  type StoreId,
  headText,
  hmacSha256,
  sha256,
  systemEntropy,
} from '@pawl/core';
import { type StorePaths, readOrMake, reason } from './folder.js';
import { StoreError } from './ports.js';

/** The keys of one store. */
export interface Seal {
  /** SPKI, base64. */
  readonly publicKey: string;
  readonly digestKey: Uint8Array;
  /** Signs a head. */
  sign(store: StoreId, head: Head, at: number): SignedHead;
}

/** Reads the keys of a store, or makes them when `fresh`. Throws {@link StoreError}. */
export function openSeal(paths: StorePaths, fresh: boolean): Seal {
  if (!fresh && !(existsSync(paths.signingKey) && existsSync(paths.digestKey)))
    throw new StoreError('damaged', `the keys of the store are missing from ${paths.keys}`);
  const pem = readOrMake(paths.signingKey, newSigningKey);
  const digestKey = readOrMake(paths.digestKey, () => systemEntropy.bytes(32));
  return sealOf(readPrivateKey(pem), digestKey);
}

/** A seal that lives in this process only. */
export function freshSeal(): Seal {
  return sealOf(createPrivateKey(newSigningKey()), systemEntropy.bytes(32));
}

/** Whether the store's key, given by its public half, signed this head. Never throws. */
export function headVerifier(store: StoreId, publicKey: string): (head: SignedHead) => boolean {
  const key = readPublicKey(publicKey);
  if (key === undefined) return () => false;
  return (head) =>
    verify(null, Buffer.from(headText(store, head)), key, Buffer.from(head.signature, 'base64')) &&
    Buffer.from(head.signature, 'base64').toString('base64') === head.signature;
}

/** The HMAC key of a store, or undefined when it is not there. */
export function readDigestKey(paths: StorePaths): Uint8Array | undefined {
  return existsSync(paths.digestKey) ? readFileSync(paths.digestKey) : undefined;
}

/** Names the HMAC key without giving it away: the digest of 256 random bits. */
export function fingerprint(digestKey: Uint8Array): Digest {
  return sha256(digestKey);
}

/** Digest of a body under the store's key. */
export function bodyDigest(digestKey: Uint8Array, text: string): Digest {
  return hmacSha256(digestKey, text);
}

function sealOf(key: KeyObject, digestKey: Uint8Array): Seal {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    publicKey,
    digestKey,
    sign: (store, head, at) => {
      const signature = sign(null, Buffer.from(headText(store, { ...head, at })), key).toString('base64');
      return { ...head, at, signature };
    },
  };
}

function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function readPrivateKey(pem: Uint8Array): KeyObject {
  try {
    return createPrivateKey(Buffer.from(pem));
  } catch (error) {
    throw new StoreError('damaged', `the signing key cannot be read: ${reason(error)}`, { cause: error });
  }
}

function readPublicKey(base64: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), type: 'spki', format: 'der' });
  } catch {
    return undefined;
  }
}
