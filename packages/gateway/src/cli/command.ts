/** What a command is, and how its options are read. */
import { parseArgs } from 'node:util';

/** Exit codes of every command. */
export const exit = { ok: 0, negative: 1, usage: 2, invalid: 3, internal: 4 } as const;
/** One exit code. */
export type ExitCode = (typeof exit)[keyof typeof exit];

/** Where a command writes; one call a line or block, newline included. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Everything after `pawl `. */
  readonly usage: string;
  /** One line that works. */
  readonly example: string;
  readonly options: OptionSpecs;
  /** Runs and answers the exit code. Throws {@link Misuse} for wrong options only. */
  run(input: CommandInput, terminal: Terminal): Promise<ExitCode>;
}

/** Options of a command: name to type, with a line of help. */
export type OptionSpecs = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly help: string }>
>;

/** Options and words as given. */
export interface CommandInput {
  text(name: string): string | undefined;
  flag(name: string): boolean;
  readonly words: readonly string[];
  /** What stands after `--`. */
  readonly rest: readonly string[];
}

/** Wrong use of a command: exit 2, with the usage. */
export class Misuse extends Error {
  override readonly name = 'Misuse';
}

/** Reads options strictly: an unknown one, or one without its value, is a {@link Misuse}. */
export function readInput(options: OptionSpecs, argv: readonly string[]): CommandInput {
  const cut = argv.indexOf('--');
  const own = cut < 0 ? argv : argv.slice(0, cut);
  const rest = cut < 0 ? [] : argv.slice(cut + 1);
  try {
    const specs = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
    const { values, positionals } = parseArgs({
      args: [...own],
      options: specs,
      allowPositionals: true,
      strict: true,
    });
    return {
      words: positionals,
      rest,
      text: (name) => textOf(values[name]),
      flag: (name) => values[name] === true,
    };
  } catch (error) {
    throw new Misuse(firstSentence(error instanceof Error ? error.message : String(error)));
  }
}

/** Without the advice of parseArgs about words that begin with a dash. */
function firstSentence(message: string): string {
  return message.split('. To specify', 1)[0] ?? message;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text option that has to be there. */
export function need(input: CommandInput, name: string): string {
  const value = input.text(name);
  if (value === undefined) throw new Misuse(`--${name} is missing`);
  return value;
}
