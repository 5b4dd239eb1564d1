/** Who signed: what a bundle says of its signer, looked up in the trust file and held against time and revocation. */
import type { VerificationMaterial } from './bundle.js';
import { type SkillRefusal, isRefusal, skillRefusal } from './refusal.js';
import { type Certificate, type VerifyingKey, readCertificate } from './signature.js';
import type { Trust, TrustTerms, TrustedKey, TrustedRoot } from './trust.js';

/** A signer that is trusted now. Its signature is still to be verified. */
export interface Signer {
  readonly key: VerifyingKey;
  /** Of a chain: the subject of the signer's certificate. */
  readonly subject: string | undefined;
  readonly terms: TrustTerms;
}

/** Looks the signer up. `now` is wall-clock milliseconds. Never throws. */
export function signerOf(material: VerificationMaterial, trust: Trust, now: number): Signer | SkillRefusal {
  return material.kind === 'key'
    ? keySigner(material.hint, trust, now)
    : chainSigner(material.certificates, trust, now);
}

const addToTrust = 'If you trust the signer, add it to the trust file.';

function keySigner(hint: string, trust: Trust, now: number): Signer | SkillRefusal {
  const found = trust.keys.find((each) => isNamed(each, hint));
  if (found === undefined) {
    const shown = /^[\w+/=-]{1,88}$/u.test(hint) ? hint : 'that cannot be shown';
    return skillRefusal('unknown_signer', `The trust file has no key ${shown}. ${addToTrust}`);
  }
  const { key, ...terms } = found;
  return outOfTime(terms, now) ?? revoked(trust, [key.id]) ?? { key, subject: undefined, terms };
}

/** As the digest of the key as DER, hexadecimal or base64, or of the key as PEM, which is what model_signing writes. */
function isNamed({ key }: TrustedKey, hint: string): boolean {
  return hint === key.id || hint === key.hint || hint === Buffer.from(key.id, 'hex').toString('base64');
}

function revoked({ revoked: gone }: Trust, ids: readonly string[]): SkillRefusal | undefined {
  const found = ids.find((id) => gone.has(id));
  if (found === undefined) return undefined;
  const message = `The trust file revokes ${found}. Ask the publisher for a skill that was signed anew.`;
  return skillRefusal('key_revoked', message);
}

function outOfTime({ id, notBefore, notAfter }: TrustTerms, now: number): SkillRefusal | undefined {
  if (notBefore !== undefined && now < notBefore)
    return skillRefusal('key_not_yet_valid', `The trust file accepts ${id} from ${day(notBefore)} on only.`);
  if (notAfter !== undefined && now >= notAfter)
    return skillRefusal('key_expired', `The trust file accepted ${id} until ${day(notAfter)} only.`);
  return undefined;
}

function chainSigner(ders: readonly Uint8Array[], trust: Trust, now: number): Signer | SkillRefusal {
  const chain = ders.map((der) => readCertificate(der));
  const [leaf, ...others] = chain.filter((each) => each !== undefined);
  if (leaf === undefined || others.length + 1 < chain.length)
    return skillRefusal('malformed_bundle', 'The bundle holds what is no certificate. Sign the skill again.');
  if (leaf.key === undefined)
    return skillRefusal('wrong_algorithm', `The key of ${leaf.subject} is of an algorithm that is not read.`);
  const path = pathToRoot(leaf, others, trust);
  if (path === undefined)
    return skillRefusal(
      'unknown_signer',
      `No root of the trust file stands for ${leaf.subject}. ${addToTrust}`,
    );
  const { root, certificates } = path;
  const terms: TrustTerms = {
    id: root.id,
    name: root.name,
    skills: root.skills,
    notBefore: root.notBefore,
    notAfter: root.notAfter,
  };
  const all = certificates.includes(root.certificate) ? certificates : [...certificates, root.certificate];
  const problem =
    revoked(
      trust,
      all.flatMap(({ fingerprint, keyId }) => [fingerprint, keyId]),
    ) ??
    outOfTime(terms, now) ??
    misused(all, now);
  return problem !== undefined && isRefusal(problem)
    ? problem
    : { key: leaf.key, subject: leaf.subject, terms };
}

interface Path {
  readonly root: TrustedRoot;
  /** The signer's first; without the root, unless the signer's is itself pinned. */
  readonly certificates: readonly Certificate[];
}

function pathToRoot(leaf: Certificate, others: readonly Certificate[], trust: Trust): Path | undefined {
  const certificates = [leaf];
  for (;;) {
    const last = certificates.at(-1) ?? leaf;
    const root = trust.roots.find(
      ({ certificate }) => certificate.fingerprint === last.fingerprint || last.isIssuedBy(certificate),
    );
    if (root !== undefined) return { root, certificates };
    const next = others.find((each) => !certificates.includes(each) && last.isIssuedBy(each));
    if (next === undefined) return undefined;
    certificates.push(next);
  }
}

/** How far the clock of whoever signed a certificate may be off; what the trust file says of times is the operator's and exact. */
const clockSkew = 60_000;

/** The signer's certificate signs data, those above it sign certificates, and all are valid now. */
function misused(certificates: readonly Certificate[], now: number): SkillRefusal | undefined {
  for (const [place, each] of certificates.entries()) {
    if (now + clockSkew < each.notBefore)
      return skillRefusal(
        'key_not_yet_valid',
        `${each.subject} is valid from ${day(each.notBefore)} on only.`,
      );
    if (now - clockSkew > each.notAfter)
      return skillRefusal('key_expired', `${each.subject} was valid until ${day(each.notAfter)} only.`);
    const why = place === 0 ? signerMisuse(each) : authorityMisuse(each, place - 1);
    const pinned = place === certificates.length - 1;
    const unsound = each.hasUnknownCritical || (!each.soundlySigned && !pinned);
    if (why !== undefined || unsound)
      return skillRefusal(
        'bad_chain',
        `${each.subject} ${why ?? 'has an extension or a hash that is not read'}.`,
      );
  }
  return undefined;
}

function signerMisuse({ signsData, isAuthority }: Certificate): string | undefined {
  if (isAuthority) return 'is a certificate authority, and signs no skills itself';
  return signsData ? undefined : 'may not be used for signatures';
}

function authorityMisuse(
  { isAuthority, signsCertificates, pathLength }: Certificate,
  below: number,
): string | undefined {
  if (!isAuthority || !signsCertificates) return 'is no certificate authority';
  return pathLength !== undefined && below > pathLength ? 'may have fewer authorities below it' : undefined;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}
