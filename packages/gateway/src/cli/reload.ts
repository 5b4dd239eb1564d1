/** `pawl reload`: the running daemon reads its policy again. */
import type { Reloaded } from '@pawl/core';
import { type ReloadAsked, no } from '../control/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { operate, tellProblem } from './operate.js';
import { reloadLines } from './reload-text.js';
import { storeOptions, storePlace } from './store-option.js';

/** The command. */
export const reloadCommand: Command = {
  name: 'reload',
  summary: 'Makes the running daemon read its policy again; what would let agents do more is refused.',
  usage:
    'reload [--bump-epoch [--expect HASH] [--all] [--reissue]] [--to G] [--store DIR | --policy P] [--json]',
  example: 'pawl reload --policy examples/quickstart/pawl.yaml',
  options: {
    ...storeOptions,
    'bump-epoch': { type: 'boolean', help: 'take it although agents gain; their old capabilities die' },
    expect: {
      type: 'string',
      help: 'with --bump-epoch: take only what was shown under HASH; without it, what pawl reload refused last',
    },
    all: { type: 'boolean', help: 'with --bump-epoch: capabilities of every agent die' },
    reissue: { type: 'boolean', help: 'with --bump-epoch: open sessions get fresh capabilities' },
    to: { type: 'string', help: 'take the stored generation G instead of the file' },
    json: { type: 'boolean', help: 'one JSON object' },
  },
  run: reload,
};

async function reload(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  if (input.words.length > 0) throw new Misuse('reload takes no words');
  const asked = askedIn(input);
  const json = input.flag('json');
  const place = storePlace(input);
  const absent = `no daemon runs on the store in ${place.folder}; pawl run reads the policy, and compares it as well`;
  const answer = await operate(place, 'reload', asked, () => Promise.resolve(no('refused', absent)));
  if (!answer.ok) return tellProblem('reload', answer.error, json, terminal);
  if (json) terminal.out(`${JSON.stringify(answer.value)}\n`);
  else tell(answer.value, asked.to, terminal);
  return exitOf(answer.value);
}

function askedIn(input: CommandInput): ReloadAsked {
  const [bumpEpoch, all, reissue] = ['bump-epoch', 'all', 'reissue'].map((name) => input.flag(name));
  const expect = formed(input, 'expect', {
    form: /^[0-9a-f]{12,64}$/u,
    takes: 'the hash that was shown: 12 to 64 hexadecimal digits',
  });
  if (bumpEpoch !== true && (all === true || reissue === true || expect !== undefined))
    throw new Misuse('--expect, --all and --reissue go with --bump-epoch');
  const to = formed(input, 'to', { form: /^[1-9][0-9]{0,14}$/u, takes: 'the number of a generation' });
  return {
    ...(bumpEpoch === true && { bumpEpoch }),
    ...(all === true && { all }),
    ...(reissue === true && { reissue }),
    ...(expect !== undefined && { expect }),
    ...(to !== undefined && { to: Number(to) }),
  };
}

/** The text of an option that has this form. */
function formed(
  input: CommandInput,
  name: string,
  { form, takes }: { readonly form: RegExp; readonly takes: string },
): string | undefined {
  const text = input.text(name);
  if (text !== undefined && !form.test(text)) throw new Misuse(`--${name} takes ${takes}`);
  return text;
}

function tell(answer: Reloaded, to: number | undefined, terminal: Terminal): void {
  const text = reloadLines(answer, to).join('\n');
  if (exitOf(answer) === exit.ok) terminal.out(`${text}\n`);
  else terminal.err(`pawl reload: ${text}\n`);
}

function exitOf({ kind }: Reloaded): ExitCode {
  if (kind === 'same' || kind === 'activated') return exit.ok;
  return kind === 'invalid' ? exit.invalid : exit.negative;
}
