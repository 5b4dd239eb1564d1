/** The accesses that a simple command makes beside its own: its words as paths, and its redirections. */
import {
  type Held,
  type PathContext,
  type SimpleCommand,
  type Verb,
  type Word,
  Region,
  pathsFrom,
} from '../authority/index.js';
import { type ProgramTable, anything, payloadOptions, programs } from './command-program.js';

/** One access beside that of the command. */
export interface Beside {
  readonly verb: Verb;
  /** What the field `path` holds; undefined: a path that cannot be resolved. */
  readonly path: Held | undefined;
}

/** Most accesses that one simple command makes. */
const mostBesides = 4_096;

/** The word accesses (POLICY section 4, command), then the redirections. */
export function besidesOf(
  command: SimpleCommand,
  ctx: PathContext,
): { readonly besides: readonly Beside[] } | { readonly why: string } {
  const [program, ...words] = command.words;
  const table = tableOf(program?.text ?? '', words);
  const paths = table.verbs.length === 0 ? [] : wordPaths(command, words, ctx);
  const besides: Beside[] = [];
  for (const path of paths) {
    const held = path === undefined ? undefined : Region.subtree(path);
    for (const verb of table.verbs) besides.push({ verb, path: held });
  }
  for (const { verb, path } of command.redirects) {
    besides.push({ verb, path: path.startsWith('/') ? path : undefined });
  }
  return besides.length > mostBesides ? { why: 'it names too many paths' } : { besides };
}

/** What a command line that is not understood may do. */
export const unreadBesides: readonly Beside[] = anything.verbs.map((verb) => ({ verb, path: undefined }));

/** Verbs that accesses beside a command can have. */
export const besideVerbs: readonly Verb[] = anything.verbs;

function tableOf(program: string, words: readonly Word[]): ProgramTable {
  const table = programs.get(program);
  if (table === undefined) return anything;
  const more = table.unless?.some((option) => words.some(({ text }) => text.startsWith(option)));
  return more === true ? anything : table;
}

/** Paths that the words name, each once; that of the folder where they name none. Undefined: one that is not known. */
function wordPaths(
  command: SimpleCommand,
  words: readonly Word[],
  ctx: PathContext,
): readonly (string | undefined)[] {
  const found = new Set<string | undefined>();
  for (const word of withoutPayload(command, words)) {
    for (const path of pathsOf(word, command, ctx)) found.add(path);
  }
  if (found.size > 0) return [...found];
  return [...new Set(command.folders)];
}

/** Words that are no text of an option such as `git commit -m`. */
function withoutPayload({ words: [program] }: SimpleCommand, words: readonly Word[]): readonly Word[] {
  const sub = words.find(({ text }) => !text.startsWith('-'))?.text;
  const option = payloadOptions.find((each) => each.program === program?.text && each.sub === sub);
  if (option === undefined) return words;
  return words.filter(({ text }, index) => {
    if (option.joined.some((each) => text.startsWith(each))) return false;
    return !option.apart.includes(words[index - 1]?.text ?? '');
  });
}

/** Where the path begins in a word that is an option, or that holds an assignment. */
const inOption = /[/~]|\.\./u;

function pathsOf(word: Word, { folders }: SimpleCommand, ctx: PathContext): readonly (string | undefined)[] {
  const optional = word.text.startsWith('-') || word.text.includes('=');
  const start = optional ? word.text.search(inOption) : 0;
  if (start < 0 || word.text === '') return [];
  const glob = word.glob < start ? -1 : word.glob - start;
  const text = word.text.slice(start);
  if (glob < 0) return named(text, word, folders, ctx);
  // Behind a pattern, two dots climb to a place that only the files that are there decide.
  if (text.slice(glob).split('/').includes('..')) return ['/'];
  const folder = text.slice(0, text.lastIndexOf('/', glob) + 1);
  return named(folder === '' ? '.' : folder, word, folders, ctx);
}

/** A leading `~` that was quoted is a name to the shell, and the home to many programs: both are meant. */
function named(
  text: string,
  word: Word,
  folders: SimpleCommand['folders'],
  ctx: PathContext,
): readonly (string | undefined)[] {
  const unknown = [undefined];
  if (!text.startsWith('~')) return pathsFrom(text, false, folders, ctx) ?? unknown;
  const home = pathsFrom(text, true, folders, ctx) ?? unknown;
  return word.tilde || text.length < word.text.length
    ? home
    : [...home, ...(pathsFrom(text, false, folders, ctx) ?? unknown)];
}
