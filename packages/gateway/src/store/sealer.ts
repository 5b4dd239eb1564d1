/** Texts that leave the process and come back by hands that may change them: sealed under a key of the store. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals texts, and opens what it sealed. */
export interface Sealer {
  /** AES-256-GCM under a fresh nonce, as base64url: nobody else reads it, and every change of it is noticed. */
  seal(text: string): string;
  /** The text; undefined for whatever was not sealed so by this store. Never throws. */
  open(sealed: string): string | undefined;
}

const nonceBytes = 12;
const tagBytes = 16;
/** Longest sealed text that is looked at. */
const longestSealed = 8192;

/** @param key secret of the store; the key that seals is derived from it for this purpose alone */
export function sealerOf(key: Uint8Array): Sealer {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'pawl sealed text 1', 32));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', own, nonce);
      const body = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, ...body, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed) {
      const bytes = bytesOf(sealed);
      return bytes === undefined ? undefined : opened(own, bytes);
    },
  };
}

/** Exactly one spelling is taken: what decodes the same but is written otherwise was not given out. */
function bytesOf(sealed: string): Buffer | undefined {
  if (sealed.length > longestSealed) return undefined;
  const bytes = Buffer.from(sealed, 'base64url');
  const isWhole = bytes.length >= nonceBytes + tagBytes && bytes.toString('base64url') === sealed;
  return isWhole ? bytes : undefined;
}

function opened(key: Buffer, bytes: Buffer): string | undefined {
  const end = bytes.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(end));
  try {
    const body = [decipher.update(bytes.subarray(nonceBytes, end)), decipher.final()];
    return Buffer.concat(body).toString('utf8');
  } catch {
    return undefined;
  }
}
