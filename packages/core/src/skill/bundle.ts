/** A Sigstore bundle with one DSSE envelope: read strictly, and written as v0.3. */
import { parseJsonBytes } from '../connector/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own, sha256 } from '../ground/index.js';
import { type SkillRefusal, skillRefusal } from './refusal.js';
import { type SigningKey, readPublicKey } from './signature.js';

/** Name of the detached signature in a skill's folder. */
export const signatureFile = 'skill.oms.sig';

const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/** Versions that are read. They differ in what they ask of log entries, which nothing here rests on. */
const mediaTypes: ReadonlySet<string> = new Set([
  mediaType,
  ...['0.1', '0.2', '0.3'].map((version) => `application/vnd.dev.sigstore.bundle+json;version=${version}`),
]);

/** Type of what is signed: an in-toto statement. */
const payloadType = 'application/vnd.in-toto+json';

/** What the bundle says about who signed: nothing here is believed before it is looked up in the trust file. */
export type VerificationMaterial =
  | { readonly kind: 'key'; readonly hint: string }
  /** As DER, the signer's first. */
  | { readonly kind: 'chain'; readonly certificates: readonly Uint8Array[] };

/** A bundle. */
export interface Bundle {
  readonly material: VerificationMaterial;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Largest bundle in bytes. */
const largest = 4_194_304;

class Malformed extends Error {
  readonly reason: 'malformed_bundle' | 'wrong_algorithm';
  constructor(message: string, reason: Malformed['reason'] = 'malformed_bundle') {
    super(message);
    this.reason = reason;
  }
}

/** Reads a bundle. Never throws. */
export function readBundle(bytes: Uint8Array): Bundle | SkillRefusal {
  const parsed = parseJsonBytes(bytes, { bytes: largest });
  try {
    if (!parsed.ok) throw new Malformed(`found ${parsed.found}`);
    return bundleOf(parsed.value);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const message = `${signatureFile} is no bundle that can be read: ${error.message}. Sign the skill again.`;
    return skillRefusal(error.reason, message, signatureFile);
  }
}

function bundleOf(value: Json): Bundle {
  const bundle = objectAt(value, 'the bundle', ['mediaType', 'verificationMaterial', 'dsseEnvelope']);
  const type = own(bundle, 'mediaType');
  if (typeof type !== 'string' || !mediaTypes.has(type))
    throw new Malformed(`mediaType is ${JSON.stringify(type ?? null)}, not ${mediaType}`);
  const envelope = objectAt(own(bundle, 'dsseEnvelope'), 'dsseEnvelope', [
    'payload',
    'payloadType',
    'signatures',
  ]);
  if (own(envelope, 'payloadType') !== payloadType)
    throw new Malformed(`payloadType is not ${payloadType}`, 'wrong_algorithm');
  const signatures = own(envelope, 'signatures');
  if (!isJsonArray(signatures) || signatures.length !== 1)
    throw new Malformed('it does not hold exactly one signature');
  const signature = objectAt(signatures[0], 'signatures[0]', ['sig', 'keyid']);
  return {
    material: materialOf(own(bundle, 'verificationMaterial')),
    payload: bytesAt(own(envelope, 'payload'), 'payload'),
    signature: bytesAt(own(signature, 'sig'), 'sig'),
  };
}

/** Time stamps and log entries are allowed and not looked at: nothing here rests on them. */
function materialOf(value: Json | undefined): VerificationMaterial {
  const material = objectAt(value, 'verificationMaterial', [
    'publicKey',
    'x509CertificateChain',
    'certificate',
    'tlogEntries',
    'timestampVerificationData',
  ]);
  const kinds = ['publicKey', 'x509CertificateChain', 'certificate'].filter(
    (key) => own(material, key) !== undefined,
  );
  if (kinds.length !== 1) throw new Malformed('it does not say in exactly one way who signed');
  if (kinds[0] === 'publicKey') return keyMaterial(own(material, 'publicKey'));
  if (kinds[0] === 'certificate')
    return { kind: 'chain', certificates: [certificateAt(own(material, 'certificate'), 'certificate')] };
  const chain = objectAt(own(material, 'x509CertificateChain'), 'x509CertificateChain', ['certificates']);
  const list = own(chain, 'certificates');
  if (!isJsonArray(list) || list.length === 0 || list.length > mostCertificates)
    throw new Malformed(`the chain does not hold 1 to ${mostCertificates} certificates`);
  return {
    kind: 'chain',
    certificates: list.map((each, at) => certificateAt(each, `certificates[${at}]`)),
  };
}

const mostCertificates = 8;

function certificateAt(value: Json | undefined, where: string): Uint8Array {
  return bytesAt(own(objectAt(value, where, ['rawBytes']), 'rawBytes'), `${where}.rawBytes`);
}

/**
 * Early bundles of model_signing hold the key itself, as PEM or DER, and no hint: the digest of the key then names it, however its PEM
 * is spelled, and the trust file has it.
 */
function keyMaterial(value: Json | undefined): VerificationMaterial {
  const key = objectAt(value, 'publicKey', ['hint', 'rawBytes', 'keyDetails']);
  const hint = own(key, 'hint');
  if (typeof hint === 'string' && hint !== '') return { kind: 'key', hint };
  const isNamed = (hint === undefined || hint === '') && Object.hasOwn(key, 'rawBytes');
  if (!isNamed) throw new Malformed('publicKey has no hint that names the key');
  const bytes = bytesAt(own(key, 'rawBytes'), 'publicKey.rawBytes');
  const read = readPublicKey(new TextDecoder().decode(bytes));
  return { kind: 'key', hint: typeof read === 'string' ? sha256(bytes) : read.id };
}

/** An object of known keys. A null is a member that is not there, as in JSON of protocol buffers. */
function objectAt(value: Json | undefined, where: string, keys: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw new Malformed(`${where} is no object`);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const foreign = members.find(([key]) => !keys.includes(key));
  if (foreign !== undefined) throw new Malformed(`${where} has the key ${JSON.stringify(foreign[0])}`);
  return Object.fromEntries(members);
}

/** Standard base64 in its one spelling. */
function bytesAt(value: Json | undefined, where: string): Uint8Array {
  const bytes = typeof value === 'string' && value !== '' ? Buffer.from(value, 'base64') : undefined;
  if (bytes === undefined || bytes.toString('base64') !== value) throw new Malformed(`${where} is no base64`);
  return new Uint8Array(bytes);
}

/** What is signed for a payload: the pre-authentication encoding of DSSE v1. */
export function signedBytes(payload: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/** Signs a payload and writes the bundle; it names the key by the hint of model_signing, so that this verifies it too. */
export function writeBundle(payload: Uint8Array, key: SigningKey): string {
  const signature = key.sign(signedBytes(payload));
  const bundle = {
    mediaType,
    verificationMaterial: { publicKey: { hint: key.publicKey.hint }, tlogEntries: [] },
    dsseEnvelope: {
      payload: Buffer.from(payload).toString('base64'),
      payloadType,
      signatures: [{ sig: Buffer.from(signature).toString('base64'), keyid: '' }],
    },
  };
  return `${JSON.stringify(bundle, undefined, 2)}\n`;
}
