/** Languages of the texts of simple commands: what kind command compiles to. */
import {
  type Charset,
  type Language,
  type Pattern,
  charset,
  complementChars,
  intersect,
  languageOf,
  minus,
  pattern,
  single,
  union,
  unionAll,
  unionChars,
} from '../automaton/index.js';
import { type GlobalOptions, globalOptions } from './command-options.js';
import { refusedPrograms } from './command-read.js';
import { assignmentMark, readMark, unresolvedMark, wordMark, writeMark } from './command-text.js';
import { shellNames, shellOptions } from './command-wrapper.js';
import { allPaths } from './path-language.js';

/** Characters of words: all but control characters; tab and line break are fine. */
const wordChar: Charset = complementChars(
  charset([
    [0, 8],
    [0x0b, 0x1f],
    [0x7f, 0x9f],
  ]),
);
const nameChar = complementChars(unionChars(complementChars(wordChar), single(0x2f)));
const char = pattern.chars(wordChar);
const anyText = pattern.star(char);
const mark = pattern.literal;

/** Any word. */
const anyWord = pattern.sequence(mark(wordMark), anyText);
/** Any number of words. */
export const anyWords: Pattern = pattern.star(anyWord);

const variable = languageOf(
  pattern.sequence(
    pattern.chars(
      charset([
        [0x41, 0x5a],
        [0x5f, 0x5f],
        [0x61, 0x7a],
      ]),
    ),
    pattern.star(
      pattern.chars(
        charset([
          [0x30, 0x39],
          [0x41, 0x5a],
          [0x5f, 0x5f],
          [0x61, 0x7a],
        ]),
      ),
    ),
  ),
);
const assignment = assigning(variable);

/** An assignment to one of some names. */
export function assigning(names: Language): Pattern {
  return pattern.sequence(
    mark(assignmentMark),
    pattern.within(intersect(names, variable)),
    mark('='),
    anyText,
  );
}

const cleanPaths = intersect(allPaths, languageOf(anyText));
const unresolved = pattern.sequence(mark(unresolvedMark), pattern.plus(char));

/** A redirection to a resolved path among some. */
export function redirecting(verb: 'read' | 'write', paths: Language): Pattern {
  return pattern.sequence(
    mark(verb === 'read' ? readMark : writeMark),
    pattern.within(intersect(paths, cleanPaths)),
  );
}

/** A redirection to a path that could not be resolved. */
export function redirectingNowhere(verb: 'read' | 'write'): Pattern {
  return pattern.sequence(mark(verb === 'read' ? readMark : writeMark), unresolved);
}

const verbs = ['read', 'write'] as const;
const resolvedRedirect = pattern.either(...verbs.map((verb) => redirecting(verb, allPaths)));
const anyRedirect = pattern.either(resolvedRedirect, ...verbs.map(redirectingNowhere));

/** Any number of assignments. */
export const anyAssignments: Pattern = pattern.star(assignment);
/** Any number of redirections to resolved paths. */
export const resolvedRedirects: Pattern = pattern.star(resolvedRedirect);
/** Any number of redirections. */
export const anyRedirects: Pattern = pattern.star(anyRedirect);

const program = minus(languageOf(pattern.plus(char)), languageOf(pattern.words(refusedPrograms)));
const seenThrough = pattern.sequence(
  mark(wordMark),
  pattern.words(shellNames),
  mark(wordMark),
  pattern.words(shellOptions),
  anyWord,
);
/** The words of any simple command. */
const allWords: Language = minus(
  languageOf(pattern.sequence(mark(wordMark), pattern.within(program), anyWords)),
  languageOf(seenThrough),
);

/** Texts from the languages or patterns of assignments, redirections and words. */
export function commandsOf(assignments: Pattern, redirects: Pattern, words: Language): Language {
  return languageOf(pattern.sequence(assignments, redirects, pattern.within(intersect(words, allWords))));
}

/** Every text that a simple command can have. */
export const allCommands: Language = commandsOf(anyAssignments, anyRedirects, allWords);
/** Those with an assignment. */
export const assigningCommands: Language = commandsOf(pattern.plus(assignment), anyRedirects, allWords);

/** Commands whose program is one of some, by name as spelled. */
export function commandsRunning(names: readonly string[]): Language {
  const words = languageOf(pattern.sequence(mark(wordMark), pattern.words(names), anyWords));
  return commandsOf(anyAssignments, anyRedirects, words);
}

