/** The folder of a skill on disk, read once: each file through a descriptor that is a child of the one above, never through a link. */
import { type Stats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderLimits, SkillEntry, SkillFolder } from '@pawl/core';
import { childPath } from './descriptor.js';

/** Deepest that folders of a skill may stand in each other. */
const deepest = 32;

/** The folder at a path. Every file below is opened once; what changes while it is read makes the whole unreadable. */
export function skillFolder(path: string): SkillFolder {
  return {
    read: async (limits, skips) => {
      const root = await open(path, constants.O_RDONLY | constants.O_DIRECTORY).catch(noFolder);
      try {
        return await new Walk(limits, skips).all({ handle: root, path, name: '' });
      } finally {
        await root.close();
      }
    },
  };
}

/** Says of a file what to do with it. */
function noFolder(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOTDIR') throw error;
  throw new Error('it is a file, and a skill is a folder; unpack an archive first');
}

interface Folder {
  readonly handle: FileHandle;
  readonly path: string;
  /** Relative to the skill; empty for the skill itself. */
  readonly name: string;
}

class Walk {
  readonly #limits: FolderLimits;
  readonly #skips: (name: string) => boolean;
  #files = 0;
  #bytes = 0;

  constructor(limits: FolderLimits, skips: (name: string) => boolean) {
    this.#limits = limits;
    this.#skips = skips;
  }

  /** Folders one after the other, what stands in each together. */
  async all(folder: Folder, depth = 0): Promise<readonly SkillEntry[]> {
    if (depth > deepest) throw new Error(`${folder.name} stands deeper than ${deepest} folders`);
    const names = (await readdir(placeOf(folder), { encoding: 'buffer' })).map(nameOf).sort();
    const wanted = names.filter((name) => !this.#skips(inFolder(folder, name)));
    const found: SkillEntry[] = [];
    const below: string[] = [];
    for (let at = 0; at < wanted.length && this.#files <= this.#limits.files; at += together) {
      const some = wanted.slice(at, at + together);
      for (const [index, entry] of (
        await Promise.all(some.map((name) => this.#one(folder, name)))
      ).entries()) {
        if (entry === 'folder') below.push(some[index] ?? '');
        else found.push(entry);
      }
    }
    for (const name of below) {
      if (this.#files > this.#limits.files) break;
      const handle = await open(childOf(folder, name), folderFlags);
      try {
        const inside = { handle, path: join(folder.path, name), name: inFolder(folder, name) };
        found.push(...(await this.all(inside, depth + 1)));
      } finally {
        await handle.close();
      }
    }
    return found;
  }

  async #one(folder: Folder, child: string): Promise<SkillEntry | 'folder'> {
    const name = inFolder(folder, child);
    // A name that is no UTF-8 leads nowhere; its entry is there to be refused.
    if (child.includes('\uFFFD')) return { name, kind: 'other', mode: 0, size: 0 };
    const facts = await lstat(childOf(folder, child));
    if (facts.isDirectory()) return 'folder';
    this.#files += 1;
    const base = { name, mode: facts.mode & 0o7777, size: facts.size };
    if (facts.isSymbolicLink()) return { ...base, kind: 'link' };
    if (!facts.isFile()) return { ...base, kind: 'other' };
    this.#bytes += facts.size;
    const fits = facts.size <= this.#limits.fileBytes && this.#bytes <= this.#limits.wholeBytes;
    return { ...base, kind: 'file', ...(fits ? { bytes: await this.#bytesOf(folder, child, facts) } : {}) };
  }

  async #bytesOf(folder: Folder, child: string, seen: Stats): Promise<Uint8Array> {
    const handle = await open(childOf(folder, child), fileFlags);
    try {
      if (!sameFile(await handle.stat(), seen)) throw changed(folder, child);
      const bytes = await handle.readFile();
      if (bytes.length !== seen.size || !sameFile(await handle.stat(), seen)) throw changed(folder, child);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    } finally {
      await handle.close();
    }
  }
}

/** Files of one folder that are read at the same time. */
const together = 16;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function sameFile(a: Stats, b: Stats): boolean {
  return (
    a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs && a.mode === b.mode
  );
}

function changed(folder: Folder, child: string): Error {
  return new Error(`${inFolder(folder, child)} changed while it was read`);
}

function inFolder({ name }: Folder, child: string): string {
  return name === '' ? child : `${name}/${child}`;
}

/** Where the system keeps descriptors as files, a child of the descriptor; elsewhere the path. */
function childOf({ handle, path }: Folder, child: string): string {
  return process.platform === 'linux' ? childPath(handle, child) : join(path, child);
}

function placeOf({ handle, path }: Folder): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
}

function nameOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}
