/** Who signed: what a bundle says of its signer, looked up in the trust file and held against time and revocation. */
import type { VerificationMaterial } from './bundle.js';
import { type SkillRefusal, skillRefusal } from './refusal.js';
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
const anew = 'Ask the publisher for a skill that was signed anew.';

function keySigner(hint: string, trust: Trust, now: number): Signer | SkillRefusal {
  const found = trust.keys.find((each) => isNamed(each, hint));
  if (found === undefined) {
    const shown = /^[\w+/=-]{1,88}$/u.test(hint) ? hint : 'that cannot be shown';
    return skillRefusal('unknown_signer', `The trust file has no key ${shown}. ${addToTrust}`);
  }
  const { key, ...terms } = found;
  return revoked(trust, [key.id, key.hint]) ?? outOfTime(terms, now) ?? { key, subject: undefined, terms };
}

/** As the digest of the key as DER, hexadecimal or base64, or of the key as PEM, which is what model_signing writes. */
function isNamed({ key }: TrustedKey, hint: string): boolean {
  return hint === key.id || hint === key.hint || hint === Buffer.from(key.id, 'hex').toString('base64');
}

function revoked({ revoked: gone }: Trust, ids: readonly string[]): SkillRefusal | undefined {
  const found = ids.find((id) => gone.has(id));
  if (found === undefined) return undefined;
  const message = `The trust file revokes ${found}. ${anew}`;
  return skillRefusal('key_revoked', message);
}

function outOfTime({ id, notBefore, notAfter }: TrustTerms, now: number): SkillRefusal | undefined {
  if (notBefore !== undefined && now < notBefore)
    return skillRefusal('key_not_yet_valid', `The trust file accepts ${id} from ${day(notBefore)} on only.`);
  if (notAfter !== undefined && now >= notAfter)
    return skillRefusal('key_expired', `The trust file accepted ${id} until ${day(notAfter)} only. ${anew}`);
  return undefined;
}

function chainSigner(ders: readonly Uint8Array[], trust: Trust, now: number): Signer | SkillRefusal {
  const chain = ders.map((der) => readCertificate(der));
  const [leaf, ...others] = chain.filter((each) => each !== undefined);
  if (leaf === undefined || others.length + 1 < chain.length)
    return skillRefusal('malformed_bundle', 'The bundle holds what is no certificate. Sign the skill again.');
  const { key } = leaf;
  const who = nameOf(leaf);
  if (key === undefined)
    return skillRefusal('wrong_algorithm', `The key of ${who} is of an algorithm that is not read. ${anew}`);
  const judged = pathsToRoots(leaf, others, trust).map(({ root, certificates }) => ({
    root,
    problem: pathProblem({ root, certificates }, trust, now),
  }));
  const roots = judged.flatMap(({ root, problem }) => (problem === undefined ? [root] : []));
  const [first] = roots;
  if (first !== undefined) return { key, subject: leaf.subject || undefined, terms: termsOf(first, roots) };
  return (
    judged[0]?.problem ??
    skillRefusal('unknown_signer', `No root of the trust file stands for ${who}. ${addToTrust}`)
  );
}

/** Whoever several roots stand for may sign what any of them may, in whatever order the trust file has them. */
function termsOf({ id, name, notBefore, notAfter }: TrustedRoot, roots: readonly TrustedRoot[]): TrustTerms {
  const skills = [...new Set(roots.flatMap((root) => root.skills))];
  return { id, name, skills, notBefore, notAfter };
}

/** What is wrong with a path from the signer to a root. */
function pathProblem({ root, certificates }: Path, trust: Trust, now: number): SkillRefusal | undefined {
  const pinned = certificates.at(-1)?.fingerprint === root.certificate.fingerprint;
  const all = pinned ? certificates : [...certificates, root.certificate];
  const ids = all.flatMap(({ fingerprint, keyId }) => [fingerprint, keyId]);
  return revoked(trust, ids) ?? outOfTime(root, now) ?? misused(all, now);
}

interface Path {
  readonly root: TrustedRoot;
  /** The signer's first; the last is the root, or was issued by it. */
  readonly certificates: readonly Certificate[];
}

/** More than a renewed or cross-signed authority makes of a chain. */
const mostPaths = 16;

/**
 * Every way from the signer to a root, the shortest first: an authority that was renewed, or that others certified too, has several
 * certificates of one key.
 */
function pathsToRoots(leaf: Certificate, others: readonly Certificate[], trust: Trust): readonly Path[] {
  const found: Path[] = [];
  let open: readonly (readonly Certificate[])[] = [[leaf]];
  while (open.length > 0 && found.length < mostPaths) {
    found.push(...open.flatMap((certificates) => rootsOf(certificates, trust)));
    open = open.flatMap((certificates) => longer(certificates, others)).slice(0, mostPaths);
  }
  return found.slice(0, mostPaths);
}

function rootsOf(certificates: readonly Certificate[], trust: Trust): readonly Path[] {
  const last = certificates.at(-1);
  return trust.roots
    .filter(
      ({ certificate }) =>
        certificate.fingerprint === last?.fingerprint || last?.isIssuedBy(certificate) === true,
    )
    .map((root) => ({ root, certificates }));
}

function longer(
  certificates: readonly Certificate[],
  others: readonly Certificate[],
): readonly (readonly Certificate[])[] {
  const last = certificates.at(-1);
  return others
    .filter((each) => !certificates.includes(each) && last?.isIssuedBy(each) === true)
    .map((each) => [...certificates, each]);
}

/** The subject of a certificate; of one without any its fingerprint. */
function nameOf({ subject, fingerprint }: Certificate): string {
  return subject === '' ? `the certificate ${fingerprint}` : subject;
}

/** How far the clock of whoever signed a certificate may be off; what the trust file says of times is the operator's and exact. */
const clockSkew = 60_000;

/** The signer's certificate signs data, those above it sign certificates, and all are valid now. */
function misused(certificates: readonly Certificate[], now: number): SkillRefusal | undefined {
  for (const [place, each] of certificates.entries()) {
    const who = nameOf(each);
    if (now + clockSkew < each.notBefore)
      return skillRefusal('key_not_yet_valid', `${who} is valid from ${day(each.notBefore)} on only.`);
    if (now - clockSkew > each.notAfter)
      return skillRefusal('key_expired', `${who} was valid until ${day(each.notAfter)} only. ${anew}`);
    const pinned = place === certificates.length - 1;
    const why = (place === 0 ? signerMisuse(each) : authorityMisuse(each, place - 1)) ?? unread(each, pinned);
    if (why !== undefined) return skillRefusal('bad_chain', `${who} ${why}. ${anew}`);
  }
  return undefined;
}

/** What a certificate rests on and is not read; how a pinned one was signed is no matter. */
function unread({ hasUnread, soundlySigned, isForCode }: Certificate, pinned: boolean): string | undefined {
  if (!isForCode) return 'is for other uses than the signing of code';
  if (hasUnread) return 'has an extension that is not read';
  return soundlySigned || pinned ? undefined : 'is signed with a hash or an algorithm that is not read';
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
