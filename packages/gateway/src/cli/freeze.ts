/** `pawl freeze` and `pawl thaw`: authority to nothing at once, and back by an operator's act. */
import { type FrozenName, everything } from '@pawl/core';
import { type ThawedView, readFrozenName } from '../control/index.js';
import { nameText } from './authority-operations.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { counted } from './layout.js';
import { onStore, operate, tellProblem } from './operate.js';
import { storeOptions, storePlace } from './store-option.js';

const json = { type: 'boolean', help: 'one JSON object' } as const;

/** The command that freezes. */
export const freezeCommand: Command = {
  name: 'freeze',
  summary: 'Permits an agent, or everybody, nothing from now on; what was handed over may finish.',
  usage: 'freeze [AGENT[/INSTANCE]] [--store DIR | --policy P] [--json]',
  example: 'pawl freeze reporter --policy examples/quickstart/pawl.yaml',
  options: { ...storeOptions, json },
  run: freeze,
};

/** The command that thaws. */
export const thawCommand: Command = {
  name: 'thaw',
  summary: 'Lifts a freeze; capabilities of before stay dead.',
  usage: 'thaw [AGENT[/INSTANCE]] [--reissue] [--store DIR | --policy P] [--json]',
  example: 'pawl thaw reporter --policy examples/quickstart/pawl.yaml',
  options: {
    ...storeOptions,
    reissue: { type: 'boolean', help: 'open sessions get fresh capabilities' },
    json,
  },
  run: thaw,
};

async function freeze(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const name = nameIn(input);
  const place = storePlace(input);
  const answer = await operate(place, 'freeze', { name }, () =>
    onStore(place, {}, (operations) => operations.freeze({ name })),
  );
  if (!answer.ok) return tellProblem('freeze', answer.error, input.flag('json'), terminal);
  const { changed } = answer.value;
  const text = changed
    ? `${nameText(name)} is frozen: nothing is permitted until pawl thaw${argument(name)}`
    : `${nameText(name)} was frozen before`;
  terminal.out(`${input.flag('json') ? JSON.stringify(answer.value) : text}\n`);
  return exit.ok;
}

async function thaw(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const name = nameIn(input);
  const place = storePlace(input);
  const asked = { name, reissue: input.flag('reissue') };
  const answer = await operate(place, 'thaw', asked, () =>
    onStore(place, {}, (operations) => operations.thaw(asked)),
  );
  if (!answer.ok) return tellProblem('thaw', answer.error, input.flag('json'), terminal);
  terminal.out(`${input.flag('json') ? JSON.stringify(answer.value) : thawedText(answer.value)}\n`);
  return exit.ok;
}

function thawedText({ name, moved, reissued, emptied, frozen }: ThawedView): string {
  const fresh = reissued === 0 ? connectAgain(emptied) : `fresh ones in ${counted(reissued, 'open session')}`;
  const who = moved.length === 0 ? '' : `; old capabilities of ${moved.join(', ')} stay dead, ${fresh}`;
  const rest = frozen.length === 0 ? '' : `; frozen still: ${frozen.map(nameText).join(', ')}`;
  return `${nameText(name)} is thawed${who}${rest}`;
}

function connectAgain(emptied: number): string {
  const again = 'agents connect again for fresh ones';
  if (emptied === 0) return again;
  return `${again}, and until then ${counted(emptied, 'open session has', 'open sessions have')} no tools (--reissue would have given them some)`;
}

function argument(name: FrozenName): string {
  return name === everything ? '' : ` ${name}`;
}

function nameIn({ words }: CommandInput): FrozenName {
  const [word = everything, extra] = words;
  const name = readFrozenName(word);
  if (name === undefined || extra !== undefined)
    throw new Misuse('name one AGENT or AGENT/INSTANCE, or nothing');
  return name;
}