/** Commands without a redirection that reads, or without one that writes. */
export function commandsWithout(verb: 'read' | 'write'): Language {
  const [other] = verbs.filter((each) => each !== verb);
  const left = other && pattern.either(redirecting(other, allPaths), redirectingNowhere(other));
  return commandsOf(anyAssignments, pattern.star(left ?? pattern.none), allWords);
}

/** A glob over texts: `*` any characters, `?` one; of a program, none of them is a `/`. */
function globPattern(glob: string, of: Charset): Pattern {
  const parts = Array.from(glob, (each) => {
    if (each === '*') return pattern.star(pattern.chars(of));
    return each === '?' ? pattern.chars(of) : pattern.literal(each);
  });
  return pattern.sequence(...parts);
}

/** Texts that a glob matches. */
export function textsOf(glob: string, fold: boolean): Language {
  return languageOf(globPattern(glob, wordChar), { fold });
}

/** Words of which the program is one of some; refusing, a name stands for that name in any folder. */
export function programWords(globs: readonly string[], refusing: boolean): Language {
  const names = globs.map((glob) => {
    const own = globPattern(glob, nameChar);
    return refusing && !glob.includes('/') ? pattern.either(own, inFolder(own)) : own;
  });
  const found = languageOf(pattern.either(...names), { fold: refusing });
  return languageOf(pattern.sequence(mark(wordMark), pattern.within(found), anyWords));
}

function inFolder(name: Pattern): Pattern {
  return pattern.sequence(anyText, mark('/'), name);
}

/** Words by position. */
export function positional(globs: readonly string[], fold: boolean): Pattern {
  return pattern.sequence(...globs.map((glob) => (glob === '**' ? anyWords : wordOf(glob, fold))));
}

function wordOf(glob: string, fold: boolean): Pattern {
  return pattern.sequence(mark(wordMark), pattern.within(textsOf(glob, fold)));
}

/** The program, then these words. */
export function afterProgram(words: Pattern): Language {
  return languageOf(pattern.sequence(anyWord, words));
}

/** Words one of which, after the program, is one of some. */
export function havingWord(globs: readonly string[], fold: boolean): Language {
  return afterProgram(
    pattern.sequence(anyWords, pattern.either(...globs.map((glob) => wordOf(glob, fold))), anyWords),
  );
}

/**
 * Words whose subcommand, after global options that are known, is one of some, followed by `rest`. Refusing: those of these
 * programs whose subcommand cannot be told, too.
 */
export function subcommands(globs: readonly string[], rest: Pattern, refusing: boolean): Language {
  const wanted = languageOf(pattern.either(...globs.map((glob) => subPattern(glob, refusing))));
  const some = [...globalOptions].map(([name, options]) => {
    const before = [named(name), knownOptions(options)];
    const found = languageOf(
      pattern.sequence(...before, pattern.within(intersect(wanted, notOptions)), rest),
    );
    return refusing ? union(found, withoutSub(before)) : found;
  });
  return unionAll(some);
}

const notOptions = languageOf(
  pattern.sequence(
    mark(wordMark),
    pattern.optional(
      pattern.sequence(
        pattern.chars(complementChars(unionChars(complementChars(wordChar), single(0x2d)))),
        anyText,
      ),
    ),
    anyWords,
  ),
);

function subPattern(glob: string, fold: boolean): Pattern {
  return positional(glob.split(' '), fold);
}

function named(program: string): Pattern {
  const name = pattern.literal(program);
  return pattern.sequence(mark(wordMark), pattern.either(name, inFolder(name)));
}

/** Words with an option that is not known before any subcommand. */
function withoutSub(before: readonly Pattern[]): Language {
  const [name = pattern.none] = before;
  const all = languageOf(pattern.sequence(name, anyWords));
  const clear = pattern.sequence(...before, pattern.either(pattern.empty, pattern.within(notOptions)));
  return minus(all, languageOf(clear));
}

function knownOptions({ flags, valued, attached }: GlobalOptions): Pattern {
  const alone = flags.map((flag) => globPattern(flag, wordChar));
  const behind = valued.flatMap((option) => {
    const value = pattern.plus(char);
    if (option.startsWith('--')) return [pattern.sequence(mark(`${option}=`), value)];
    return attached ? [pattern.sequence(mark(option), value)] : [];
  });
  const word = pattern.sequence(mark(wordMark), pattern.either(...alone, ...behind));
  const apart = pattern.sequence(mark(wordMark), pattern.words(valued), anyWord);
  return pattern.star(pattern.either(word, apart));
}
