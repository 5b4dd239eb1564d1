/** The tokens of a command line in the closed subset that every shell reads alike. */
import { CommandFault, type Word } from './command-syntax.js';
import { holdsControl } from './command-text.js';

/** Operators between commands. */
export type Operator = '|' | '&&' | '||' | ';' | '\n' | '(' | ')';

/** Operators of redirections. */
export type RedirectOperator = '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '<<' | '<<-';

/** One token. */
export type Token =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'operator'; readonly text: Operator }
  | { readonly kind: 'redirect'; readonly text: RedirectOperator }
  | { readonly kind: 'end' };

interface Heredoc {
  readonly delimiter: Word;
  readonly stripTabs: boolean;
}

/** Longest first. Those that only some shells know, or that start background jobs, are faults. */
const operators: readonly (Operator | RedirectOperator)[] = [
  '<<-',
  '&&',
  '||',
  '<<',
  '<>',
  '<&',
  '>>',
  '>|',
  '>&',
  '|',
  ';',
  '(',
  ')',
  '<',
  '>',
];
const faults: readonly (readonly [string, string])[] = [
  ['<<<', 'it holds a here-string'],
  ['&>', 'it redirects with &>'],
  ['|&', 'it pipes with |&'],
  [';;', 'it holds ;;'],
  [';&', 'it holds ;&'],
  ['<(', 'it holds a process substitution'],
  ['>(', 'it holds a process substitution'],
];

/** A position in a command line. Linear: nothing is read twice. */
export class CommandLexer {
  readonly #text: string;
  #at = 0;
  readonly #heredocs: Heredoc[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token. */
  next(): Token | CommandFault {
    this.#skipBlanks();
    const char = this.#text.charAt(this.#at);
    if (char === '') {
      return this.#heredocs.length > 0 ? new CommandFault('a here-document does not end') : { kind: 'end' };
    }
    if (char === '\n') return this.#newline();
    if (char === '#') return new CommandFault('it holds a comment');
    if ('&|;()<>'.includes(char)) return this.#operator();
    const word = this.#word();
    if (word instanceof CommandFault || !this.#isDescriptor(word)) {
      return word instanceof CommandFault ? word : { kind: 'word', word };
    }
    return word.text.length === 1 ? this.#operator() : new CommandFault('a descriptor has two digits');
  }

  /** Reads the delimiter of a here-document, whose body follows the next line break. */
  heredoc(stripTabs: boolean): CommandFault | undefined {
    const token = this.next();
    if (token instanceof CommandFault) return token;
    if (token.kind !== 'word') return new CommandFault('a here-document has no delimiter');
    this.#heredocs.push({ delimiter: token.word, stripTabs });
    return undefined;
  }

  #skipBlanks(): void {
    for (;;) {
      const char = this.#text.charAt(this.#at);
      if (char === ' ' || char === '\t') this.#at += 1;
      else if (char === '\\' && this.#text.charAt(this.#at + 1) === '\n') this.#at += 2;
      else return;
    }
  }

