/** An fs power over several folders of which somebody judges each use by its path: what is left of folders that are not granted whole. */
import { type TurnPort, inTurn, stopsWithTurns } from '@pawl/core';
import { type WritableFs, fsFacts } from './fs.js';
import { segmentsOf } from './fs-path.js';
import { givenText } from './given.js';
import { outOfScope } from './refusal.js';

/** What is done to a path: `search` to all below it, `replace` writes what is there already. */
export type FileUse = 'read' | 'list' | 'search' | 'write' | 'replace' | 'mkdir';

/** Says of each use whether it is permitted. Paths are absolute and canonical. Pure. */
export interface FileJudge {
  permits(use: FileUse, path: string): boolean;
  permitsMove(from: string, to: string): boolean;
}

/** A path inside one of the folders. */
interface Found {
  readonly fs: WritableFs;
  readonly path: string;
}

/**
 * The power over these folders, outer ones first, that the judge leaves. Paths are absolute; relative ones are meant from the first folder. Nothing is removed:
 * no use is judged so. Everything else is as with the powers that it is made of, which have to be granted here, at least one.
 */
export function boundedFs(folders: readonly WritableFs[], judge: FileJudge): WritableFs {
  const power = bounded(folders, judge);
  const within = (turn: TurnPort): WritableFs =>
    bounded(
      folders.map((folder) => inTurn(folder, turn)),
      judge,
      folders,
    );
  return stopsWithTurns(power, within);
}

/** `known` are the powers as they were granted, in the same order. */
function bounded(
  folders: readonly WritableFs[],
  judge: FileJudge,
  known: readonly WritableFs[] = folders,
): WritableFs {
  const find = (path: string): Found => foundIn(folders, known, path);
  const on = (uses: readonly FileUse[], path: string): Found => {
    const found = find(path);
    if (uses.some((use) => judge.permits(use, found.path))) return found;
    throw notPermitted();
  };
  return Object.freeze<WritableFs>({
    read: async (path) => use(on(['read'], path), (fs, at) => fs.read(at)),
    readText: async (path) => use(on(['read'], path), (fs, at) => fs.readText(at)),
    list: async (path) => use(on(['list'], path), (fs, at) => fs.list(at)),
    stat: async (path) => use(on(['list', 'read'], path), (fs, at) => fs.stat(at)),
    search: async (path, wish) => use(on(['search'], path), (fs, at) => fs.search(at, wish)),
    write: async (path, content, { mode = 'put' } = {}) => {
      const found = on(['write', 'replace'], path);
      const only = judge.permits('write', found.path) ? mode : onlyReplacing(mode);
      return use(found, (fs, at) => fs.write(at, content, { mode: only }));
    },
    // Folders above would be made unjudged.
    mkdir: async (path) => use(on(['mkdir'], path), (fs, at) => fs.mkdir(at)),
    remove: async () => {
      throw outOfScope('fs.root', 'this tool may not remove anything');
    },
    move: async (from, to, options) => {
      const [source, target] = [find(from), find(to)];
      if (!judge.permitsMove(source.path, target.path)) throw notPermitted();
      // One folder that holds both: the step is one of the system.
      const both = folders.findIndex((_, at) =>
        [source, target].every(({ path }) => holds(rootsOf(known[at]), path)),
      );
      const fs = folders[both];
      if (fs === undefined) throw notPermitted();
      return fs.move(source.path, target.path, { ...options, replace: false });
    },
  });
}

function use<T>({ fs, path }: Found, work: (fs: WritableFs, path: string) => Promise<T>): Promise<T> {
  return work(fs, path);
}

function onlyReplacing(mode: 'put' | 'create' | 'replace'): 'replace' {
  if (mode === 'create') throw outOfScope('fs.root', 'this tool may change files here and make none');
  return 'replace';
}

function notPermitted(): Error {
  return outOfScope('fs.root', 'what this tool was granted does not hold this use of the path');
}

/** The innermost folder of a path: one inside of another may be a mount of its own. */
function foundIn(folders: readonly WritableFs[], known: readonly WritableFs[], given: string): Found {
  const path = givenText(given, 'a path');
  const at = path.startsWith('/') ? known.findLastIndex((one) => holds(rootsOf(one), path)) : 0;
  const fs = folders[at];
  if (fs === undefined) throw outOfScope('fs.root', 'the path is outside the folders of this tool');
  const roots = rootsOf(known[at]);
  return { fs, path: [roots[0], ...segmentsOf(path, roots)].join('/') };
}

function rootsOf(fs: WritableFs | undefined): readonly string[] {
  return (fs && fsFacts(fs)?.root.paths) ?? [];
}

function holds(roots: readonly string[], path: string): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}/`));
}
