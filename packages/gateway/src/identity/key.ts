/** Agent keys: 256 random bits that a client presents, and the salted hash that the store keeps of them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type AgentName, type Entropy, type KeyId, base32, mintId } from '@pawl/core';
import type { Credential } from './credential.js';

/** What the store keeps of a key; the secret itself is nowhere but in the key file. */
export interface KeyRecord {
  readonly id: KeyId;
  /** Hexadecimal, 16 random bytes. */
  readonly salt: string;
  /** Hexadecimal SHA-256 of salt and secret. */
  readonly hash: string;
  readonly agent: AgentName;
  readonly instance?: string;
  /** Unix milliseconds. */
  readonly issuedAt: number;
  readonly revokedAt?: number;
}

/** A fresh key: the record to store and the text to hand out, once. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** Whom a key is issued for. */
export interface KeyHolder {
  readonly agent: AgentName;
  readonly instance?: string;
}

const keyPattern = /^pk_([a-z2-7]{16})_([A-Za-z0-9_-]{43})$/u;
const saltBytes = 16;
const secretBytes = 32;
/** Compared against when no such key exists, so that an unknown id costs what a wrong secret does. */
const nobody = { salt: '00'.repeat(saltBytes), hash: '00'.repeat(32) };

/** Makes a key `pk_<id>_<secret>`. The secret needs no slow hash: it is 256 random bits, not a password. */
export function issueKey(holder: KeyHolder, entropy: Entropy, now: number): IssuedKey {
  const id = base32(entropy.bytes(10));
  const secret = Buffer.from(entropy.bytes(secretBytes)).toString('base64url');
  const salt = Buffer.from(entropy.bytes(saltBytes)).toString('hex');
  const record = { id: mintId.key(id), salt, hash: hashOf(salt, secret).toString('hex'), issuedAt: now };
  return { record: Object.freeze({ ...record, ...holder }), key: `pk_${id}_${secret}` };
}

/** The public part of a key's text, or undefined when the text has not the shape of a key. */
export function keyIdOf(key: string): KeyId | undefined {
  const id = keyPattern.exec(key)?.[1];
  return id === undefined ? undefined : mintId.key(id);
}

/**
 * Whom the presented text stands for, or undefined: malformed, unknown, wrong and revoked are one answer.
 * `find` looks a record up by id. Secrets are compared in constant time, and an unknown id does the same work.
 */
export function authenticate(
  find: (id: KeyId) => KeyRecord | undefined,
  presented: string,
): Credential | undefined {
  const [, id, secret] = keyPattern.exec(presented) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const record = find(mintId.key(id));
  const { salt, hash } = record ?? nobody;
  const matches = timingSafeEqual(hashOf(salt, secret), Buffer.from(hash, 'hex'));
  if (!matches || record === undefined || record.revokedAt !== undefined) return undefined;
  const base = { key: record.id, agent: record.agent };
  return record.instance === undefined ? base : { ...base, instance: record.instance };
}

function hashOf(salt: string, secret: string): Buffer {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret).digest();
}
