/** Where reading stands in the tokens of a text, what it has found, and the rules that refer to one another. */
import { type Effect, type TableName, accessText, isPlainName } from './access.js';
import { NotUnderstood } from './fault.js';
import type { Token } from './lexer.js';
import { catalogueName, reserved } from './words.js';

/** Rules that other rules reach through the cursor, since a query holds expressions and an expression queries. */
export interface Grammar {
  /** `[WITH …] SELECT … | VALUES … | TABLE …`, with set operations. */
  readonly query: (cursor: Cursor) => void;
  /** A query, or INSERT, UPDATE, DELETE: what may stand in a WITH, after EXPLAIN, and alone. */
  readonly data: (cursor: Cursor) => void;
}

/** Names that a WITH gives to queries; they hide tables of the same name. */
interface Scope {
  readonly names: Set<string>;
  readonly outer: Scope | undefined;
}

const end: Token = { kind: 'end', text: '' };
/** Most levels of what stands in parentheses. */
const maxDepth = 64;
/** Most effects on tables in one text. */
const maxAccesses = 1024;

/** Reads tokens from left to right; every method that expects something throws {@link NotUnderstood} where it is not there. */
export class Cursor {
  /** Aliases and last names, lower case, of what the innermost FROM or USING names. */
  sources: Set<string> = new Set<string>();
  readonly #tokens: readonly Token[];
  readonly #grammar: Grammar;
  /** Every effect as it was met, repetitions included: what a part of the text has is a part of the list. */
  readonly #met: string[] = [];
  readonly #found = new Set<string>();
  #at = 0;
  #depth = 0;
  #scope: Scope | undefined;

  constructor(tokens: readonly Token[], grammar: Grammar) {
    this.#tokens = tokens;
    this.#grammar = grammar;
  }

