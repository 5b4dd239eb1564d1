/** The mathematics of signatures: keys, certificates and what they sign. The only file beside ground that uses node:crypto. */
import {
  type KeyObject,
  X509Certificate,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { type Digest, sha256 } from '../ground/index.js';
import { type CertificateFacts, readCertificateFacts } from './der.js';

/** Algorithms of signatures that are read; ECDSA goes with the hash of its curve's size. */
export type SignatureAlgorithm = 'ecdsa-p256' | 'ecdsa-p384' | 'ed25519';

/** A public key. */
export interface VerifyingKey {
  /** SHA-256 of the key as DER SubjectPublicKeyInfo. */
  readonly id: Digest;
  /** SHA-256 of the key as PEM: what model_signing writes into bundles as hint. */
  readonly hint: Digest;
  readonly algorithm: SignatureAlgorithm;
  readonly pem: string;
  /** Whether the signature is that of this key over the message. Never throws. */
  verifies(message: Uint8Array, signature: Uint8Array): boolean;
}

/** A private key that signs. It is held in memory only. */
export interface SigningKey {
  readonly publicKey: VerifyingKey;
  sign(message: Uint8Array): Uint8Array;
}

/** A certificate. */
export interface Certificate extends CertificateFacts {
  /** SHA-256 of the certificate as DER. */
  readonly fingerprint: Digest;
  /** Empty where the certificate has none. */
  readonly subject: string;
  /** Undefined where the key is of an algorithm that signs no skills; a certificate authority may have such a one. */
  readonly key: VerifyingKey | undefined;
  /** SHA-256 of the certified key as DER. */
  readonly keyId: Digest;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Whether the other certificate's subject and key issued this one. Never throws. */
  isIssuedBy(issuer: Certificate): boolean;
}

const curves: Readonly<Record<string, { readonly algorithm: SignatureAlgorithm; readonly hash: string }>> = {
  prime256v1: { algorithm: 'ecdsa-p256', hash: 'sha256' },
  secp384r1: { algorithm: 'ecdsa-p384', hash: 'sha384' },
};

/** A public key as PEM (`BEGIN PUBLIC KEY`); a word where it is none, or of an algorithm that is not read. */
export function readPublicKey(pem: string): VerifyingKey | 'unreadable' | 'algorithm' {
  if (!/^\s*-----BEGIN PUBLIC KEY-----/u.test(pem)) return 'unreadable';
  try {
    return verifyingKey(createPublicKey(pem)) ?? 'algorithm';
  } catch {
    return 'unreadable';
  }
}

function verifyingKey(key: KeyObject): VerifyingKey | undefined {
  const kind = kindOf(key);
  if (kind === undefined) return undefined;
  const pem = key.export({ format: 'pem', type: 'spki' }).toString();
  return Object.freeze({
    id: idOf(key),
    hint: sha256(pem),
    algorithm: kind.algorithm,
    pem,
    verifies(message: Uint8Array, signature: Uint8Array): boolean {
      try {
        return verify(kind.hash, message, key, signature);
      } catch {
        return false;
      }
    },
  });
}

function idOf(key: KeyObject): Digest {
  return sha256(key.export({ format: 'der', type: 'spki' }));
}

function kindOf(
  key: KeyObject,
): { readonly algorithm: SignatureAlgorithm; readonly hash: string | null } | undefined {
  if (key.asymmetricKeyType === 'ed25519') return { algorithm: 'ed25519', hash: null };
  if (key.asymmetricKeyType !== 'ec') return undefined;
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  return Object.hasOwn(curves, curve) ? curves[curve] : undefined;
}

/** A private key as PEM. Signatures are made with ECDSA P-256 only. */
export function readSigningKey(pem: string): SigningKey | 'unreadable' | 'algorithm' {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return 'unreadable';
  }
  const publicKey = verifyingKey(createPublicKey(key));
  if (publicKey?.algorithm !== 'ecdsa-p256') return 'algorithm';
  return Object.freeze({
    publicKey,
    sign: (message: Uint8Array): Uint8Array => sign('sha256', message, key),
  });
}

/** A fresh ECDSA P-256 key pair; the private half as PKCS #8 PEM. */
export function makeSigningKey(): { readonly privatePem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
}

const issuers = new WeakMap<Certificate, X509Certificate>();

/** A certificate as DER or PEM; undefined where it is none. */
export function readCertificate(data: Uint8Array | string): Certificate | undefined {
  try {
    return certificateOf(new X509Certificate(data));
  } catch {
    return undefined;
  }
}

function certificateOf(x509: X509Certificate): Certificate | undefined {
  const facts = readCertificateFacts(x509.raw);
  const [notBefore, notAfter] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)];
  if (facts === undefined || Number.isNaN(notBefore) || Number.isNaN(notAfter)) return undefined;
  const certificate: Certificate = Object.freeze({
    ...facts,
    fingerprint: sha256(x509.raw),
    subject: subjectOf(x509),
    key: verifyingKey(x509.publicKey),
    keyId: idOf(x509.publicKey),
    notBefore,
    notAfter,
    isIssuedBy(issuer: Certificate): boolean {
      const above = issuers.get(issuer);
      try {
        return above !== undefined && x509.checkIssued(above) && x509.verify(above.publicKey);
      } catch {
        return false;
      }
    },
  });
  issuers.set(certificate, x509);
  return certificate;
}

/** On one line; Node gives none where the subject is empty, though its types say a text. */
function subjectOf({ subject }: { readonly subject: string | undefined }): string {
  return subject?.replaceAll('\n', ', ') ?? '';
}
