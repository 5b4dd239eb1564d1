/** `pawl status`: one screen about the running daemon. */
import type { StatusView } from '../control/index.js';
import { no } from '../control/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { columns, counted, sizeText, spanText, timeText, visible } from './layout.js';
import { operate, tellProblem } from './operate.js';
import { storeOptions, storePlace } from './store-option.js';

/** The command. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'Shows the running daemon on one screen.',
  usage: 'status [--store DIR | --policy P] [--json]',
  example: 'pawl status --policy examples/quickstart/pawl.yaml',
  options: { ...storeOptions, json: { type: 'boolean', help: 'one JSON object' } },
  run: status,
};

/** Rows of one list; the rest is counted. */
const rowsShown = 6;

async function status(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  if (input.words.length > 0) throw new Misuse('status takes no words');
  const json = input.flag('json');
  const place = storePlace(input);
  const policy = input.text('policy') ?? 'POLICY';
  const absent = `no daemon runs on the store in ${place.folder}; start one with: pawl run ${policy}`;
  const answer = await operate(place, 'status', {}, () => Promise.resolve(no('refused', absent)));
  if (!answer.ok) return tellProblem('status', answer.error, json, terminal);
  terminal.out(json ? `${JSON.stringify(answer.value)}\n` : screen(answer.value));
  return exit.ok;
}

function sessionsText({ sessions, childSessions = 0 }: StatusView): string {
  return childSessions === 0 ? `${sessions} open` : `${sessions} open, ${childSessions} of them delegated`;
}

function screen(view: StatusView): string {
  const { store, audit, inFlight, http } = view;
  const rows = [
    ['store', `${store.id} in ${visible(store.folder, 500)}`],
    ['daemon', daemonText(view)],
    ['generation', generationText(view)],
    ...olderRows(view),
    ...listed(
      'executors',
      view.executors.map(({ executor, epoch }) => [executor, `epoch ${epoch}`, storedText(view, executor)]),
    ),
    ...listed('servers', serverRows(view)),
    ...listed(
      'waiting',
      (view.waiting ?? []).map(({ server, tool }) => [`${server}/${tool}`, `pawl pins show ${server}`]),
      [],
    ),
    ...skillRow(view),
    ...(view.frozen.length === 0
      ? []
      : [['frozen', view.frozen.map((name) => (name === '*' ? 'everything' : visible(name))).join(', ')]]),
    ...reloadRow(view),
    ['sessions', `${sessionsText(view)}, ${counted(inFlight, 'call')} in flight`],
    ...askRow(view),
    [
      'audit',
      `head ${audit.seq} ${short(audit.hash)}, ${audit.healthy ? 'healthy' : 'NOT WRITABLE: calls are refused'}`,
    ],
    ['http', http === undefined ? 'off' : visible(http)],
  ];
  return `${columns(rows).join('\n')}\n`;
}

/** What is stored beside the document for an executor; a ceiling that lists everything counts as none. */
function storedText({ declared = [] }: StatusView, executor: string): string {
  const own = declared.filter(({ of }) => of === executor || executor.startsWith(`${of}/`));
  const told = (layer: 'ceiling' | 'narrowing'): readonly string[] => {
    const entries = own.filter((entry) => entry.layer === layer && entry.state !== 'whole');
    const names = entries.map(({ on, state }) => (state === 'unreadable' ? `${on} UNREADABLE: refused` : on));
    return names.length === 0 ? [] : [`stored ${layer}: ${names.join(', ')}`];
  };
  return [...told('ceiling'), ...told('narrowing')].join('; ');
}

function daemonText({ process: { pid, memory }, uptime }: StatusView): string {
  return `pid ${pid}, up ${spanText(uptime)}, ${Math.round(memory / 1_048_576)} MiB`;
}

function generationText({ generations: [inForce], posture }: StatusView): string {
  if (inForce === undefined) return 'none: nothing is admitted';
  const { number, hash, pins, bytes } = inForce;
  return `${number} ${short(hash)}, ${counted(pins, 'call')} pinned, ${sizeText(bytes)}, posture ${posture}`;
}

/** Generations that live only because calls hold them. */
function olderRows({ generations }: StatusView): readonly (readonly string[])[] {
  const older = generations
    .slice(1)
    .map(({ number, hash, pins, bytes, replacedFor = 0 }) => [
      `${number} ${short(hash)}`,
      `${counted(pins, 'call')} pinned`,
      sizeText(bytes),
      `replaced ${spanText(replacedFor)} ago`,
    ]);
  return listed('older', older, []);
}

/** The last reload that did not go through: what is in force is not what was asked for. */
function reloadRow({ refusedReload }: StatusView): readonly (readonly string[])[] {
  if (refusedReload === undefined) return [];
  const { at, trigger, kind } = refusedReload;
  const outcome = { refused: 'REFUSED', invalid: 'INVALID POLICY', failed: 'FAILED' }[kind];
  return [['reload', `${outcome} at ${timeText(at)} by ${trigger}; pawl reload shows why`]];
}

/** Skills in a line, and those that should be there and are not in another. */
function skillRow({ skills }: StatusView): readonly (readonly string[])[] {
  if (skills === undefined) return [];
  const { loaded, unsigned, masked, notLoaded } = skills;
  const odd = [
    ...(unsigned === 0 ? [] : [`${unsigned} UNSIGNED`]),
    ...(masked === 0 ? [] : [`${counted(masked, 'tool')} masked`]),
  ];
  const missing = notLoaded.map(({ name, executor }) => visible(`${name} for ${executor}`)).join(', ');
  return [
    ['skills', [`${loaded} loaded`, ...odd].join(', ')],
    ...(missing === '' ? [] : [['', `NOT LOADED: ${missing}; pawl skill list shows why`]]),
  ];
}

/** Agents that wait for a person. */
function askRow({ asks: { waiting, oldest = 0 } }: StatusView): readonly (readonly string[])[] {
  if (waiting === 0) return [];
  const calls = counted(waiting, 'call waits', 'calls wait');
  return [['asks', `${calls} for approval, the oldest for ${spanText(oldest)}; pawl approve shows them`]];
}

function serverRows({ servers }: StatusView): readonly (readonly string[])[] {
  return servers.map(({ server, state, tools, restarts, confinement, why }) => [
    server,
    state,
    counted(tools, 'tool'),
    counted(restarts, 'restart'),
    `confined by ${confinement}`,
    ...(why === undefined ? [] : [why]),
  ]);
}

/** A list under one label, aligned in itself. */
function listed(
  label: string,
  rows: readonly (readonly string[])[],
  none: readonly (readonly string[])[] = [[label, 'none']],
): readonly (readonly string[])[] {
  if (rows.length === 0) return none;
  const shown = rows.length <= rowsShown ? rows : rows.slice(0, rowsShown - 1);
  const rest = rows.length - shown.length;
  const lines = columns(shown.map((row) => row.map((cell) => visible(cell))));
  return [...lines, ...(rest === 0 ? [] : [`and ${rest} more`])].map((line, at) => [
    at === 0 ? label : '',
    line,
  ]);
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
