/** The grammar of the closed subset: lists, pipelines, subshells, simple commands with redirections. */
import { CommandLexer, type RedirectOperator, type Token } from './command-lexer.js';
import {
  CommandFault,
  type CommandNode,
  type Redirect,
  type SimpleNode,
  type Word,
} from './command-syntax.js';

/** Deepest nesting of subshells. */
const deepest = 32;
/** Most words and redirections of one command line. */
const mostTokens = 16_384;

/** Reads a command line; the nodes stand in the order in which they run. */
export function parseCommands(text: string): readonly CommandNode[] | CommandFault {
  const parser = new Parser(text);
  const nodes = parser.list(0);
  if (nodes instanceof CommandFault) return nodes;
  return parser.isAt('end') ? nodes : new CommandFault('a parenthesis closes nothing');
}

const verbsOf: Readonly<Record<'<' | '>' | '>>' | '>|' | '<>', Redirect['verbs']>> = {
  '<': ['read'],
  '>': ['write'],
  '>>': ['write'],
  '>|': ['write'],
  '<>': ['read', 'write'],
};

class Parser {
  readonly #lexer: CommandLexer;
  #token: Token | CommandFault;
  #left = mostTokens;

  constructor(text: string) {
    this.#lexer = new CommandLexer(text);
    this.#token = this.#lexer.next();
  }

  isAt(kind: Token['kind'], text?: string): boolean {
    const token = this.#token;
    if (token instanceof CommandFault || token.kind !== kind) return false;
    return text === undefined || (token.kind === 'operator' && token.text === text);
  }

  #advance(): void {
    this.#left -= 1;
    this.#token = this.#left < 0 ? new CommandFault('it is too long') : this.#lexer.next();
  }

  #fault(why: string): CommandFault {
    return this.#token instanceof CommandFault ? this.#token : new CommandFault(why);
  }

  /** Commands up to the end or a closing parenthesis; at least one. */
  list(depth: number): readonly CommandNode[] | CommandFault {
    const nodes: CommandNode[] = [];
    this.#skipLines();
    for (;;) {
      const node = this.#command(depth);
      if (node instanceof CommandFault) return node;
      nodes.push(node);
      const goesOn = this.#separator();
      if (goesOn instanceof CommandFault) return goesOn;
      if (!goesOn) return nodes;
    }
  }

  /** Steps over what stands between two commands; false: the list ends here. */
  #separator(): boolean | CommandFault {
    if (this.isAt('end') || this.isAt('operator', ')')) return false;
    const joined = ['|', '&&', '||'].some((text) => this.isAt('operator', text));
    const apart = this.isAt('operator', ';') || this.isAt('operator', '\n');
    if (!joined && !apart) return this.#fault('it holds a function or a subshell inside a command');
    this.#advance();
    this.#skipLines();
    if (joined) return true;
    return !this.isAt('end') && !this.isAt('operator', ')');
  }

  #skipLines(): void {
    while (this.isAt('operator', '\n')) this.#advance();
  }

  #command(depth: number): CommandNode | CommandFault {
    return this.isAt('operator', '(') ? this.#group(depth + 1) : this.#simple();
  }

  #group(depth: number): CommandNode | CommandFault {
    if (depth > deepest) return new CommandFault('subshells are nested too deeply');
    this.#advance();
    const nodes = this.list(depth);
    if (nodes instanceof CommandFault) return nodes;
    if (!this.isAt('operator', ')')) return this.#fault('a subshell does not end');
    this.#advance();
    const redirects: Redirect[] = [];
    const bad = this.#redirects(redirects);
    return bad ?? { kind: 'group', nodes, redirects };
  }

  #simple(): SimpleNode | CommandFault {
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const bad = this.#redirects(redirects);
      if (bad !== undefined) return bad;
      const token = this.#token;
      if (token instanceof CommandFault) return token;
      if (token.kind !== 'word') break;
      words.push(token.word);
      this.#advance();
    }
    return words.length > 0 ? { kind: 'simple', words, redirects } : this.#fault('a command is missing');
  }

  #redirects(found: Redirect[]): CommandFault | undefined {
    for (;;) {
      const token = this.#token;
      if (token instanceof CommandFault) return token;
      if (token.kind !== 'redirect') return undefined;
      const bad = this.#redirect(token.text, found);
      if (bad !== undefined) return bad;
    }
  }

  #redirect(operator: RedirectOperator, found: Redirect[]): CommandFault | undefined {
    if (operator === '<<' || operator === '<<-') {
      const bad = this.#lexer.heredoc(operator === '<<-');
      if (bad !== undefined) return bad;
      this.#advance();
      return undefined;
    }
    this.#advance();
    const token = this.#token;
    if (token instanceof CommandFault) return token;
    if (token.kind !== 'word') return new CommandFault('a redirection has no target');
    this.#advance();
    const { word } = token;
    if (operator === '<&' || operator === '>&') {
      return /^(?:[0-9]|-)$/u.test(word.text)
        ? undefined
        : new CommandFault('it redirects to an unknown descriptor');
    }
    if (word.glob >= 0) return new CommandFault('the target of a redirection is a pattern');
    if (word.text === '') return new CommandFault('the target of a redirection is empty');
    found.push({ verbs: verbsOf[operator], target: word });
    return undefined;
  }
}
