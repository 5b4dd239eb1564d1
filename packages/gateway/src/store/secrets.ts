/** Stored secrets: one file each. */
import { isSecretName } from '@pawl/core';
import { type PrivateFile, PrivateFolder } from './private-files.js';

/** The value of a secret, or why there is none; `why` names the secret and what to do. */
export type SecretRead =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly why: string };

/** Longest value in bytes: what fits into headers and variables everywhere. */
const mostBytes = 16_384;
/** Shortest value in characters: a shorter one could not be told from other texts and kept out of results. */
const leastLength = 6;

/** What keeps a text from being stored as a secret, in words that do not repeat it; undefined where nothing does. */
export function secretFault(value: string): string | undefined {
  if (value.length < leastLength)
    return `it is shorter than ${leastLength} characters: it could not be kept out of results`;
  if (Buffer.byteLength(value) > mostBytes) return `it is longer than ${mostBytes} bytes`;
  if (/\p{Cc}/u.test(value)) return 'it holds line ends or other control characters';
  if (/\p{Surrogate}|\uFFFD/u.test(value)) return 'it is no UTF-8 text';
  return value.trim() === value ? undefined : 'it begins or ends with a blank';
}

/** The secrets of a store. Files are looked at again at each use, so that a value that is set anew counts from the next one on. */
export class SecretFolder {
  readonly #files: PrivateFolder;

  /** @param folder absolute; made at the first {@link set} */
  constructor(folder: string) {
    this.#files = new PrivateFolder(folder, mostBytes);
  }

  /** What is stored, by name; never a value. Throws StoreError `unwritable`. */
  list(): readonly PrivateFile[] {
    return this.#files.list().filter(({ name }) => isSecretName(name));
  }

  /** Reads a secret. Never throws. */
  read(name: string): SecretRead {
    if (!isSecretName(name)) return no(name, 'no name of a secret');
    const read = this.#files.read(name);
    if ('why' in read) return no(name, read.why);
    const wrong = secretFault(read.text);
    return wrong === undefined ? { ok: true, value: read.text } : no(name, `not to be used: ${wrong}`);
  }

  /** Stores a value that {@link secretFault} has nothing against; whether there was another before. Throws StoreError `unwritable`. */
  set(name: string, value: string): boolean {
    return this.#files.write(name, value);
  }

  /** Removes a secret; false where there is none of this name. Throws StoreError `unwritable`. */
  remove(name: string): boolean {
    return this.#files.remove(name);
  }
}

function no(name: string, what: string): SecretRead {
  return { ok: false, why: `the secret ${name} is ${what}; store it with: pawl secrets set ${name}` };
}
