/** The folders in which a command may run, as far as `cd` before it says. */
import type { PathContext } from './context.js';
import { canonicalPath } from './path-value.js';
import type { Word } from './command-syntax.js';

/** Candidates, canonical and absolute; undefined: one that is not known. At least one. */
export type Folders = readonly (string | undefined)[];

/** Most folders that a command may run in before all that is relative counts as not known. */
const mostFolders = 16;

const absolute = /^(?:[/\\]|[A-Za-z]:)/u;

/**
 * The paths that a text may mean, one a folder, without repetitions; undefined where one of them is not known, or where the
 * text is no path. `tilde`: whether a leading `~` is the home.
 */
export function pathsFrom(
  text: string,
  tilde: boolean,
  folders: Folders,
  ctx: PathContext,
): readonly string[] | undefined {
  const spelled = text.startsWith('~') && !tilde ? `./${text}` : text;
  const anywhere = absolute.test(spelled) || spelled.startsWith('~');
  const found = new Set<string>();
  for (const folder of anywhere ? [''] : folders) {
    if (folder === undefined) return undefined;
    const read = canonicalPath(spelled, ctx, folder);
    if (!read.ok) return undefined;
    found.add(read.path);
  }
  return [...found];
}

const changing: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd']);

/** The folders in which what follows a command may run: where it ran, and where it went. */
export function foldersAfter(words: readonly Word[], folders: Folders, ctx: PathContext): Folders {
  const [program, ...rest] = words;
  if (program === undefined || !changing.has(program.text)) return folders;
  const target = rest.find((word) => !/^-.+/u.test(word.text));
  if (target?.text === '-') return folders;
  const [text, tilde] = target === undefined ? ['~', true] : [target.text, target.tilde];
  const known = target !== undefined && target.glob >= 0 ? undefined : pathsFrom(text, tilde, folders, ctx);
  const all = [...new Set([...folders, ...(known ?? [undefined])])];
  return all.length > mostFolders ? [undefined] : all;
}
