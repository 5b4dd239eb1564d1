/** The trust file: which keys and root certificates may sign which skills, from when until when, and what is revoked. */
import {
  type DocMap,
  type DocNode,
  type KeyTable,
  type LoadProblem,
  type Member,
  type Position,
  type Spot,
  Expect,
  entryOf,
} from '../ground/index.js';
import { type Certificate, type VerifyingKey, readCertificate, readPublicKey } from './signature.js';

/** What an entry of the trust file allows. */
export interface TrustTerms {
  /** SHA-256 of the key, or of the root certificate. */
  readonly id: string;
  /** For people. */
  readonly name: string | undefined;
  /** Names of skills; `*` stands for any characters. At least one. */
  readonly skills: readonly string[];
  /** Milliseconds since 1970; not trusted before, and no longer from then on. */
  readonly notBefore: number | undefined;
  readonly notAfter: number | undefined;
}

/** A trusted key. */
export interface TrustedKey extends TrustTerms {
  readonly key: VerifyingKey;
}

/** A trusted root: whoever it certified, directly or through others, may sign what it may. */
export interface TrustedRoot extends TrustTerms {
  readonly certificate: Certificate;
}

/** A trust file. */
export interface Trust {
  readonly keys: readonly TrustedKey[];
  readonly roots: readonly TrustedRoot[];
  /** SHA-256 of keys and of certificates. */
  readonly revoked: ReadonlySet<string>;
}

/** Nobody is trusted. */
export const noTrust: Trust = Object.freeze({ keys: [], roots: [], revoked: new Set<string>() });

/** The keys of a trust file. */
const trustKeys = {
  keys: { help: 'Public keys, by the SHA-256 of the key (DER SubjectPublicKeyInfo) in hexadecimal.' },
  roots: { help: 'Root certificates, by the SHA-256 of the certificate (DER) in hexadecimal.' },
  revoked: { help: 'A list of such digests: keys and certificates that sign nothing any more.' },
} as const;

const termKeys = {
  name: { help: 'For people.' },
  skills: { help: 'Names of the skills that it may sign; `*` stands for any characters. Required.' },
  notBefore: { help: 'A day, or a moment in UTC, before which nothing is accepted.' },
  notAfter: { help: 'A day, or a moment in UTC, from which on nothing is accepted.' },
} as const;

/** The keys of one trusted key. */
const trustedKeyKeys: KeyTable = Object.freeze({
  publicKey: { help: 'The key as PEM. ECDSA P-256 or P-384, or Ed25519. Required.' },
  ...termKeys,
});

/** The keys of one trusted root. */
const trustedRootKeys: KeyTable = Object.freeze({
  certificate: { help: 'The certificate as PEM. Required.' },
  ...termKeys,
});

/** A trust file, or everything wrong with it. */
export interface ReadTrust {
  readonly trust: Trust | undefined;
  readonly problems: readonly LoadProblem[];
}

/** Reads the root node of a trust file. Never throws. */
export function readTrust(root: DocNode): ReadTrust {
  const expect = new Expect();
  const map = expect.mapping({ node: root, path: '' }, trustKeys);
  const trust = map === undefined ? undefined : sections(expect, map);
  return { trust: expect.problems.length === 0 ? trust : undefined, problems: expect.problems };
}

function sections(expect: Expect, map: DocMap): Trust {
  const at = (key: keyof typeof trustKeys): Spot | undefined => {
    const entry = entryOf(map, key);
    return entry && { node: entry.value, path: key };
  };
  const members = (key: 'keys' | 'roots'): readonly Member[] => {
    const spot = at(key);
    return spot === undefined ? [] : expect.members(spot);
  };
  const revoked = at('revoked');
  return Object.freeze({
    keys: members('keys').flatMap((member) => readKey(expect, member) ?? []),
    roots: members('roots').flatMap((member) => readRoot(expect, member) ?? []),
    revoked: new Set(revoked === undefined ? [] : readRevoked(expect, revoked)),
  });
}

const digestPattern = /^[0-9a-f]{64}$/u;
const digestAllowed = 'a SHA-256 as 64 small hexadecimal digits';

