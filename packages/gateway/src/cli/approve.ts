/** `pawl approve`: shows the calls that wait for an approval, and answers one. */
import type { AskView } from '@pawl/core';
import { no } from '../control/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { counted, visible } from './layout.js';
import { operate, tellProblem } from './operate.js';
import { storeOptions, storePlace } from './store-option.js';

/** The command. */
export const approveCommand: Command = {
  name: 'approve',
  summary: 'Shows the calls that wait for an approval, and approves or refuses one.',
  usage: 'approve [ID] [--refuse] [--list] [--store DIR] [--policy P] [--json]',
  example: 'pawl approve --list --policy examples/quickstart/pawl.yaml',
  options: {
    refuse: { type: 'boolean', help: 'say no to the call' },
    list: { type: 'boolean', help: 'show what waits; also without an ID' },
    ...storeOptions,
    json: { type: 'boolean', help: 'JSON: a list, or the ask that was answered' },
  },
  run: approve,
};

async function approve(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [id, extra] = input.words;
  if (extra !== undefined) throw new Misuse('answer one ask at a time');
  if (id !== undefined && input.flag('list')) throw new Misuse('--list takes no ID');
  if (id === undefined && input.flag('refuse')) throw new Misuse('--refuse needs the ID of an ask');
  if (id !== undefined && !/^a_[a-z2-7]{16}$/u.test(id))
    throw new Misuse('the ID of an ask is a_ and 16 characters');
  return id === undefined ? list(input, terminal) : answer(input, id, terminal);
}

async function list(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const asks = await operate(storePlace(input), 'approvals', {}, async () => noDaemon());
  if (!asks.ok) return tellProblem('approve', asks.error, json, terminal);
  if (json) terminal.out(`${JSON.stringify(asks.value)}\n`);
  else
    terminal.out(
      asks.value.length === 0 ? 'nothing waits for an approval\n' : asks.value.map(askText).join(''),
    );
  return exit.ok;
}

async function answer(input: CommandInput, id: string, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const says = input.flag('refuse') ? 'no' : 'yes';
  const done = await operate(storePlace(input), 'approve', { id, says }, async () => noDaemon());
  if (!done.ok) return tellProblem('approve', done.error, json, terminal);
  const { executor, shown, level } = done.value;
  const scope = level === 'session' ? 'this very call, again and again in its session' : 'this one call';
  const text =
    says === 'no'
      ? `refused: ${executor} may not ${visible(shown, longestShown)}\n`
      : `approved for ${scope}: ${executor} may ${visible(shown, longestShown)}\nThe agent has to make the call again.\n`;
  terminal.out(json ? `${JSON.stringify(done.value)}\n` : text);
  return exit.ok;
}

const longestShown = 20_000;

function askText({ id, executor, shown, level, age, left = 0 }: AskView): string {
  const seconds = (milliseconds: number): string => counted(Math.round(milliseconds / 1000), 'second');
  const scope = level === 'session' ? 'for the session' : 'for one call';
  return `${id}  ${executor}, ${scope}, asked ${seconds(age)} ago, ${seconds(left)} left\n  ${visible(shown, longestShown)}\n`;
}

function noDaemon(): ReturnType<typeof no> {
  return no('refused', 'no daemon runs on this store, so nothing waits');
}
