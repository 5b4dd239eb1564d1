/** Files of their owner alone: what they hold is nobody else's, and each is there whole or not at all. */
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
import { reason, replaceFile } from './folder.js';
import { StoreError } from './ports.js';

/** What a file holds, or why it is not read, in words that go on after "is". */
export type PrivateRead = { readonly text: string } | { readonly why: string };

/** One file as it may be shown. */
export interface PrivateFile {
  readonly name: string;
  /** When it was written, in Unix milliseconds. */
  readonly at: number;
}

/** A folder of such files, in the folder of a store. Names are the caller's to check. */
export class PrivateFolder {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #known = new Map<string, { readonly mark: string; readonly read: PrivateRead }>();

  /** @param folder absolute; made at the first {@link write} @param mostBytes of one file */
  constructor(folder: string, mostBytes: number) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** The files by name. Throws StoreError `unwritable`. */
  list(): readonly PrivateFile[] {
    try {
      return readdirSync(this.#folder)
        .sort()
        .map((name) => ({ name, at: Math.round(lstatSync(join(this.#folder, name)).mtimeMs) }));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw unwritable(this.#folder, error);
    }
  }

  /** Reads a file, anew whenever it changed. Never throws. */
  read(name: string): PrivateRead {
    const path = join(this.#folder, name);
    try {
      const mark = markOf(lstatSync(path));
      const known = this.#known.get(name);
      if (known?.mark === mark) return known.read;
      const read = readPrivate(path, this.#mostBytes);
      this.#known.set(name, { mark, read });
      return read;
    } catch (error) {
      this.#known.delete(name);
      const code = codeOf(error);
      return { why: code === 'ENOENT' ? 'not stored' : `not to be read (${code})` };
    }
  }

  /** Writes a file; whether there was another before. Throws StoreError `unwritable`. */
  write(name: string, text: string): boolean {
    const path = join(this.#folder, name);
    try {
      this.#prepare();
      const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
      replaceFile(path, text);
      return !isNew;
    } catch (error) {
      throw unwritable(this.#folder, error);
    }
  }

  /** Removes a file; false where there is none. Throws StoreError `unwritable`. */
  remove(name: string): boolean {
    const path = join(this.#folder, name);
    try {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
      rmSync(path);
      // What an interrupted replacement has left holds the same.
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

function readPrivate(path: string, mostBytes: number): PrivateRead {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { why: 'no file' };
    if ((stats.mode & 0o077) !== 0) return { why: `open to others; run: chmod 600 ${path}` };
    if (stats.size > mostBytes) return { why: 'too long' };
    return { text: readFileSync(descriptor, 'utf8') };
  } finally {
    closeSync(descriptor);
  }
}

function markOf({ ino, size, mode, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mode, mtimeMs, ctimeMs].join(' ');
}

function unwritable(folder: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('unwritable', `cannot keep secrets in ${folder}: ${reason(error)}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
