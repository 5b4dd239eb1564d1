/** What a sandbox shows: folders that are granted, hidden ones inside them, and why a profile cannot be had. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { egressFolder } from './egress-folder.js';

/** What a process may reach. Absolute paths. */
export interface Profile {
  /** Folders and files that it may read. */
  readonly read: readonly string[];
  /** Folders and files that it may change. */
  readonly write: readonly string[];
  /** What it may not see wherever that lies: policy, store, keys, sockets. */
  readonly hide: readonly string[];
  /** Where it runs; an empty folder where this is not granted. */
  readonly cwd: string;
  /** Socket of the egress proxy. Without it there is no network at all. */
  readonly egress?: string;
}

/** One thing that is mounted. */
export interface Mounted {
  readonly path: string;
  readonly how: 'read' | 'write' | 'empty';
  /** What stands there instead of what is at the path itself. */
  readonly from?: string;
}

/** A profile that can be had: what is mounted, outer folders before inner ones. */
export interface Plan {
  readonly mounts: readonly Mounted[];
  /** Granted paths that are links, and where they lead. */
  readonly links: readonly { readonly from: string; readonly to: string }[];
  readonly cwd: string;
  readonly egress?: string;
}

/** Folders of the system that are not the machine's own in a sandbox. */
const virtual = ['/proc', '/sys', '/dev'];

/** Looks at what a profile names, or says why it cannot be had. */
export function planOf(profile: Profile): Plan | { readonly why: string } {
  const hidden = [
    ...new Set([...profile.hide, egressFolder()].flatMap((path) => [path, realPath(path) ?? path])),
  ];
  const draft: Draft = { hidden, mounts: new Map(), links: [] };
  const granted = [
    ...profile.read.map((path) => ({ path, how: 'read' as const })),
    ...profile.write.map((path) => ({ path, how: 'write' as const })),
  ];
  for (const each of granted) {
    const why = added(draft, each);
    if (why !== undefined) return { why };
  }
  const mounts = [...draft.mounts].map(([path, how]) => ({ path, how }));
  return {
    mounts: mounts.sort((a, b) => depth(a.path) - depth(b.path)),
    links: draft.links.filter(({ from }) => !mounts.some(({ path }) => isInside(from, path))),
    cwd: realPath(profile.cwd) ?? profile.cwd,
    ...(profile.egress !== undefined && { egress: profile.egress }),
  };
}

interface Draft {
  readonly hidden: readonly string[];
  readonly mounts: Map<string, Mounted['how']>;
  readonly links: Plan['links'][number][];
}

/** Adds what one granted path comes to, or says why it may not be granted. */
function added(
  { hidden, mounts, links }: Draft,
  { path, how }: { readonly path: string; readonly how: 'read' | 'write' },
): string | undefined {
  const real = realPath(path);
  if (real === undefined) return `${path} is not there`;
  const why = whyNot(real, how, hidden);
  if (why !== undefined) return why;
  if (mounts.get(real) !== 'write') mounts.set(real, how);
  if (real !== path) links.push({ from: path, to: real });
  for (const inner of hidden.filter((each) => isInside(each, real))) {
    // A link inside leads to where nothing is shown, or to a folder that is hidden under its own name.
    if (kindAt(inner) !== 'folder') continue;
    for (const between of how === 'write' ? foldersBetween(real, inner) : []) {
      if (!mounts.has(between)) mounts.set(between, 'write');
    }
    mounts.set(inner, 'empty');
  }
  return undefined;
}

/**
 * Whether every path of the plan is still what it was: no link has taken its place, and what is to be covered is a folder. To be
 * asked before each start, since paths are mounted by name.
 */
export function isInPlace({ mounts }: Plan): boolean {
  return mounts.every(
    ({ path, how }) => realPath(path) === path && (how !== 'empty' || kindAt(path) === 'folder'),
  );
}

/** Whether a path is that folder or beneath it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || isInside(path, folder);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? folder : `${folder}/`) && path !== folder;
}

function whyNot(path: string, how: 'read' | 'write', hidden: readonly string[]): string | undefined {
  if (path === '/') return 'the whole file system is no confinement: name folders';
  if (virtual.some((folder) => isWithin(path, folder))) return `${path} is not shown to any sandbox`;
  if (hidden.some((each) => isWithin(path, each)))
    return `${path} is Pawl's own: policy, store and keys are shown to no sandbox`;
  const file = hidden.find((each) => isInside(each, path) && !canBeEmptied(each, how));
  if (file === undefined) return undefined;
  return `${path} holds ${file}, which no sandbox may show: name folders beside it, or keep it elsewhere`;
}

/**
 * A folder is covered by an empty one. A file cannot be covered for good: whoever replaces it by renaming another uncovers it. What
 * is not there, or is a link, could be made another by who may write.
 */
function canBeEmptied(path: string, how: 'read' | 'write'): boolean {
  const kind = kindAt(path);
  return kind === 'folder' || (how === 'read' && kind !== 'file');
}

function kindAt(path: string): 'folder' | 'file' | 'link' | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return 'link';
  if (stats?.isDirectory() === true) return 'folder';
  return stats === undefined ? undefined : 'file';
}

/** Folders between the two: mounted on themselves they cannot be renamed away from above what is hidden in them. */
function foldersBetween(outer: string, inner: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(inner); isInside(at, outer); at = dirname(at)) found.push(at);
  return found;
}

function depth(path: string): number {
  return path.split('/').length;
}

function realPath(path: string): string | undefined {
  if (!isAbsolute(path)) return undefined;
  try {
    return realpathSync(resolve(path));
  } catch {
    return undefined;
  }
}
