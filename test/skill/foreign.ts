/** Signs skills as other tools do: model_signing in its versions, in Python and Go, and what their serialisers make of it. */
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { type Json, type JsonObject, type SkillEntry, type Trust, sha256 } from '@pawl/core';
import { type CertificateAlgorithm, chainOf } from './certificates.js';
import { entriesOf, trustOf } from './signed.js';

/** How the signer says who it is. */
export type Material =
  | 'hint'
  | 'key as PEM'
  | 'key as DER'
  | 'hint and key'
  | 'chain'
  | 'chain with root'
  | 'certificate';

/** How the statement is written. */
export interface Layout {
  readonly text: (statement: JsonObject) => string;
  readonly serialization: JsonObject;
  readonly order: (names: readonly string[]) => readonly string[];
  /** Members that a later version of the predicate may have. */
  readonly more?: JsonObject;
}

/** How the bundle is written. */
export interface Wrapping {
  readonly mediaType: string;
  readonly keyid?: Json;
  readonly material?: JsonObject;
}

/** One signer: its key, what says so, and the trust file that takes it. */
export interface Signer {
  readonly key: KeyObject;
  readonly hash: string | null;
  readonly material: JsonObject;
  /** The trust file that takes it, as it is written and as it is read. */
  readonly file: JsonObject;
  readonly trust: Trust;
}

const hashes = { 'P-256': 'sha256', 'P-384': 'sha384', ed25519: null } as const;

/** A fresh signer. */
export function signerOf(algorithm: CertificateAlgorithm, material: Material): Signer {
  const hash = hashes[algorithm];
  if (material === 'chain' || material === 'chain with root' || material === 'certificate') {
    const { root, middle, leaf, leafKey } = chainOf(algorithm);
    const raw = (der: Uint8Array): JsonObject => ({ rawBytes: Buffer.from(der).toString('base64') });
    const chain = material === 'chain' ? [leaf, middle] : [leaf, middle, root];
    const [told, trusted] =
      material === 'certificate'
        ? [{ certificate: raw(leaf) }, middle]
        : [{ x509CertificateChain: { certificates: chain.map(raw) } }, root];
    const roots = { [sha256(trusted)]: { certificate: pemOf(trusted), skills: ['*'] } };
    return { key: leafKey, hash, material: told, file: { roots }, trust: trustOf({ roots }) };
  }
  const pair =
    algorithm === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: algorithm });
  const pem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const der = pair.publicKey.export({ format: 'der', type: 'spki' });
  const hint = { hint: sha256(pem) };
  const details = { keyDetails: 'PKIX_ECDSA_P256_SHA_256' };
  const told: Readonly<Record<string, JsonObject>> = {
    hint,
    'key as PEM': { rawBytes: Buffer.from(pem).toString('base64'), ...details },
    'key as DER': { rawBytes: der.toString('base64'), ...details },
    'hint and key': { ...hint, rawBytes: Buffer.from(pem).toString('base64') },
  };
  const keys = { [sha256(der)]: { publicKey: pem, skills: ['*'] } };
  const named = { publicKey: told[material] ?? {} };
  return { key: pair.privateKey, hash, material: named, file: { keys }, trust: trustOf({ keys }) };
}

function pemOf(der: Uint8Array): string {
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
}

/** The statement of files as that tool makes it. */
function statementOf(
  entries: readonly SkillEntry[],
  { serialization, order, more = {} }: Layout,
): JsonObject {
  const digests = new Map(entries.map(({ name, bytes = new Uint8Array() }) => [name, sha256(bytes)]));
  const resources = order([...digests.keys()]).map((name) => ({
    digest: digests.get(name) ?? '',
    name,
    algorithm: 'sha256',
  }));
  const root = sha256(Buffer.from(resources.map(({ digest }) => digest).join(''), 'hex'));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'folder-of-the-publisher', digest: { sha256: root } }],
    predicateType: 'https://model_signing/signature/v1.0',
    predicate: { serialization, resources, ...more },
  };
}

/** What DSSE signs. */
function encoded(payload: Buffer): Buffer {
  const type = 'application/vnd.in-toto+json';
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
}

/** The entries with the signature that this tool and signer make of them. */
export function signedBy(
  entries: readonly SkillEntry[],
  { key, hash, material }: Signer,
  layout: Layout,
  { mediaType, keyid = '', material: beside = {} }: Wrapping,
): SkillEntry[] {
  const payload = Buffer.from(layout.text(statementOf(entries, layout)));
  const sig = sign(hash, encoded(payload), key).toString('base64');
  const bundle = {
    mediaType,
    verificationMaterial: { ...material, ...beside },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType: 'application/vnd.in-toto+json',
      signatures: [keyid === null ? { sig } : { sig, keyid }],
    },
  };
  return [...entries, ...entriesOf({ 'skill.oms.sig': JSON.stringify(bundle) })];
}

/** As Python sorts PurePosixPath: part by part, by code points. */
export function byParts(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => {
    const [one, two] = [a.split('/'), b.split('/')];
    const at = one.findIndex((part, index) => part !== two[index]);
    if (at < 0) return one.length - two.length;
    return Buffer.compare(Buffer.from(one[at] ?? ''), Buffer.from(two[at] ?? ''));
  });
}

/** As Go sorts texts: by bytes. */
export function byBytes(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** JSON with the members of every object in order of their names. */
export function sortedJson(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
