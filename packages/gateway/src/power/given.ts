/**
 * What tools hand to powers, as it is at that moment: types hold for honest code only, and an object that answers differently each time
 * would be judged as one thing and used as another.
 */
import { PowerFailure } from './refusal.js';

/** A text. Throws a PowerFailure (`bad_request`) for anything else, objects that look like one too. */
export function givenText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new PowerFailure('bad_request', `${what} is a text`);
}

/** The bytes of a content, which nobody can change afterwards. Otherwise as {@link givenText}. */
export function givenBytes(value: unknown, what: string): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  // A copy by the bytes themselves, whatever length and members the object claims to have.
  if (ArrayBuffer.isView(value) && value instanceof Uint8Array) return new Uint8Array(value);
  throw new PowerFailure('bad_request', `${what} is a text, or bytes`);
}

/** The same, where it may be left out. */
export function givenBody(value: unknown, what: string): string | Uint8Array | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return givenBytes(value, what);
}

/** A whole number from 1 to `most`. Otherwise as {@link givenText}. */
export function givenCount(value: unknown, most: number, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return Math.min(value, most);
  throw new PowerFailure('bad_request', `${what} is a whole number of at least 1`);
}
