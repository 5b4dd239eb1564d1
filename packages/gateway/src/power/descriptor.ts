/**
 * Descriptors of folders and files, each opened as a child of the one above through /proc/self/fd and never through a link.
 * What a path led to when its descriptor was opened is what is used, whatever happens to the names meanwhile.
 */
import { constants, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** O_PATH of Linux: names an inode without opening it, so that devices and pipes notice nothing. Node has no constant for it. */
const O_PATH = 0o10000000;

/** Opens what a name is, a link too, without reading it. */
export const asName: number = O_PATH | constants.O_NOFOLLOW;
/** Opens a folder as a place to go on from; ENOTDIR for a link. */
export const asFolder: number = O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY;

/** A descriptor, and who closes it. */
export interface Held {
  readonly fd: number;
  close(): Promise<void>;
}

/** The path that names the inode of a descriptor itself. */
export function pathOf({ fd }: Pick<Held, 'fd'>): string {
  return `/proc/self/fd/${fd}`;
}

/** The path of a child of an open folder. `name` is one segment, neither `.` nor `..`. */
export function childPath(folder: Pick<Held, 'fd'>, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

/** Opens a child. Rejects with the system's error. */
export function openChild(
  folder: Pick<Held, 'fd'>,
  name: string,
  flags: number,
  mode?: number,
): Promise<FileHandle> {
  return open(childPath(folder, name), flags, mode);
}

/** Opens the very inode of a descriptor that only names it. */
export function reopen(named: Pick<Held, 'fd'>, flags: number): Promise<FileHandle> {
  return open(pathOf(named), flags | constants.O_NONBLOCK | constants.O_NOCTTY);
}

/** The id of the mount on which a descriptor is: bind mounts of the same device differ in it. */
export function mountOf({ fd }: Pick<Held, 'fd'>): string {
  const found = /^mnt_id:\s*(\d+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
  if (found === undefined) throw new Error('the kernel does not say on which mount a descriptor is');
  return found;
}

/** Whether this machine has what the walk needs. */
export async function walkWorks(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  let root: FileHandle | undefined;
  let proc: FileHandle | undefined;
  try {
    root = await open('/', asFolder);
    proc = await openChild(root, 'proc', asFolder);
    return mountOf(proc) !== mountOf(root) && (await proc.stat()).isDirectory();
  } catch {
    return false;
  } finally {
    await root?.close();
    await proc?.close();
  }
}
