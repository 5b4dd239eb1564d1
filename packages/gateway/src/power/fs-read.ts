/** Reading verbs of the fs power. */
import { constants } from 'node:fs';
import { type FileHandle, opendir } from 'node:fs/promises';
import { type Held, asName, openChild, pathOf, reopen } from './descriptor.js';
import type { Entry, FsRoot, Place } from './fs-root.js';
import { givenCount, givenText } from './given.js';
import { PowerFailure, shown, systemCode } from './refusal.js';

/** What stands under a name. Links are shown and never followed. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** What `stat` says. */
export interface FileFacts {
  readonly kind: 'file' | 'folder';
  /** Bytes; of a folder 0. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modified: number;
}

/** What `search` looks for below a folder. */
export interface SearchWish {
  /** The whole name: `*` any characters, `?` one. */
  readonly name: string;
  /** How many results at most. Default 1,000. */
  readonly most?: number;
}

/** Bounds of an fs power. */
export interface FsBounds {
  /** Bytes of one file, read or written. */
  readonly fileBytes: number;
  /** Entries that one use looks at. */
  readonly entries: number;
}

/** Verbs that change nothing. Every path is relative to the root, or absolute and below it. */
export interface FsReader {
  /** The content of a file. */
  read(path: string): Promise<Uint8Array>;
  /** The content of a file that is UTF-8. */
  readText(path: string): Promise<string>;
  /** Names in a folder, sorted; names that are no Unicode are left out. */
  list(path: string): Promise<readonly FolderEntry[]>;
  /** Of a file or a folder. */
  stat(path: string): Promise<FileFacts>;
  /** Paths below a folder, relative to it, of the files and folders whose name matches. */
  search(path: string, wish: SearchWish): Promise<readonly string[]>;
}

/** The reading verbs on a root. */
export function reader(root: FsRoot, bounds: FsBounds): FsReader {
  const read = (path: string): Promise<Uint8Array> =>
    root.use(path, (place) => withFound(root, place, (handle) => readAll(root, handle, place.text, bounds)));
  return {
    read,
    readText: async (path) => {
      const bytes = await read(path);
      return root.use(path, async ({ text }) => textOf(bytes, text));
    },
    list: (path) =>
      root.use(path, (place) => withFolder(root, place, (folder) => entriesIn(folder, bounds, place.text))),
    stat: (path) => root.use(path, (place) => factsOf(root, place)),
    search: (path, wish) =>
      root.use(path, (place) =>
        withFolder(root, place, async (folder) => {
          const walk = new Search(root, wish, bounds);
          await walk.below(folder, '');
          return walk.found;
        }),
      ),
  };
}

async function withFolder<T>(root: FsRoot, place: Place, work: (folder: Held) => Promise<T>): Promise<T> {
  const folder = await root.folder(place.segments, place.text);
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

async function withFound<T>(
  root: FsRoot,
  place: Place,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  if (place.segments.length === 0) throw new PowerFailure('not_a_file', `${place.text} is a folder`);
  const entry = await root.parent(place);
  try {
    const found = await root.named(entry, place.text);
    if (found === undefined) throw new PowerFailure('not_found', `there is no ${place.text}`);
    try {
      if (!found.stats.isFile()) throw new PowerFailure('not_a_file', `${place.text} is a folder`);
      return await work(found.handle);
    } finally {
      await found.handle.close();
    }
  } finally {
    await entry.folder.close();
  }
}

/** Reads the inode that was judged, up to the bound. */
async function readAll(
  root: FsRoot,
  named: FileHandle,
  text: string,
  { fileBytes }: FsBounds,
): Promise<Uint8Array> {
  const handle = await reopen(named, constants.O_RDONLY);
  try {
    const { size } = await handle.stat();
    if (size > fileBytes) throw tooLarge(text, fileBytes);
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      root.guard();
      const chunk = new Uint8Array(Math.min(Math.max(size - total, 0) + 1, 1 << 20));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, total);
      if (bytesRead === 0) return joined(chunks, total);
      chunks.push(chunk.subarray(0, bytesRead));
      total += bytesRead;
      if (total > fileBytes) throw tooLarge(text, fileBytes);
    }
  } finally {
    await handle.close();
  }
}

