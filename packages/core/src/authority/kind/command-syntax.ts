/** What the parser makes of a command line: words and redirections in their order, groups around them. */

/** A word with its quotes taken off. */
export interface Word {
  readonly text: string;
  /** Where the first unquoted `*`, `?` or `[…]` stands in the text; -1: none. */
  readonly glob: number;
  /** Begins with an unquoted `~`. */
  readonly tilde: boolean;
  /** Holds no quote and no backslash: only then a shell takes it for a word of its grammar. */
  readonly plain: boolean;
  /** Length of the name if the word begins with an unquoted `NAME=`; -1: it does not. */
  readonly name: number;
}

/** A redirection to or from a path. */
export interface Redirect {
  readonly verbs: readonly ('read' | 'write')[];
  readonly target: Word;
}

/** A simple command as written: words, and its redirections. */
export interface SimpleNode {
  readonly kind: 'simple';
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

/** A subshell. */
export interface GroupNode {
  readonly kind: 'group';
  readonly nodes: readonly CommandNode[];
  readonly redirects: readonly Redirect[];
}

/** One command of a list. */
export type CommandNode = SimpleNode | GroupNode;

/** Why a command line is not understood. */
export class CommandFault {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}
