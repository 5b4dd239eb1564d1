/** The folder of an fs power: what is inside it, what is no plain file or folder of it, and how long it stays open. */
import type { Stats } from 'node:fs';
import { realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CapError, type TurnPort } from '@pawl/core';
import { type Held, asFolder, asName, mountOf, openChild, walkWorks } from './descriptor.js';
import { segmentsOf } from './fs-path.js';
import type { PowerPort } from './port.js';
import { NoConfinement, PowerFailure, outOfScope, revoked, shown, systemCode } from './refusal.js';

/** What an fs power is rooted at. */
export interface RootOptions {
  /** The folder. Links in its own path are followed once, when the power is made. */
  readonly root: string;
  readonly port: PowerPort;
  /** Files that have more names than one: their content may be that of a file elsewhere. Default `refuse`. */
  readonly hardLinks?: 'refuse' | 'allow';
}

/** A path of the caller: its names below the root, and its text for messages. */
export interface Place {
  readonly segments: readonly string[];
  readonly text: string;
}

/** A name in an open folder. */
export interface Entry {
  readonly folder: Held;
  readonly name: string;
}

/** Opens the root. Rejects with {@link NoConfinement} where descriptors cannot be walked or there is no such folder. */
export async function openRoot(options: RootOptions): Promise<FsRoot> {
  if (!(await walkWorks())) {
    throw new NoConfinement(
      'an fs power needs Linux with /proc: without it no path can be kept inside a folder',
    );
  }
  const given = resolve(options.root);
  try {
    const path = realpathSync(given);
    return new FsRoot(new OpenRoot(options, [...new Set([path, given])], await open(path, asFolder)));
  } catch (error) {
    throw new NoConfinement(`the folder ${given} of an fs power cannot be opened (${systemCode(error)})`);
  }
}

