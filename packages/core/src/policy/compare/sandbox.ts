/** Whether a sandbox lets its process reach no more than another. */
import { hostsWithin } from '../../authority/index.js';
import type { SandboxSource } from '../document.js';

/** Whether everything that NEW lets a process reach OLD does too. Undefined: the process is not confined. */
export function isNoWider(old: SandboxSource | undefined, next: SandboxSource | undefined): boolean {
  if (old === undefined) return true;
  if (next === undefined) return false;
  const readable = [...old.read, ...old.write];
  return (
    next.read.every((path) => isCovered(path, readable)) &&
    next.write.every((path) => isCovered(path, old.write)) &&
    isNetworkWithin(next.network, old.network)
  );
}

function isNetworkWithin(next: SandboxSource['network'], old: SandboxSource['network']): boolean {
  if (next === 'none') return true;
  return old !== 'none' && hostsWithin(next.hosts, old.hosts);
}

/** By name: whether what a name leads to changes is not for a comparison of documents to see. */
function isCovered(path: string, folders: readonly string[]): boolean {
  const place = placeOf(path);
  return folders.some((folder) => {
    const outer = placeOf(folder);
    return (
      outer.absolute === place.absolute &&
      outer.up === place.up &&
      outer.names.every((name, at) => place.names[at] === name)
    );
  });
}

/** A path without `.` and `..`, but for those with which a relative one begins. */
function placeOf(path: string): {
  readonly absolute: boolean;
  readonly up: number;
  readonly names: readonly string[];
} {
  const absolute = path.startsWith('/');
  const names: string[] = [];
  let up = 0;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') names.push(segment);
    else if (names.pop() === undefined && !absolute) up += 1;
  }
  return { absolute, up, names };
}
