/** Programs that only run another one: what they wrap is judged in their place. */
import { CommandFault, type Word } from './command-syntax.js';

interface Wrapper {
  /** Options without a value. */
  readonly flags: RegExp;
  /** Options whose value is the next word. */
  readonly valued: readonly string[];
  /** Words that stand before the program. */
  readonly operands?: RegExp;
}

/** The closed table of POLICY section 4, command. An option that is not here refuses the command. */
const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  [
    'timeout',
    {
      flags:
        /^(?:--foreground|--preserve-status|-v|--verbose|-s[A-Z0-9]+|-k[\d.]+[smhd]?|--(?:signal|kill-after)=.+)$/u,
      valued: ['-s', '--signal', '-k', '--kill-after'],
      operands: /^\d+(?:\.\d*)?[smhd]?$/u,
    },
  ],
  ['nice', { flags: /^(?:-n?[-+]?\d+|--adjustment=[-+]?\d+)$/u, valued: ['-n', '--adjustment'] }],
  ['nohup', { flags: /^$/u, valued: [] }],
  ['command', { flags: /^-[pvV]$/u, valued: [] }],
  ['time', { flags: /^-p$/u, valued: [] }],
  [
    'stdbuf',
    {
      flags: /^(?:-[ioe].+|--(?:input|output|error)=.+)$/u,
      valued: ['-i', '-o', '-e', '--input', '--output', '--error'],
    },
  ],
]);

/** Names of these programs. */
export const wrapperNames: readonly string[] = [...wrappers.keys()];

/** Spellings of the shells that are seen through. */
export const shellNames: readonly string[] = ['sh', 'bash', 'zsh'].flatMap((name) => [
  name,
  `/bin/${name}`,
  `/usr/bin/${name}`,
]);

/** Options with which such a shell runs one text. */
export const shellOptions: readonly string[] = ['-c', '-lc', '-ec'];

/** The words without the wrappers in front of them. */
export function unwrapped(words: readonly Word[]): readonly Word[] | CommandFault {
  let rest = words;
  for (;;) {
    const wrapper = wrappers.get(rest[0]?.text ?? '');
    if (wrapper === undefined) return rest;
    const inner = inside(wrapper, rest.slice(1));
    if (inner instanceof CommandFault) return inner;
    const [program] = inner;
    if (program === undefined) return new CommandFault('a wrapper runs nothing');
    if (program.text.includes('=')) return new CommandFault('a wrapper runs an assignment');
    rest = inner;
  }
}

function inside(wrapper: Wrapper, words: readonly Word[]): readonly Word[] | CommandFault {
  let at = 0;
  while (words[at]?.text.startsWith('-') === true) {
    const length = optionAt(wrapper, words, at);
    if (length instanceof CommandFault) return length;
    at += length;
    if (words[at - 1]?.text === '--') break;
  }
  const { operands } = wrapper;
  if (operands === undefined) return words.slice(at);
  const operand = words[at];
  return operand !== undefined && operand.glob < 0 && operands.test(operand.text)
    ? words.slice(at + 1)
    : new CommandFault('a wrapper lacks its operand');
}

/** How many words an option takes. */
function optionAt({ flags, valued }: Wrapper, words: readonly Word[], at: number): number | CommandFault {
  const text = words[at]?.text ?? '';
  if (words[at]?.glob !== -1) return new CommandFault('an option of a wrapper is a pattern');
  if (text === '--' || flags.test(text)) return 1;
  if (!valued.includes(text))
    return new CommandFault(`the option ${text.slice(0, 20)} of a wrapper is not known`);
  return words[at + 1]?.glob === -1 ? 2 : new CommandFault('an option of a wrapper lacks its value');
}

/** The text that a shell is given to run, if the words are exactly a shell, `-c`, and one literal. */
export function shellText(words: readonly Word[]): string | undefined {
  const [shell, option, text, ...more] = words;
  if (shell === undefined || option === undefined || text === undefined || more.length > 0) return undefined;
  if (!shellNames.includes(shell.text) || !shellOptions.includes(option.text)) return undefined;
  return text.glob < 0 && !text.tilde ? text.text : undefined;
}
