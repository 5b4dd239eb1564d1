/** Globs that hold the paths seen. */
import { escapeGlob } from '@pawl/core';

/** A path as an access names it. */
export interface PathValue {
  readonly path: string;
  readonly extent: string;
}

/** Most folders of which something is listed where there are too many paths. */
const mostFolders = 8;

/** Globs for these paths: each for itself where they are at most `most`, otherwise the folders that hold them. Sorted. */
export function pathGlobs(values: readonly PathValue[], most: number): readonly string[] {
  const exact = [...new Set(values.map(globOf))].sort();
  if (exact.length <= most) return exact;
  const paths = [...new Set(values.map(({ path, extent }) => (extent === 'exact' ? folderOf(path) : path)))];
  const common = commonFolder(paths);
  if (common !== '/') return [below(common)];
  const tops = new Map<string, string[]>();
  for (const path of paths) {
    const top = path.split('/', 2).join('/');
    tops.set(top, [...(tops.get(top) ?? []), path]);
  }
  const folders =
    tops.has('') || tops.has('/') || tops.size > mostFolders ? ['/'] : [...tops.values()].map(commonFolder);
  return folders.map(below).sort();
}

function globOf({ path, extent }: PathValue): string {
  if (extent === 'subtree') return below(path);
  return extent === 'children' ? `${withoutSlash(path)}/*` : escapeGlob(path);
}

function below(folder: string): string {
  return `${withoutSlash(folder)}/**`;
}

function withoutSlash(path: string): string {
  return path === '/' ? '' : escapeGlob(path);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || '/';
}

/** The longest folder that holds all of them. */
function commonFolder(paths: readonly string[]): string {
  const [first = '/', ...rest] = paths;
  let folder = first;
  while (folder !== '/' && !rest.every((path) => path === folder || path.startsWith(`${folder}/`)))
    folder = folderOf(folder);
  return folder;
}
