/** Folders made for one run of a program: copies of what it may read, and a place for what it may write, each file judged by its path. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TurnPort, inTurn } from '@pawl/core';
import { type FileJudge, boundedFs } from './bounded.js';
import { type WritableFs, fsFacts, grantReadFs } from './fs.js';
import { DenialError, PowerFailure, outOfScope, shown } from './refusal.js';

/** What is staged for one run. */
export interface Staged {
  /** What the program sees at a path, and where it is. */
  readonly mounts: readonly { readonly path: string; readonly from: string }[];
  /** Writes what the program left: all of it, or nothing where any of it may not be written. */
  keep(): Promise<void>;
  /** Removes the copies. */
  drop(): Promise<void>;
}

/** Makes folders for runs. */
export interface Staging {
  begin(turn: TurnPort | undefined): Promise<Staged>;
}

/** A folder to be staged. */
export interface StagedFolder {
  /** The power over it, as it was granted; it stands at its own path. */
  readonly fs: WritableFs;
  /** Names of files in it; absent: everything in and below it. */
  readonly only?: readonly string[];
}

/** What staging is made from. */
export interface StagingOptions {
  readonly folders: readonly StagedFolder[];
  readonly judge: FileJudge;
  /** Folders that are shown themselves, or are staged: inside of another one they are left out of it. */
  readonly besides: readonly string[];
  /** Where copies are made: absolute, this user's own. */
  readonly place: string;
  readonly bounds?: Partial<StagingBounds>;
}

/** Bounds of what is copied for one run, in and out. */
export interface StagingBounds {
  readonly files: number;
  readonly bytes: number;
}

const usualBounds: StagingBounds = { files: 2_000, bytes: 64 * 1024 * 1024 };

/**
 * A program sees copies of the files that may be read, and no others, not even their names. What it changes or makes is written where that
 * may be written, each file in one step, once it has ended; what it removes stays. Links, devices and whatever else is no plain file
 * refuse the whole.
 */
export function stagingOf(options: StagingOptions): Staging {
  return { begin: (turn) => Stage.begin(options, turn) };
}

class Stage implements Staged {
  readonly mounts: readonly { readonly path: string; readonly from: string }[];
  readonly #options: StagingOptions;
  readonly #top: string;
  readonly #out: WritableFs;
  /** What was there at the beginning: absolute path to digest. */
  readonly #before = new Map<string, string>();
  readonly #bounds: StagingBounds;
  #files = 0;
  #bytes = 0;