/** The refusal of a content that is too large. */
export function tooLarge(text: string, bytes: number): PowerFailure {
  return new PowerFailure('too_large', `${text} is larger than the ${bytes} bytes that this tool may use`);
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const all = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function textOf(bytes: Uint8Array, text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PowerFailure('not_text', `${text} is not UTF-8`);
  }
}

async function factsOf(root: FsRoot, place: Place): Promise<FileFacts> {
  if (place.segments.length === 0) return { kind: 'folder', size: 0, modified: 0 };
  const entry = await root.parent(place);
  try {
    const found = await root.named(entry, place.text);
    if (found === undefined) throw new PowerFailure('not_found', `there is no ${place.text}`);
    await found.handle.close();
    const { stats } = found;
    const isFile = stats.isFile();
    return Object.freeze({
      kind: isFile ? 'file' : 'folder',
      size: isFile ? stats.size : 0,
      modified: Math.trunc(stats.mtimeMs),
    });
  } finally {
    await entry.folder.close();
  }
}

/** The entries of an open folder, sorted by name. */
export async function entriesIn(
  folder: Held,
  { entries }: FsBounds,
  text: string,
): Promise<readonly FolderEntry[]> {
  const found: FolderEntry[] = [];
  for await (const entry of await opendir(pathOf(folder))) {
    if (found.length === entries)
      throw new PowerFailure('too_large', `${text} has more than ${entries} entries`);
    if (entry.name.includes('\u{fffd}')) continue;
    const kind = entry.isFile()
      ? 'file'
      : entry.isDirectory()
        ? 'folder'
        : entry.isSymbolicLink()
          ? 'link'
          : 'other';
    found.push(Object.freeze({ name: entry.name, kind }));
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

class Search {
  readonly found: string[] = [];
  readonly #root: FsRoot;
  readonly #name: string;
  readonly #most: number;
  readonly #bounds: FsBounds;
  #looked = 0;

  constructor(root: FsRoot, { name, most = 1000 }: SearchWish, bounds: FsBounds) {
    this.#root = root;
    this.#name = givenText(name, 'a name to search for');
    this.#most = givenCount(most, bounds.entries, 'how many to find');
    this.#bounds = bounds;
  }

  async below(folder: Held, prefix: string): Promise<void> {
    this.#root.guard();
    for (const { name, kind } of await entriesIn(folder, this.#bounds, 'a folder')) {
      this.#looked += 1;
      if (this.#looked > this.#bounds.entries)
        throw new PowerFailure('too_large', `there are more than ${this.#bounds.entries} entries to look at`);
      if (this.found.length === this.#most) return;
      if ((kind === 'file' || kind === 'folder') && matches(name, this.#name)) this.found.push(prefix + name);
      if (kind === 'folder') await this.#into({ folder, name }, `${prefix}${name}/`);
    }
  }

  /** A folder that is gone, or is something else by now, holds nothing to find. */
  async #into(entry: Entry, prefix: string): Promise<void> {
    const child = await childFolder(this.#root, entry);
    if (child === undefined) return;
    try {
      await this.below(child, prefix);
    } finally {
      await child.close();
    }
  }
}

/** A folder in an open folder; undefined for what is none, or is on another mount. */
export async function childFolder(root: FsRoot, { folder, name }: Entry): Promise<Held | undefined> {
  let child: FileHandle;
  try {
    child = await openChild(folder, name, asName);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error))) return undefined;
    throw error;
  }
  try {
    const stats = await child.stat();
    root.judge(child, stats, shown(name));
    if (stats.isDirectory()) return child;
  } catch {
    // A link or a mount: not part of this root.
  }
  await child.close();
  return undefined;
}

/** Whether a whole name matches: `*` any characters, `?` one. Goes back to the last star only, so it takes no more than their product. */
function matches(name: string, glob: string): boolean {
  const [chars, parts] = [Array.from(name), Array.from(glob)];
  let [at, part, star, mark] = [0, 0, -1, 0];
  while (at < chars.length) {
    if (parts[part] === '*') [star, mark, part] = [part, at, part + 1];
    else if (parts[part] === '?' || parts[part] === chars[at]) [at, part] = [at + 1, part + 1];
    else if (star >= 0) [part, mark, at] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return parts.slice(part).every((each) => each === '*');
}
