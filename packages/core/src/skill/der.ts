/** What node:crypto does not tell of a certificate: its extensions and the algorithm of its own signature, read from DER. */

/** What a certificate says of its use. */
export interface CertificateFacts {
  /** Basic constraints say that it is a certificate authority. */
  readonly isAuthority: boolean;
  /** Authorities below it at most; undefined: any number. */
  readonly pathLength: number | undefined;
  /** Key usage, or where there is none extended key usage, allows signatures over data. */
  readonly signsData: boolean;
  /** Extended key usage allows code signing, or any use, or there is none: of an authority it bounds what is below. */
  readonly isForCode: boolean;
  /** Key usage allows signatures over certificates, or there is none. */
  readonly signsCertificates: boolean;
  /** It was signed with a hash and an algorithm that are trusted for this. */
  readonly soundlySigned: boolean;
  /** A critical extension that is not understood, or a constraint on names, which is not evaluated: the certificate must not be used. */
  readonly hasUnread: boolean;
}

interface Node {
  readonly tag: number;
  readonly body: Uint8Array;
}

const sequence = 0x30;
const objectId = 0x06;
const octets = 0x04;
const bits = 0x03;
const integer = 0x02;
const boolean = 0x01;
const extensionsTag = 0xa3;

/** Hexadecimal contents of object identifiers. */
const ids = {
  keyUsage: '551d0f',
  basicConstraints: '551d13',
  extendedKeyUsage: '551d25',
  codeSigning: '2b06010505070303',
  anyUse: '551d2500',
  nameConstraints: '551d1e',
} as const;

/** Criticals that are looked at here, and the alternative names of a subject, which say nothing about what may be signed. */
const understood: ReadonlySet<string> = new Set([
  ids.keyUsage,
  ids.basicConstraints,
  ids.extendedKeyUsage,
  '551d11',
]);

/** ECDSA with SHA-256, 384, 512; RSA with these; Ed25519. */
const soundAlgorithms: ReadonlySet<string> = new Set([
  '2a8648ce3d040302',
  '2a8648ce3d040303',
  '2a8648ce3d040304',
  '2a864886f70d01010b',
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2b6570',
]);

/** Reads a DER certificate; undefined where its structure is not that of one. Never throws. */
export function readCertificateFacts(der: Uint8Array): CertificateFacts | undefined {
  try {
    return factsOf(der);
  } catch (error) {
    if (error instanceof Broken) return undefined;
    throw error;
  }
}

class Broken extends Error {}

function factsOf(der: Uint8Array): CertificateFacts {
  const [certificate] = childrenOf(der);
  const [signed, algorithm] = childrenOf(bodyOf(certificate, sequence));
  const list = childrenOf(bodyOf(signed, sequence)).find(({ tag }) => tag === extensionsTag);
  const extensions = list === undefined ? [] : extensionsIn(list.body);
  const find = (id: string): Uint8Array | undefined => extensions.find((each) => each.id === id)?.value;
  const [oid] = childrenOf(bodyOf(algorithm, sequence));
  const [usage, extended] = [find(ids.keyUsage), find(ids.extendedKeyUsage)];
  const usageBits = usage === undefined ? undefined : bitsOf(usage);
  const uses = extended === undefined ? undefined : idsIn(extended);
  const signsCode = uses?.includes(ids.codeSigning) === true;
  return {
    ...constraintsOf(find(ids.basicConstraints)),
    signsData: ((usageBits ?? 0) & 0x80) !== 0 || (usageBits === undefined && signsCode),
    isForCode: uses === undefined || signsCode || uses.includes(ids.anyUse),
    signsCertificates: usageBits === undefined || (usageBits & 0x04) !== 0,
    soundlySigned: soundAlgorithms.has(hex(bodyOf(oid, objectId))),
    hasUnread: extensions.some(
      ({ id, critical }) => id === ids.nameConstraints || (critical && !understood.has(id)),
    ),
  };
}

function constraintsOf(value: Uint8Array | undefined): Pick<CertificateFacts, 'isAuthority' | 'pathLength'> {
  if (value === undefined) return { isAuthority: false, pathLength: undefined };
  const [outer] = childrenOf(value);
  const parts = childrenOf(bodyOf(outer, sequence));
  const authority = parts.find(({ tag }) => tag === boolean);
  const length = parts.find(({ tag }) => tag === integer);
  return {
    isAuthority: authority !== undefined && authority.body[0] !== 0,
    pathLength: length?.body.reduce((sum, byte) => sum * 256 + byte, 0),
  };
}

interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

function extensionsIn(body: Uint8Array): readonly Extension[] {
  const [list] = childrenOf(body);
  const all = childrenOf(bodyOf(list, sequence)).map((each) => {
    const parts = childrenOf(bodyOf(each, sequence));
    const value = bodyOf(parts.at(-1), octets);
    const critical = parts.find(({ tag }) => tag === boolean)?.body[0] ?? 0;
    return { id: hex(bodyOf(parts[0], objectId)), critical: critical !== 0, value };
  });
  if (new Set(all.map(({ id }) => id)).size < all.length) throw new Broken();
  return all;
}

/** The first byte of a bit string; key usage needs no second but for `decipherOnly`. */
function bitsOf(value: Uint8Array): number {
  const [outer] = childrenOf(value);
  return bodyOf(outer, bits)[1] ?? 0;
}

function idsIn(value: Uint8Array): readonly string[] {
  const [outer] = childrenOf(value);
  return childrenOf(bodyOf(outer, sequence)).map((each) => hex(bodyOf(each, objectId)));
}

function bodyOf(node: Node | undefined, tag: number): Uint8Array {
  if (node?.tag !== tag) throw new Broken();
  return node.body;
}

function childrenOf(bytes: Uint8Array): readonly Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = byteAt(bytes, at);
    const { length, size } = lengthAt(bytes, at + 1);
    const start = at + 1 + size;
    if (start + length > bytes.length) throw new Broken();
    nodes.push({ tag, body: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return nodes;
}

/** Definite lengths of at most three bytes: a certificate is no longer. */
function lengthAt(bytes: Uint8Array, at: number): { readonly length: number; readonly size: number } {
  const first = byteAt(bytes, at);
  if (first < 0x80) return { length: first, size: 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 3) throw new Broken();
  let length = 0;
  for (let i = 1; i <= count; i += 1) length = length * 256 + byteAt(bytes, at + i);
  return { length, size: 1 + count };
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Broken();
  return byte;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
