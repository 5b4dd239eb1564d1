/** Randomness as a power. */
import { randomFillSync } from 'node:crypto';

/** A source of unguessable bytes. */
export interface Entropy {
  /** `length` fresh random bytes that the caller owns. */
  bytes(length: number): Uint8Array;
}

/** The operating system's generator. */
export const systemEntropy: Entropy = Object.freeze({
  bytes: (length: number): Uint8Array => randomFillSync(new Uint8Array(length)),
});

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base32 (RFC 4648, lower case, no padding) of the bytes: 16 bytes give 26 characters. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((buffer >> bits) & 31);
    }
  }
  return bits === 0 ? text : text + alphabet.charAt((buffer << (5 - bits)) & 31);
}
