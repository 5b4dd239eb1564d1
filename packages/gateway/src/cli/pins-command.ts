/** `pawl pins`: the tool definitions that a store has seen, and what waits for an operator. */
import { type ServerName, parseServerName } from '@pawl/core';
import type { PinAnswer, PinView, PinsAccepted, PinsAsked } from '../control/index.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type Terminal,
  exit,
  need,
} from './command.js';
import { columns, counted, timeText, visible } from './layout.js';
import { onStore, operate, tellProblem } from './operate.js';
import { definitionDiff } from './pin-diff.js';
import { digestOver, pinsNamed } from './pin-operations.js';
import { reloadLines } from './reload-text.js';
import { storeOptions, storePlace } from './store-option.js';

/** The command. */
export const pinsCommand: Command = {
  name: 'pins',
  summary:
    'Shows the tool definitions that were accepted, and what is new or changed; accepts or rejects that.',
  usage:
    'pins (list [SERVER] | show SERVER[/TOOL] | accept SERVER[/TOOL] --digest D [--all] [--reissue] | reject SERVER[/TOOL] --digest D) [--store DIR | --policy P] [--json]',
  example: 'pawl pins list --policy examples/quickstart/pawl.yaml',
  options: {
    ...storeOptions,
    digest: {
      type: 'string',
      help: 'accept, reject: the digest that show printed; what has changed since is refused',
    },
    all: { type: 'boolean', help: 'accept: capabilities of every agent die, not only of those that gain' },
    reissue: { type: 'boolean', help: 'accept: open sessions of agents that gain get fresh capabilities' },
    json: { type: 'boolean', help: 'one JSON object' },
  },
  run: pins,
};

async function pins(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [action, name, extra] = input.words;
  if (extra !== undefined) throw new Misuse('name one SERVER or SERVER/TOOL');
  checkOptions(action, input);
  if (action === 'list') return list(name === undefined ? {} : namedIn(name), input, terminal);
  const run =
    name === undefined ? undefined : Object.entries(deciding).find(([each]) => each === action)?.[1];
  if (name === undefined || run === undefined)
    throw new Misuse('say what to do: list, show SERVER, accept SERVER or reject SERVER');
  return run(name, input, terminal);
}

/** What is done with something that is named. */
const deciding: Readonly<
  Record<string, (name: string, input: CommandInput, terminal: Terminal) => Promise<ExitCode>>
> = {
  show: (name, input, terminal) => show(namedIn(name), input, terminal),
  accept: (name, input, terminal) => accept(answerIn(name, input), input, terminal),
  reject: (name, input, terminal) => reject(answerIn(name, input), input, terminal),
};

function checkOptions(action: string | undefined, input: CommandInput): void {
  const decides = action === 'accept' || action === 'reject';
  if (!decides && input.text('digest') !== undefined)
    throw new Misuse('--digest goes with accept and reject');
  if (action !== 'accept' && (input.flag('all') || input.flag('reissue')))
    throw new Misuse('--all and --reissue go with accept');
}

/** `SERVER` or `SERVER/TOOL`; a tool's own name may hold anything after the first slash. */
function namedIn(word: string): PinsAsked & { readonly server: ServerName } {
  const cut = word.indexOf('/');
  const server = parseServerName(cut < 0 ? word : word.slice(0, cut));
  if (server === undefined) throw new Misuse('name one SERVER or SERVER/TOOL');
  return cut < 0 ? { server } : { server, tool: word.slice(cut + 1) };
}

function answerIn(word: string, input: CommandInput): PinAnswer {
  const digest = need(input, 'digest');
  if (!/^[0-9a-f]{12,64}$/u.test(digest))
    throw new Misuse('--digest takes the digest that pins show printed: 12 to 64 hexadecimal digits');
  return { ...namedIn(word), digest };
}

async function asked(wanted: PinsAsked, input: CommandInput): ReturnType<typeof operate<'pins'>> {
  const place = storePlace(input);
  return operate(place, 'pins', wanted, () => onStore(place, {}, (operations) => operations.pins(wanted)));
}

