/** Changing verbs of the fs power: each change is one step of the system on names inside open folders. */
import { randomBytes } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { type FileHandle, link, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { type Held, childPath, openChild, reopen } from './descriptor.js';
import { type FsBounds, childFolder, entriesIn, tooLarge } from './fs-read.js';
import { type Entry, type FsRoot, type Place, beingNamed, inodeOf } from './fs-root.js';
import { givenBytes } from './given.js';
import { PowerFailure, shown, systemCode } from './refusal.js';

/** How `write` takes what is there: make it anew or replace it, only make it anew, only replace it. */
export type WriteMode = 'put' | 'create' | 'replace';

/** Verbs that change something. */
export interface FsWriter {
  /** Writes a whole file in one step: others see the old content or the new one. */
  write(path: string, content: string | Uint8Array, options?: { readonly mode?: WriteMode }): Promise<void>;
  /** Makes a folder; with `parents` those above it too, and one that is there is fine. */
  mkdir(path: string, options?: { readonly parents?: boolean }): Promise<void>;
  /** Removes a file, a link itself, or an empty folder; with `below` a folder with all that is in it. */
  remove(path: string, options?: { readonly below?: boolean }): Promise<void>;
  /** Renames within this root. What is at the new name stays, unless `replace`. */
  move(from: string, to: string, options?: { readonly replace?: boolean }): Promise<void>;
}

const modes: ReadonlySet<WriteMode> = new Set(['put', 'create', 'replace']);

/** The changing verbs on a root. */
export function writer(root: FsRoot, bounds: FsBounds): FsWriter {
  return {
    write: (path, content, { mode = 'put' } = {}) =>
      root.use(path, async (place) => {
        const bytes = givenBytes(content, 'a content');
        if (!modes.has(mode)) throw new PowerFailure('bad_request', 'there is no such way of writing');
        if (bytes.length > bounds.fileBytes) throw tooLarge(place.text, bounds.fileBytes);
        await inParent(root, place, (entry) => new Writing(root, entry, place.text).put(bytes, mode));
      }),
    mkdir: (path, { parents = false } = {}) =>
      root.use(path, (place) => (parents ? makeAll(root, place) : makeOne(root, place))),
    remove: (path, { below = false } = {}) =>
      root.use(path, (place) =>
        inParent(root, place, (entry) => new Removal(root, bounds, below).of(entry, place.text)),
      ),
    move: (from, to, { replace = false } = {}) =>
      root.use(from, (source) =>
        root.use(to, (target) =>
          inParent(root, source, (one) =>
            inParent(root, target, (two) => moved({ root, source, target, replace }, one, two)),
          ),
        ),
      ),
  };
}

async function inParent<T>(root: FsRoot, place: Place, work: (entry: Entry) => Promise<T>): Promise<T> {
  const entry = await root.parent(place);
  try {
    return await work(entry);
  } finally {
    await entry.folder.close();
  }
}

/** What stands under a name, judged; nothing stays open. */
async function statsOf(root: FsRoot, entry: Entry, text: string): Promise<Stats | undefined> {
  const found = await root.named(entry, text);
  await found?.handle.close();
  return found?.stats;
}

/** One file on its way to its name. */
class Writing {
  readonly #root: FsRoot;
  readonly #entry: Entry;
  readonly #text: string;
  readonly #draft = `.pawl-${randomBytes(9).toString('hex')}`;

  constructor(root: FsRoot, entry: Entry, text: string) {
    this.#root = root;
    this.#entry = entry;
    this.#text = text;
  }

  async put(bytes: Uint8Array, mode: WriteMode): Promise<void> {
    const there = await this.#target(mode);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const { folder } = this.#entry;
    const file = await openChild(folder, this.#draft, flags, there === undefined ? 0o666 : 0o600);
    try {
      await this.#fill(file, bytes, there);
      await this.#name(file, mode);
    } catch (error) {
      await unlink(childPath(folder, this.#draft)).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    await synced(folder);
  }

  async #target(mode: WriteMode): Promise<Stats | undefined> {
    const there = await statsOf(this.#root, this.#entry, this.#text);
    if (there?.isDirectory() === true) throw new PowerFailure('not_a_file', `${this.#text} is a folder`);
    if (there !== undefined && mode === 'create')
      throw new PowerFailure('exists', `there is already a ${this.#text}`);
    if (there === undefined && mode === 'replace')
      throw new PowerFailure('not_found', `there is no ${this.#text}`);
    return there;
  }

  async #fill(file: FileHandle, bytes: Uint8Array, there: Stats | undefined): Promise<void> {
    await file.writeFile(bytes);
    if (there !== undefined) await file.chmod(there.mode & 0o777);
    await file.sync();
  }

  /** The one step in which others see the content. */
  async #name(file: FileHandle, mode: WriteMode): Promise<void> {
    const { folder, name } = this.#entry;
    const [draft, final] = [childPath(folder, this.#draft), childPath(folder, name)];
    if (mode !== 'create') {
      this.#root.guard();
      return rename(draft, final);
    }
    return namedOnce(this.#root, await file.stat(), draft, final);
  }
}

/** Moves a file to a name that nothing has: it has both for a moment. Rejects with EEXIST. */
async function namedOnce(root: FsRoot, stats: Stats, from: string, to: string): Promise<void> {
  const inode = inodeOf(stats);
  beingNamed.add(inode);
  try {
    root.guard();
    await link(from, to);
    await unlink(from);
  } finally {
    beingNamed.delete(inode);
  }
}

/** Makes the names in a folder last. */
async function synced(folder: Held): Promise<void> {
  const handle = await reopen(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => undefined);
  // A folder that may be written and not read cannot be synced; its names are as durable as the system makes them.
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

async function makeOne(root: FsRoot, place: Place): Promise<void> {
  await inParent(root, place, async ({ folder, name }) => {
    root.guard();
    await mkdir(childPath(folder, name));
  });
}

async function makeAll(root: FsRoot, { segments, text }: Place): Promise<void> {
  for (let depth = 1; depth <= segments.length; depth += 1) {
    try {
      await makeOne(root, { segments: segments.slice(0, depth), text });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
  // What is there already may be no folder, or none of this root.
  const folder = await root.folder(segments, text);
  await folder.close();
}

/** Removes names; what a link leads to is never touched. */
class Removal {
  readonly #root: FsRoot;
  readonly #bounds: FsBounds;
  readonly #below: boolean;

  constructor(root: FsRoot, bounds: FsBounds, below: boolean) {
    this.#root = root;
    this.#bounds = bounds;
    this.#below = below;
  }

  async of(entry: Entry, text: string): Promise<void> {
    const path = childPath(entry.folder, entry.name);
    this.#root.guard();
    try {
      await unlink(path);
      return;
    } catch (error) {
      if (!['EISDIR', 'EPERM'].includes(systemCode(error))) throw error;
    }
    if (this.#below) await this.#empty(entry, text);
    this.#root.guard();
    await rmdir(path);
  }

  async #empty(entry: Entry, text: string): Promise<void> {
    const folder = await childFolder(this.#root, entry);
    if (folder === undefined) throw new PowerFailure('no_access', `${text} is no folder that can be emptied`);
    try {
      for (const { name } of await entriesIn(folder, this.#bounds, text))
        await this.of({ folder, name }, shown(name));
    } finally {
      await folder.close();
    }
  }
}

interface Move {
  readonly root: FsRoot;
  readonly source: Place;
  readonly target: Place;
  readonly replace: boolean;
}

async function moved({ root, source, target, replace }: Move, one: Entry, two: Entry): Promise<void> {
  const what = await statsOf(root, one, source.text);
  if (what === undefined) throw new PowerFailure('not_found', `there is no ${source.text}`);
  const there = await statsOf(root, two, target.text);
  if (there !== undefined && !replace) throw new PowerFailure('exists', `there is already a ${target.text}`);
  const [from, to] = [childPath(one.folder, one.name), childPath(two.folder, two.name)];
  if (what.isFile() && !replace) await namedOnce(root, what, from, to);
  else {
    root.guard();
    await rename(from, to);
  }
}