function readRevoked(expect: Expect, spot: Spot): readonly string[] {
  return (expect.list(spot, 'digests') ?? []).flatMap((item) => {
    const text = expect.text(item, digestAllowed);
    if (text === undefined || digestPattern.test(text)) return text ?? [];
    return expect.problem(item.node.at, item.path, JSON.stringify(text), digestAllowed) ?? [];
  });
}

function readKey(expect: Expect, member: Member): TrustedKey | undefined {
  const map = expect.mapping(member.spot, trustedKeyKeys);
  if (map === undefined) return undefined;
  const terms = readTerms(expect, member, map);
  const pem = requiredText(expect, member, map, 'publicKey');
  const key = pem && readPublicKey(pem.text);
  if (pem === undefined || key === undefined || terms === undefined) return undefined;
  if (typeof key === 'string') {
    const found = key === 'algorithm' ? 'a key of another algorithm' : 'a text that is no public key';
    return expect.problem(pem.at, pem.path, found, 'PEM of an ECDSA P-256, P-384 or Ed25519 public key');
  }
  return key.id === member.key ? { ...terms, key } : wrongId(expect, member, key.id);
}

function readRoot(expect: Expect, member: Member): TrustedRoot | undefined {
  const map = expect.mapping(member.spot, trustedRootKeys);
  if (map === undefined) return undefined;
  const terms = readTerms(expect, member, map);
  const pem = requiredText(expect, member, map, 'certificate');
  if (pem === undefined || terms === undefined) return undefined;
  const certificate = readCertificate(pem.text);
  if (certificate === undefined)
    return expect.problem(pem.at, pem.path, 'a text that is no certificate', 'PEM of one certificate');
  if (certificate.fingerprint !== member.key) return wrongId(expect, member, certificate.fingerprint);
  return { ...terms, certificate };
}

function wrongId(expect: Expect, { keyAt, spot, key }: Member, is: string): undefined {
  return expect.problem(keyAt, spot.path, JSON.stringify(key), `${is}, the digest of what stands there`);
}

function readTerms(expect: Expect, { key, spot, keyAt }: Member, map: DocMap): TrustTerms | undefined {
  const at = (name: keyof typeof termKeys): Spot | undefined => {
    const entry = entryOf(map, name);
    return entry && { node: entry.value, path: `${spot.path}.${name}` };
  };
  const [name, skills, notBefore, notAfter] = [at('name'), at('skills'), at('notBefore'), at('notAfter')];
  if (skills === undefined)
    return expect.problem(keyAt, spot.path, 'no skills', 'skills: the names that it may sign');
  const names = readNames(expect, skills);
  const [from, until] = [notBefore, notAfter].map((each) => each && readMoment(expect, each));
  if (from !== undefined && until !== undefined && from >= until)
    expect.problem(keyAt, spot.path, 'a notAfter that is not after notBefore', 'a later one');
  if (names === undefined) return undefined;
  return {
    id: key,
    name: name && expect.text(name, 'a text'),
    skills: names,
    notBefore: from,
    notAfter: until,
  };
}

function readNames(expect: Expect, spot: Spot): readonly string[] | undefined {
  const names = expect.texts(spot, 'names of skills');
  if (names?.length === 0)
    return expect.problem(spot.node.at, spot.path, 'an empty list', 'at least one name');
  return names;
}

const momentPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/u;

function readMoment(expect: Expect, spot: Spot): number | undefined {
  const allowed = 'a day as 2026-11-14, or a moment as 2026-11-14T08:00:00Z';
  const text = expect.text(spot, allowed);
  if (text === undefined) return undefined;
  const time = momentPattern.test(text) ? Date.parse(text) : Number.NaN;
  const real = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  return real ? time : expect.problem(spot.node.at, spot.path, JSON.stringify(text), allowed);
}

function requiredText(
  expect: Expect,
  { spot, keyAt }: Member,
  map: DocMap,
  key: string,
): { readonly text: string; readonly at: Position; readonly path: string } | undefined {
  const entry = entryOf(map, key);
  if (entry === undefined) return expect.problem(keyAt, spot.path, `no ${key}`, `${key}: PEM`);
  const path = `${spot.path}.${key}`;
  const text = expect.text({ node: entry.value, path }, 'PEM');
  return text === undefined ? undefined : { text, at: entry.value.at, path };
}

/** Whether a pattern of the trust file, in which `*` stands for any characters, names the skill. */
export function namesSkill(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