async function list(wanted: PinsAsked, input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const answer = await asked({}, input);
  if (!answer.ok) return tellProblem('pins', answer.error, json, terminal);
  const found = pinsNamed(answer.value, wanted);
  if (json) {
    terminal.out(`${JSON.stringify(found)}\n`);
    return exit.ok;
  }
  const rows = found.map((pin) => [
    `${pin.server}/${visible(pin.tool)}`,
    stateText(pin),
    pin.digest.slice(0, digestShown),
    timeText(pin.at),
  ]);
  terminal.out(rows.length === 0 ? 'no tool definitions are known here\n' : `${columns(rows).join('\n')}\n`);
  return exit.ok;
}

function stateText({ state, firstUse }: PinView): string {
  if (state === 'waiting') return 'WAITS';
  return firstUse ? 'accepted at first use' : 'accepted';
}

/** Characters of a digest by which an operator names what was shown. */
const digestShown = 16;

async function show(wanted: PinsAsked, input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const answer = await asked(wanted, input);
  if (!answer.ok) return tellProblem('pins', answer.error, json, terminal);
  const waiting = answer.value.filter(({ state }) => state === 'waiting');
  const digest = digestOver(waiting);
  if (json) {
    terminal.out(`${JSON.stringify({ pins: answer.value, ...(waiting.length > 0 && { digest }) })}\n`);
    return exit.ok;
  }
  const name = wanted.tool === undefined ? String(wanted.server) : `${wanted.server}/${wanted.tool}`;
  if (waiting.length === 0) {
    const known =
      answer.value.length === 0 ? 'it has never been listed here' : 'what was accepted is in force';
    terminal.out(`nothing of ${visible(name)} waits: ${known}\n`);
    return exit.ok;
  }
  const told = waiting.flatMap((pin) => shownPin(pin, answer.value));
  const shell = /^[\w./-]+$/u.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const next = `${visible(shell)} --digest ${digest.slice(0, digestShown)}`;
  terminal.out(
    `${[...told, `accept  pawl pins accept ${next}`, `reject  pawl pins reject ${next}`].join('\n')}\n`,
  );
  return exit.ok;
}

/** One waiting definition beside the accepted one. */
function shownPin(pin: PinView, all: readonly PinView[]): readonly string[] {
  const accepted = all.find(({ state, tool }) => state === 'accepted' && tool === pin.tool);
  const what = accepted === undefined ? 'new' : `changed since ${accepted.digest.slice(0, digestShown)}`;
  const head = `${pin.server}/${visible(pin.tool, Infinity)} is ${what}; digest ${pin.digest.slice(0, digestShown)}`;
  const diff = definitionDiff(accepted?.definition, pin.definition ?? null);
  return [head, ...diff.map((line) => `  ${line}`), ''];
}

async function accept(answer: PinAnswer, input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [all, reissue] = [input.flag('all'), input.flag('reissue')];
  const wanted = { ...answer, ...(all && { all }), ...(reissue && { reissue }) };
  const place = storePlace(input);
  const json = input.flag('json');
  const done = await operate(place, 'pinsAccept', wanted, () =>
    onStore(place, {}, (operations) => operations.pinsAccept(wanted)),
  );
  if (!done.ok) return tellProblem('pins', done.error, json, terminal);
  const isIn = done.value.reload.kind === 'activated';
  if (json) terminal.out(`${JSON.stringify(done.value)}\n`);
  else if (isIn) terminal.out(`${acceptedLines(done.value).join('\n')}\n`);
  else terminal.err(`pawl pins: ${acceptedLines(done.value).join('\n')}\n`);
  return isIn ? exit.ok : exit.negative;
}

function acceptedLines({ server, tools, reload }: PinsAccepted): readonly string[] {
  const verb = reload.kind === 'activated' ? 'accepted' : 'NOT accepted';
  return [`${verb}: ${counted(tools.length, 'definition')} of ${server}`, ...reloadLines(reload)];
}

async function reject(answer: PinAnswer, input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const place = storePlace(input);
  const json = input.flag('json');
  const done = await operate(place, 'pinsReject', answer, () =>
    onStore(place, {}, (operations) => operations.pinsReject(answer)),
  );
  if (!done.ok) return tellProblem('pins', done.error, json, terminal);
  const { server, tools } = done.value;
  const told = `rejected: ${counted(tools.length, 'definition')} of ${server}; it waits again when the server lists it again`;
  terminal.out(`${json ? JSON.stringify(done.value) : told}\n`);
  return exit.ok;
}