  #newline(): Token | CommandFault {
    this.#at += 1;
    for (const heredoc of this.#heredocs.splice(0)) {
      const bad = this.#body(heredoc);
      if (bad !== undefined) return bad;
    }
    return { kind: 'operator', text: '\n' };
  }

  /** The body of a here-document; one whose delimiter is not quoted must hold nothing that a shell expands. */
  #body({ delimiter, stripTabs }: Heredoc): CommandFault | undefined {
    for (;;) {
      if (this.#at >= this.#text.length) return new CommandFault('a here-document does not end');
      const end = this.#text.indexOf('\n', this.#at);
      const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#text.length : end + 1;
      if ((stripTabs ? line.replace(/^\t+/u, '') : line) === delimiter.text) return undefined;
      if (delimiter.plain && /[$`\\]/u.test(line))
        return new CommandFault('a here-document holds an expansion');
    }
  }

  #operator(): Token | CommandFault {
    const bad = faults.find(([text]) => this.#text.startsWith(text, this.#at));
    if (bad !== undefined) return new CommandFault(bad[1]);
    const found = operators.find((text) => this.#text.startsWith(text, this.#at));
    if (found === undefined) return new CommandFault('it starts a background job');
    this.#at += found.length;
    return isRedirect(found) ? { kind: 'redirect', text: found } : { kind: 'operator', text: found };
  }

  /** Whether digits stand right before a redirection: they are its descriptor. */
  #isDescriptor(word: Word): boolean {
    return word.plain && '<>'.includes(this.#text.charAt(this.#at) || '-') && /^[0-9]+$/u.test(word.text);
  }

  #word(): Word | CommandFault {
    const reader = new WordReader(this.#text, this.#at);
    const word = reader.read();
    this.#at = reader.at;
    return word;
  }
}

function isRedirect(text: Operator | RedirectOperator): text is RedirectOperator {
  return text.startsWith('<') || text.startsWith('>');
}

const nameOnly = /^[A-Za-z_][A-Za-z0-9_]*$/u;
const expanding = 'it expands a variable or a command';

/** Reads one word, quotes and all. */
class WordReader {
  at: number;
  readonly #text: string;
  #word = '';
  #plain = true;
  #glob = -1;
  #bracket = -1;
  #name: number | undefined;
  /** Whether nothing is quoted before the first unquoted slash: only then does a leading `~` stand for a home. */
  #prefixPlain: boolean | undefined;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  read(): Word | CommandFault {
    const first = this.#text.charAt(this.at);
    while (this.at < this.#text.length && !' \t\n&|;()<>'.includes(this.#text.charAt(this.at))) {
      const bad = this.#piece();
      if (bad !== undefined) return new CommandFault(bad);
    }
    if (holdsControl(this.#word)) return new CommandFault('it holds a control character');
    if (first === '=' && this.#word.length > 1) return new CommandFault('a word begins with =');
    const name = this.#name ?? -1;
    const tilde = first === '~' && (this.#prefixPlain ?? this.#plain);
    return { text: this.#word, glob: this.#glob, tilde, plain: this.#plain, name };
  }

  /** One character, or one quoted part; what is wrong with it, if anything. */
  #piece(): string | undefined {
    const char = this.#text.charAt(this.at);
    switch (char) {
      case "'":
        return this.#single();
      case '"':
        return this.#double();
      case '\\':
        return this.#escape();
      case '`':
        return expanding;
      case '$':
        return this.#dollar(' \t\n&|;)<>');
      case '{':
      case '}':
        return this.#brace(char);
      case '/':
        this.#prefixPlain ??= this.#plain;
        return this.#take(char);
      default:
        this.#note(char);
        return this.#take(char);
    }
  }

  #take(text: string): undefined {
    this.#word += text;
    this.at += text.length;
    return undefined;
  }

  /** Where the word begins to be a pattern, and where it is an assignment. */
  #note(char: string): void {
    const at = this.#word.length;
    if (char === '*' || char === '?') this.#pattern(at);
    if (char === '[' && this.#bracket < 0) this.#bracket = at;
    if (char === ']' && this.#bracket >= 0) this.#pattern(this.#bracket);
    if (char === '=') this.#name ??= this.#plain && nameOnly.test(this.#word) ? at : -1;
  }

  #pattern(at: number): void {
    this.#glob = this.#glob < 0 ? at : Math.min(at, this.#glob);
  }

  #single(): string | undefined {
    const end = this.#text.indexOf("'", this.at + 1);
    if (end < 0) return 'a quote does not end';
    this.#plain = false;
    this.#word += this.#text.slice(this.at + 1, end);
    this.at = end + 1;
    return undefined;
  }

  #double(): string | undefined {
    this.#plain = false;
    this.at += 1;
    for (;;) {
      const char = this.#text.charAt(this.at);
      if (char === '') return 'a quote does not end';
      if (char === '"') {
        this.at += 1;
        return undefined;
      }
      const bad = this.#inDouble(char);
      if (bad !== undefined) return bad;
    }
  }

  #inDouble(char: string): string | undefined {
    if (char === '`') return expanding;
    if (char === '$') return this.#dollar(' "/.|)', false);
    if (char !== '\\') return this.#take(char);
    const next = this.#text.charAt(this.at + 1);
    if (next === '\n') this.at += 2;
    else if (next !== '' && '$`"\\'.includes(next)) {
      this.#word += next;
      this.at += 2;
    } else this.#take(char);
    return undefined;
  }

  /** A `$` that stands for itself, because of what follows it. */
  #dollar(followers: string, atEnd = true): string | undefined {
    const next = this.#text.charAt(this.at + 1);
    const plain = next === '' ? atEnd : followers.includes(next);
    return plain ? this.#take('$') : expanding;
  }

  #escape(): string | undefined {
    const next = this.#text.charAt(this.at + 1);
    if (next === '') return 'it ends in a backslash';
    this.at += 2;
    if (next === '\n') return undefined;
    this.#plain = false;
    const point = this.#text.codePointAt(this.at - 1) ?? 0;
    const char = String.fromCodePoint(point);
    this.#word += char;
    this.at += char.length - 1;
    return undefined;
  }

  /** `{}` means itself; other unquoted braces may expand or group. */
  #brace(char: string): string | undefined {
    return char === '{' && this.#text.charAt(this.at + 1) === '}'
      ? this.#take('{}')
      : 'it holds unquoted braces';
  }
}