  /** The canonical texts of all effects so far, each once, in the order of the text. */
  get found(): readonly string[] {
    return [...this.#found];
  }

  /** A place in the text, for {@link also}. */
  get mark(): number {
    return this.#met.length;
  }

  /** The token that comes next, or one further on. */
  peek(ahead: number = 0): Token {
    return this.#tokens[this.#at + ahead] ?? end;
  }

  /** Whether one of the words comes next. */
  atWord(...words: readonly string[]): boolean {
    const { kind, text } = this.peek();
    return kind === 'word' && words.includes(text);
  }

  /** Whether the sign comes next. */
  atSign(sign: string, ahead: number = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'sign' && text === sign;
  }

  /** Steps over the next token. */
  take(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Steps over these words if they come next in this order; whether they did. */
  accept(...words: readonly string[]): boolean {
    const there = words.every((word, i) => this.peek(i).kind === 'word' && this.peek(i).text === word);
    if (there) this.#at += words.length;
    return there;
  }

  /** Steps over one of the words if it comes next. */
  acceptOne(...words: readonly string[]): boolean {
    const there = this.atWord(...words);
    if (there) this.#at++;
    return there;
  }

  /** Steps over the sign if it comes next. */
  acceptSign(sign: string): boolean {
    const there = this.atSign(sign);
    if (there) this.#at++;
    return there;
  }

  /** Steps over these words, which must be there. */
  expect(...words: readonly string[]): void {
    if (!this.accept(...words)) this.fail(`${words.join(' ').toUpperCase()} is missing`);
  }

  /** Steps over one of these words, which must be there. */
  expectOne(...words: readonly string[]): void {
    if (!this.acceptOne(...words)) this.fail(`one of ${words.join(', ').toUpperCase()} is missing`);
  }

  /** Steps over the sign, which must be there. */
  expectSign(sign: string): void {
    if (!this.acceptSign(sign)) this.fail(`${sign} is missing`);
  }

  /** Refuses the text. */
  fail(why: string): never {
    const { kind, text } = this.peek();
    const shown = kind === 'text' ? 'a text' : text.slice(0, 40);
    throw new NotUnderstood(kind === 'end' ? `${why} at its end` : `${why} before ${shown}`);
  }

  /** Reads what stands one level deeper. */
  deeper(read: () => void): void {
    if (this.#depth >= maxDepth) this.fail(`more than ${maxDepth} levels`);
    this.#depth++;
    read();
    this.#depth--;
  }

  /** Reads `( … )`. */
  enclosed(read: () => void): void {
    this.expectSign('(');
    this.deeper(read);
    this.expectSign(')');
  }

  /** Reads one or more of them, with commas between. */
  listOf(read: () => void): void {
    do read();
    while (this.acceptSign(','));
  }

  /** Reads a query. */
  query(): void {
    this.#grammar.query(this);
  }

  /** Reads a statement on data. */
  data(): void {
    this.#grammar.data(this);
  }

  /** Whether a name comes next: a word that is not reserved, or a quoted one. */
  atName(): boolean {
    const { kind, text } = this.peek();
    return kind === 'quoted' || (kind === 'word' && !reserved.has(text));
  }

  /** A name, unquoted ones in lower case. */
  name(): string {
    if (!this.atName()) this.fail('a name is missing');
    return this.take().text;
  }

  /** A name after a dot, or after AS: reserved words are names there, too. */
  anyName(): string {
    if (!['word', 'quoted'].includes(this.peek().kind)) this.fail('a name is missing');
    return this.take().text;
  }

  /** The name of a table: `users` or `public.users`. */
  table(): TableName {
    const first = this.#part(this.peek(), () => this.name());
    if (!this.acceptSign('.')) return { schema: undefined, name: first };
    const second = this.#part(this.peek(), () => this.anyName());
    if (this.atSign('.')) this.fail('a name of more than two parts');
    return { schema: first, name: second };
  }

  /** Beyond ASCII, databases do not agree on what the lower case of an unquoted name is. */
  #part({ kind }: Token, read: () => string): string {
    const name = read();
    if (!isPlainName(name) || (kind === 'word' && !/^[a-z0-9_]+$/u.test(name))) {
      this.fail('a name that databases read differently');
    }
    return name;
  }

  /** Records the effect on a table, or on none. */
  record(effect: Effect, table?: TableName): void {
    if (table?.schema === undefined && catalogueName.test(table?.name ?? '')) {
      this.fail(`${table?.name ?? ''}, which databases look up in their own catalogue,`);
    }
    this.#meet(accessText(effect, table));
  }

  #meet(text: string): void {
    this.#met.push(text);
    this.#found.add(text);
    if (this.#found.size > maxAccesses) this.fail(`more than ${maxAccesses} tables`);
  }

  /** Records that a query reads the table, if it is one: unqualified names of the WITHs around it are none. */
  recordSource(table: TableName): void {
    if (table.schema === undefined && this.isNamedQuery(table.name)) return;
    this.record('select', table);
  }

  /** Whether a WITH around this place gives the name to a query. */
  isNamedQuery(name: string): boolean {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      if (scope.names.has(name)) return true;
    }
    return false;
  }

  /** Reads what the names of a WITH hold for; `add` makes one known from there on. */
  scoped(read: (add: (name: string) => void) => void): void {
    const outer = this.#scope;
    const names = new Set<string>();
    this.#scope = { names, outer };
    read((name) => names.add(name));
    this.#scope = outer;
  }

  /** Reads what has a FROM or USING of its own. */
  withSources(read: (sources: ReadonlySet<string>) => void): void {
    const outer = this.sources;
    this.sources = new Set<string>();
    read(this.sources);
    this.sources = outer;
  }

  /** Reads a statement; one that touches no table has the given effect on none. */
  statement(effect: Effect, read: () => void): void {
    const before = this.mark;
    read();
    if (this.mark === before) this.record(effect);
  }

  /** Adds an effect to all tables that were read since the mark. */
  also(effect: Effect, mark: number): void {
    for (const text of this.#met.slice(mark)) {
      if (text.startsWith('select ')) this.#meet(effect + text.slice('select'.length));
    }
  }
}