/** The descriptor of a root, and who uses it. */
class OpenRoot {
  readonly options: RootOptions;
  /** The real path, then the path given where it differs. */
  readonly paths: readonly string[];
  readonly handle: FileHandle;
  readonly held: Held;
  readonly mount: string;
  readonly end: AbortController = new AbortController();
  users = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: RootOptions, paths: readonly string[], handle: FileHandle) {
    this.options = options;
    this.paths = paths;
    this.handle = handle;
    this.held = { fd: handle.fd, close: async () => {} };
    this.mount = mountOf(handle);
  }

  leave(): void {
    this.users -= 1;
    if (this.users === 0) this.#onIdle?.();
  }

  async close(): Promise<void> {
    if (this.end.signal.aborted) return;
    this.end.abort(revoked());
    // A number that was closed may soon be another folder's: it is not closed under a use.
    if (this.users > 0) await new Promise<void>((idle) => (this.#onIdle = idle));
    await this.handle.close();
  }
}

/** An open root, as everybody uses it, or as one turn does. */
export class FsRoot {
  readonly paths: readonly string[];
  readonly #open: OpenRoot;
  readonly #turn: TurnPort | undefined;

  constructor(open: OpenRoot, turn?: TurnPort) {
    this.#open = open;
    this.#turn = turn;
    this.paths = open.paths;
  }

  /** The same root for one turn: its uses stop with it. */
  within(turn: TurnPort): FsRoot {
    return new FsRoot(this.#open, turn);
  }

  /** Aborted when the root is taken back. */
  get signal(): AbortSignal {
    return this.#open.end.signal;
  }

  /** Throws where the use is not allowed any more. */
  guard(): void {
    this.#open.end.signal.throwIfAborted();
    this.#open.options.port.guard();
    this.#turn?.guard();
  }

  /** Runs one use; the root stays open at least as long. Errors of the system become failures without host paths. */
  async use<T>(path: string, work: (place: Place) => Promise<T>): Promise<T> {
    this.guard();
    const segments = segmentsOf(path, this.paths);
    const place = { segments, text: shown(segments.length === 0 ? '.' : segments.join('/')) };
    this.#open.users += 1;
    try {
      return await work(place);
    } catch (error) {
      throw failureOf(error, place.text);
    } finally {
      this.#open.leave();
    }
  }

  /** No use begins afterwards; settles when the last one has ended and the root is closed. */
  revoke(): Promise<void> {
    return this.#open.close();
  }

  /** Whether the root's path still leads to the root itself. */
  async isInPlace(): Promise<boolean> {
    try {
      const there = await open(this.paths[0] ?? '', asFolder);
      const [one, two] = await Promise.all([there.stat(), this.#open.handle.stat()]);
      await there.close();
      return one.ino === two.ino && one.dev === two.dev;
    } catch {
      return false;
    }
  }

  /** Opens the folder that these names lead to, one by one. */
  async folder(segments: readonly string[], text: string): Promise<Held> {
    let at = this.#open.held;
    for (const name of segments) {
      const above = at;
      try {
        at = await this.#step(above, name, text);
      } finally {
        await above.close();
      }
    }
    if (mountOf(at) === this.#open.mount) return at;
    await at.close();
    throw outOfScope('fs.root', `another file system is mounted at ${text}`);
  }

  /** Opens the folder in which a path's last name stands. Rejects for the root itself. */
  async parent({ segments, text }: Place): Promise<Entry> {
    const name = segments.at(-1);
    if (name === undefined) throw outOfScope('fs.root', 'the folder of this tool itself stays what it is');
    return { folder: await this.folder(segments.slice(0, -1), text), name };
  }

  /** Names what stands under a name, or undefined for nothing; what is no plain file or folder of this root is refused. */
  async named(
    { folder, name }: Entry,
    text: string,
  ): Promise<{ handle: FileHandle; stats: Stats } | undefined> {
    const handle = await opened(folder, name);
    if (handle === undefined) return undefined;
    try {
      const stats = await handle.stat();
      this.judge(handle, stats, text);
      return { handle, stats };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Throws a denial for what is no plain file or folder on the root's own mount. */
  judge(handle: Held, stats: Stats, text: string): void {
    const why = this.#whyNot(handle, stats);
    if (why !== undefined) throw outOfScope('fs.root', `${text} is ${why}`);
  }

  #whyNot(handle: Held, stats: Stats): string | undefined {
    if (stats.isSymbolicLink()) return 'a link; links are not followed';
    if (!stats.isFile() && !stats.isDirectory()) return 'a device, a pipe or a socket';
    if (mountOf(handle) !== this.#open.mount) return 'on another file system';
    const several = stats.isFile() && stats.nlink > 1 && !beingNamed.has(inodeOf(stats));
    return several && this.#open.options.hardLinks !== 'allow'
      ? 'a file with several names (hard links)'
      : undefined;
  }

  async #step(above: Held, name: string, text: string): Promise<Held> {
    try {
      return await openChild(above, name, asFolder);
    } catch (error) {
      if (systemCode(error) !== 'ENOTDIR') throw error;
      const found = await this.named({ folder: above, name }, text);
      await found?.handle.close();
      throw new PowerFailure('not_a_folder', `a part of ${text} is no folder`);
    }
  }
}

/** Files that a power is giving their name to: for a moment they have two. */
export const beingNamed: Set<string> = new Set();

/** What tells an inode from all others. */
export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

async function opened(folder: Held, name: string): Promise<FileHandle | undefined> {
  try {
    return await openChild(folder, name, asName);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const failures = {
  ENOENT: ['not_found', 'there is no'],
  EEXIST: ['exists', 'there is already a'],
  ENOTDIR: ['not_a_folder', 'a part is no folder of'],
  EISDIR: ['not_a_file', 'a folder is at'],
  ENOTEMPTY: ['not_empty', 'the folder is not empty:'],
  EACCES: ['no_access', 'the system does not let Pawl use'],
  EPERM: ['no_access', 'the system does not let Pawl use'],
  EROFS: ['no_access', 'the file system is read-only:'],
  ENOSPC: ['no_space', 'no space is left for'],
  EDQUOT: ['no_space', 'no space is left for'],
  ENAMETOOLONG: ['bad_name', 'a name is too long in'],
} as const;

/** What was thrown, without what the system says of it: that names paths of the host. */
function failureOf(error: unknown, text: string): unknown {
  const code = systemCode(error);
  if (code === '' || error instanceof PowerFailure || !(error instanceof Error) || error instanceof CapError)
    return error;
  // A link that took a folder's place between two looks.
  if (code === 'ELOOP') return outOfScope('fs.root', `${text} is a link; links are not followed`);
  const known = Object.entries(failures).find(([each]) => each === code)?.[1];
  return known === undefined
    ? new PowerFailure('failed', `${text} could not be used (${code})`)
    : new PowerFailure(known[0], `${known[1]} ${text}`);
}