  constructor(options: StagingOptions, turn: TurnPort | undefined) {
    const { folders, judge, place, bounds } = options;
    this.#options = options;
    this.#bounds = { ...usualBounds, ...bounds };
    this.#top = mkdtempSync(join(place, '.stage-'));
    const out = boundedFs(
      folders.map(({ fs }) => fs),
      judge,
    );
    this.#out = turn === undefined ? out : inTurn(out, turn);
    this.mounts = folders.map((folder, at) => {
      const from = join(this.#top, String(at));
      mkdirSync(from, { mode: 0o700 });
      return { path: pathOf(folder.fs), from };
    });
  }

  static async begin(options: StagingOptions, turn: TurnPort | undefined): Promise<Stage> {
    const stage = new Stage(options, turn);
    try {
      for (const [at, folder] of options.folders.entries()) {
        const fs = turn === undefined ? folder.fs : inTurn(folder.fs, turn);
        await stage.#copyIn({ ...folder, fs }, stage.mounts[at]);
      }
      return stage;
    } catch (error) {
      await stage.drop();
      throw error;
    }
  }

  async keep(): Promise<void> {
    const left: { readonly path: string; readonly bytes: Uint8Array }[] = [];
    [this.#files, this.#bytes] = [0, 0];
    for (const mount of this.mounts) left.push(...(await this.#leftIn(mount)));
    for (const { path } of left) this.#judge(path);
    for (const { path, bytes } of left) {
      await this.#makeFolders(path);
      await this.#out.write(path, bytes);
    }
  }

  drop(): Promise<void> {
    try {
      rmSync(this.#top, { recursive: true, force: true });
    } catch {
      // Folders that the program closed to its own user: empty or not, nobody is shown them again.
    }
    return Promise.resolve();
  }

  async #copyIn({ fs, only }: StagedFolder, mount: Staged['mounts'][number] | undefined): Promise<void> {
    if (mount === undefined) return;
    const { judge } = this.#options;
    for (const name of only ?? (await this.#namesIn(fs))) {
      const path = `${mount.path}/${name}`;
      if (this.#isBeside(path, mount.path) || !judge.permits('read', path)) continue;
      const bytes = await contentOf(fs, name);
      if (bytes === undefined) continue;
      this.#count(bytes.length);
      this.#before.set(path, digestOf(bytes));
      const copy = join(mount.from, name);
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      writeFileSync(copy, bytes, { mode: 0o600, flag: 'wx' });
    }
  }

  async #namesIn(folder: WritableFs): Promise<readonly string[]> {
    const most = this.#bounds.files * 10;
    const names = await folder.search('.', { name: '*', most: most + 1 });
    if (names.length > most) throw this.#tooLarge();
    return names;
  }

  /** Files that are new or changed. No program runs any more that could move them. */
  async #leftIn({
    path,
    from,
  }: Staged['mounts'][number]): Promise<readonly { path: string; bytes: Uint8Array }[]> {
    const grant = await grantReadFs({ root: from, port: { guard: () => undefined } });
    try {
      const left: { path: string; bytes: Uint8Array }[] = [];
      await this.#gather(grant.power, '', async (name) => {
        const place = `${path}/${name}`;
        if (this.#isBeside(place, path)) return;
        const bytes = await grant.power.read(name);
        this.#count(bytes.length);
        if (this.#before.get(place) !== digestOf(bytes)) left.push({ path: place, bytes });
      });
      return left;
    } finally {
      await grant.revoke();
    }
  }

  async #gather(
    power: Pick<WritableFs, 'list'>,
    folder: string,
    take: (name: string) => Promise<void>,
  ): Promise<void> {
    for (const { name, kind } of await power.list(folder === '' ? '.' : folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder') await this.#gather(power, path, take);
      else if (kind === 'file') await take(path);
      else
        throw outOfScope(
          'fs.root',
          `the program left ${shown(path)}, which is no plain file; nothing was kept`,
        );
    }
  }

  #judge(path: string): void {
    const { judge } = this.#options;
    const isThere = this.#before.has(path);
    if (judge.permits('write', path) || (isThere && judge.permits('replace', path))) return;
    const name = path.slice(path.lastIndexOf('/') + 1);
    throw outOfScope('fs.root', `the program may not write ${shown(name)} where it did; nothing was kept`);
  }

  async #makeFolders(path: string): Promise<void> {
    const folders = this.#options.folders.map(({ fs }) => fs);
    const folder = folders.find((each) => path.startsWith(`${pathOf(each)}/`));
    if (folder === undefined) return;
    const { judge } = this.#options;
    const top = pathOf(folder);
    const names = path
      .slice(top.length + 1)
      .split('/')
      .slice(0, -1);
    for (const [at] of names.entries()) {
      const name = names.slice(0, at + 1).join('/');
      if (await isFolder(folder, name)) continue;
      const above = `${top}/${name}`;
      if (!judge.permits('mkdir', above) && !judge.permits('write', above))
        throw outOfScope('fs.root', `the program may not make the folder ${shown(names[at] ?? '')}`);
      await folder.mkdir(name);
    }
  }

  /** Whether a path is in a folder that is shown itself, inside of the staged one. */
  #isBeside(path: string, staged: string): boolean {
    const inner = this.#options.besides.filter((folder) => folder.startsWith(`${staged}/`));
    return inner.some((folder) => path === folder || path.startsWith(`${folder}/`));
  }

  #count(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > this.#bounds.files || this.#bytes > this.#bounds.bytes) throw this.#tooLarge();
  }

  #tooLarge(): PowerFailure {
    const { files, bytes } = this.#bounds;
    return new PowerFailure(
      'too_large',
      `a folder of this tool holds more than ${files} files or ${bytes} bytes, so no copy of it can be made for a program`,
    );
  }
}

function pathOf(folder: WritableFs): string {
  return fsFacts(folder)?.root.paths[0] ?? '/';
}

/** The content of a file; undefined for a folder, for what is no plain file of its own, and for what is gone. */
async function contentOf(folder: WritableFs, name: string): Promise<Uint8Array | undefined> {
  try {
    return await folder.read(name);
  } catch (error) {
    const isNone = error instanceof PowerFailure && ['not_a_file', 'not_found'].includes(error.code);
    const isRefused = error instanceof DenialError && error.code === 'out_of_scope';
    if (isNone || isRefused) return undefined;
    throw error;
  }
}

async function isFolder(folder: WritableFs, name: string): Promise<boolean> {
  try {
    return (await folder.stat(name)).kind === 'folder';
  } catch (error) {
    if (error instanceof PowerFailure && error.code === 'not_found') return false;
    throw error;
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
