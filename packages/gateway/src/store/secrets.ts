/** Stored secrets: one file each, readable by their owner only, in a folder that nobody else may enter. */
import {
  type Stats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isSecretName } from '@pawl/core';
import { reason, replaceFile } from './folder.js';
import { StoreError } from './ports.js';

/** A secret as it may be shown: never its value. */
export interface StoredSecret {
  readonly name: string;
  /** When it was set, in Unix milliseconds. */
  readonly at: number;
}

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
  readonly #folder: string;
  readonly #read = new Map<string, { readonly mark: string; readonly found: SecretRead }>();

  /** @param folder absolute; made at the first {@link set} */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What is stored, by name. */
  list(): readonly StoredSecret[] {
    try {
      return readdirSync(this.#folder)
        .filter(isSecretName)
        .sort()
        .map((name) => ({ name, at: Math.round(lstatSync(join(this.#folder, name)).mtimeMs) }));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw unwritable(this.#folder, error);
    }
  }

  /** Reads a secret. Never throws. */
  read(name: string): SecretRead {
    if (!isSecretName(name)) return no(name, 'no name of a secret');
    const path = join(this.#folder, name);
    try {
      const mark = markOf(lstatSync(path));
      const known = this.#read.get(name);
      if (known?.mark === mark) return known.found;
      const found = readSecret(name, path);
      this.#read.set(name, { mark, found });
      return found;
    } catch (error) {
      this.#read.delete(name);
      return no(name, codeOf(error) === 'ENOENT' ? 'not stored' : `not to be read (${codeOf(error)})`);
    }
  }

  /** Stores a value that {@link secretFault} has nothing against; whether there was another before. Throws StoreError `unwritable`. */
  set(name: string, value: string): boolean {
    const path = join(this.#folder, name);
    try {
      this.#prepare();
      const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
      replaceFile(path, value);
      return !isNew;
    } catch (error) {
      throw unwritable(this.#folder, error);
    }
  }

  /** Removes a secret; false where there is none of this name. Throws StoreError `unwritable`. */
  remove(name: string): boolean {
    const path = join(this.#folder, name);
    try {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
      rmSync(path);
      // What an interrupted replacement has left holds a value, too.
      for (const file of readdirSync(this.#folder))
        if (file.startsWith(`${name}.`)) rmSync(join(this.#folder, file));
      return true;
    } catch (error) {
      throw unwritable(this.#folder, error);
    }
  }

  #prepare(): void {
    const store = dirname(this.#folder);
    mkdirSync(store, { recursive: true, mode: 0o700 });
    if ((statSync(store).mode & 0o077) !== 0)
      throw new Error(`${store} is open to others; run: chmod 700 ${store}`);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(this.#folder).isDirectory()) throw new Error('it is no folder');
    chmodSync(this.#folder, 0o700);
  }
}

function readSecret(name: string, path: string): SecretRead {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return no(name, 'no file');
    if ((stats.mode & 0o077) !== 0) return no(name, `open to others; run: chmod 600 ${path}`);
    if (stats.size > mostBytes) return no(name, 'too long');
    const value = readFileSync(descriptor, 'utf8');
    const wrong = secretFault(value);
    return wrong === undefined ? { ok: true, value } : no(name, `not to be used: ${wrong}`);
  } finally {
    closeSync(descriptor);
  }
}

function markOf({ ino, size, mode, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mode, mtimeMs, ctimeMs].join(' ');
}

function no(name: string, what: string): SecretRead {
  return { ok: false, why: `the secret ${name} is ${what}; store it with: pawl secrets set ${name}` };
}

function unwritable(folder: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('unwritable', `cannot keep secrets in ${folder}: ${reason(error)}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
