/** The one text of a simple command: what constraints of kind command are languages over. */

/** Stands before the name of an assignment. */
export const assignmentMark = '\u0001';
/** Stands before the path of a redirection that reads. */
export const readMark = '\u0002';
/** Stands before the path of a redirection that writes. */
export const writeMark = '\u0003';
/** Stands before each word; the program is the first. */
export const wordMark = '\u0004';
/** First of a path that could not be resolved: relative where there is no root, or the home of a user. */
export const unresolvedMark = '?';

/** What a simple command consists of, as its text holds it. */
export interface CommandParts {
  /** `NAME=value`, in the order given. */
  readonly assignments: readonly string[];
  /** Canonical absolute paths, or unresolved ones behind a `?`. */
  readonly redirects: readonly { readonly verb: 'read' | 'write'; readonly path: string }[];
  /** At least one. */
  readonly words: readonly string[];
}

/** Its text: every part behind a mark that no part can hold. */
export function commandText({ assignments, redirects, words }: CommandParts): string {
  return [
    ...assignments.map((each) => assignmentMark + each),
    ...redirects.map(({ verb, path }) => (verb === 'read' ? readMark : writeMark) + path),
    ...words.map((word) => wordMark + word),
  ].join('');
}

/** Whether a text is that of a simple command: no other canonical text begins so. */
export function isCommandText(text: string): boolean {
  return text !== '' && text.charAt(0) <= wordMark;
}

/** Control characters but tab and line break: no part of a command holds them. */
const control = /(?![\t\n])\p{Cc}/u;

/** Whether a text holds a character that no part of a command may hold. */
export function holdsControl(text: string): boolean {
  return control.test(text);
}

/** The parts of a text, each with its mark. */
function partsOf(text: string): readonly string[] {
  return text.split(/(?=(?![\t\n])\p{Cc})/u);
}

/**
 * Texts of commands like this one that also name a path: by one word more, by a redirection of the verb, by that redirection
 * alone, in the place of those that are there, and by both.
 */
export function commandsWith(text: string, path: string, verb: string): readonly string[] {
  const redirect = (verb === 'read' ? readMark : writeMark) + path;
  const redirected = (command: string): string => {
    const at = command.indexOf(wordMark);
    return `${command.slice(0, at)}${redirect}${command.slice(at)}`;
  };
  const bare = partsOf(text).filter((part) => !part.startsWith(readMark) && !part.startsWith(writeMark));
  const worded = `${text}${wordMark}${path}`;
  const alone = bare.join('');
  return [
    ...new Set([worded, redirected(text), redirected(alone), redirected(`${alone}${wordMark}${path}`)]),
  ];
}

/** A command line that reads as the one simple command of this text; quotes stand where they are needed. */
export function spelledCommand(text: string): string {
  const redirects: string[] = [];
  const line: string[] = [];
  for (const each of partsOf(text)) {
    const [mark, rest] = [each.charAt(0), each.slice(1)];
    if (mark === assignmentMark) line.push(spelledAssignment(rest));
    else if (mark === wordMark) line.push(quoted(rest));
    else redirects.push(`${mark === readMark ? '<' : '>'} ${spelledTarget(rest)}`);
  }
  return [...line, ...redirects].join(' ');
}

function spelledAssignment(text: string): string {
  const cut = text.indexOf('=') + 1;
  return text.slice(0, cut) + (cut === text.length ? '' : quoted(text.slice(cut)));
}

/** Of a path that could not be resolved the `~` and the name behind it stay bare: quoted they would be the name of a file. */
function spelledTarget(path: string): string {
  if (!path.startsWith(unresolvedMark)) return quoted(path);
  const text = path.slice(unresolvedMark.length);
  if (!text.startsWith('~')) return quoted(text);
  const end = text.indexOf('/') + 1;
  return end === 0 || end === text.length ? text : text.slice(0, end) + quoted(text.slice(end));
}

/** Characters that mean themselves in every shell, wherever they stand in a word. */
const plain = /^[\w@%+:,./-]+$/u;

function quoted(word: string): string {
  return plain.test(word) && !/^\p{N}+$/u.test(word) && !reserved.has(word)
    ? word
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Words that begin or end parts of a shell's grammar where they stand first and unquoted. */
export const reserved: ReadonlySet<string> = new Set([
  '!',
  '[[',
  ']]',
  'case',
  'coproc',
  'do',
  'done',
  'elif',
  'else',
  'end',
  'esac',
  'fi',
  'for',
  'foreach',
  'function',
  'if',
  'in',
  'nocorrect',
  'repeat',
  'select',
  'then',
  'until',
  'while',
  '{',
  '}',
]);
