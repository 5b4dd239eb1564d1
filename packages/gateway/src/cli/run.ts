/** `pawl run`: the daemon, one for each store. */
import { dirname, relative, resolve } from 'node:path';
import { type ReadPolicy, readPolicy } from '../config/index.js';
import { type Store, StoreError, openStore, storePaths } from '../store/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { type Daemon, type DaemonOptions, type NotStarted, startDaemon } from './daemon.js';
import { type Doors, openDoors } from './doors.js';
import { counted, visible } from './layout.js';
import { tellBadPolicy, tellFindings } from './problem.js';
import { gainLines } from './reload-text.js';
import { untilSignal } from './signal.js';
import { readSource } from './source.js';
import { storePlace } from './store-option.js';
import { Triggers } from './triggers.js';
import { tryCalls } from './try.js';

/** The command. */
export const runCommand: Command = {
  name: 'run',
  summary: 'Runs the gateway for a policy: starts its servers and mediates every call.',
  usage:
    'run POLICY [--store DIR] [--http HOST:PORT|off] [--bump-epoch] [--locked] [--last-good] [--try CALLS.jsonl]',
  example: 'pawl run examples/quickstart/pawl.yaml',
  options: {
    store: { type: 'string', help: 'folder of the store; else $PAWL_STORE, else .pawl beside the policy' },
    http: { type: 'string', help: 'where to serve HTTP; 127.0.0.1:7295 unless told; off: not at all' },
    'bump-epoch': {
      type: 'boolean',
      help: 'take a changed policy although agents gain; their old capabilities die',
    },
    locked: {
      type: 'boolean',
      help: 'accept no tool that an operator has not accepted, not even those of a server that is new here',
    },
    'last-good': {
      type: 'boolean',
      help: 'serve the stored policy when the file cannot be used, or would let agents do more',
    },
    try: {
      type: 'string',
      help: 'make these calls (one JSON object a line: tool, args) after the start and show them',
    },
  },
  run: runGateway,
};

/** Waiting tools named in the banner; the rest is counted. */
const mostNamed = 20;

const usualHttp = { host: '127.0.0.1', port: 7295 };

async function runGateway(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [file, extra] = input.words;
  if (file === undefined || extra !== undefined) throw new Misuse('name one POLICY');
  const http = httpOption(input.text('http'));
  const { folder } = storePlace(input, file);
  const early = readPolicy(file);
  if (!early.ok && !input.flag('last-good')) return tellBadPolicy(early, false, terminal);
  const store = await storeOrTell(folder, terminal);
  if (store === undefined) return exit.negative;
  const read = early.ok ? early.policy : await lastGood(store, file, terminal);
  if (read === undefined) {
    await store.close();
    return early.ok ? exit.internal : tellBadPolicy(early, false, terminal);
  }
  const log = (line: string): void => terminal.err(`pawl: ${line}\n`);
  const triggers = new Triggers(log);
  const stop = untilSignal(() => triggers.hangUp());
  const [bumpEpoch, locked] = [input.flag('bump-epoch'), input.flag('locked')];
  const options = { read, store, storeFolder: folder, bumpEpoch, locked, log };
  const fallback = early.ok && input.flag('last-good') ? lastGood : undefined;
  const daemon = await daemonOrTell(options, terminal, fallback);
  if (typeof daemon === 'number') return daemon;
  return serve(daemon, { read, folder, http, calls: input.text('try'), triggers }, stop, terminal);
}

interface Serving {
  readonly read: ReadPolicy;
  readonly folder: string;
  readonly http: { readonly host: string; readonly port: number } | undefined;
  readonly calls: string | undefined;
  readonly triggers: Triggers;
}

async function serve(
  daemon: Daemon,
  serving: Serving,
  stop: Promise<void>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { read, folder, http, calls, triggers } = serving;
  let doors: Doors;
  try {
    doors = await openDoors(daemon, {
      paths: storePaths(folder),
      http,
      agents: true,
      failed: (error) => terminal.err(`pawl: control: ${String(error)}\n`),
    });
  } catch (error) {
    await daemon.close();
    terminal.err(`pawl run: ${doorProblem(error)}\n`);
    return exit.negative;
  }
  tellFindings(read.file, daemon.findings, terminal);
  tellStarted(daemon, terminal);
  terminal.out(banner(daemon, doors, folder));
  triggers.begin(daemon);
  try {
    if (calls !== undefined)
      await tryCalls(daemon, { file: calls, paths: storePaths(folder), url: doors.url }, terminal);
    await stop;
  } finally {
    triggers.close();
    await doors.close();
    await daemon.close();
  }
  terminal.out('pawl stopped\n');
  return exit.ok;
}

function banner({ snapshot, servers, waiting }: Daemon, doors: Doors, folder: string): string {
  const { number, hash } = snapshot.generation;
  const up = servers.map(
    ({ name, probe }) => `${name} (${probe.ok ? counted(probe.tools.length, 'tool') : 'down'})`,
  );
  const lines = [
    `pawl runs generation ${number} (${hash.slice(0, 12)})`,
    `  servers  ${up.join(', ')}`,
    ...waitingLines(waiting),
    `  store    ${relative(process.cwd(), folder) || '.'}`,
    ...(doors.url === undefined ? [] : [`  HTTP     ${doors.url} (Authorization: Bearer KEY)`]),
    '  stop     Ctrl-C',
  ];
  return `${lines.join('\n')}\n`;
}

/** Definitions that wait: told by name, so that nobody wonders where a tool is. */
function waitingLines(waiting: Daemon['waiting']): readonly string[] {
  if (waiting.length === 0) return [];
  const names = waiting.map(({ server, tool }) => `${server}/${visible(tool)}`);
  const rest = names.length - mostNamed;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return [
    `  waiting  ${names.slice(0, mostNamed).join(', ')}${more}: absent until accepted; pawl pins show SERVER`,
  ];
}

/** Opens the store, or tells why not. */
export async function storeOrTell(folder: string, terminal: Terminal): Promise<Store | undefined> {
  try {
    return await openStore(folder);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const held = `another process holds the store in ${folder}; pawl status --store ${folder} shows it; --store names another`;
    terminal.err(`pawl: ${error.code === 'held' ? held : error.message}\n`);
    return undefined;
  }
}

/** What to serve instead of a policy that is refused. */
type Fallback = (store: Store, file: string, terminal: Terminal) => Promise<ReadPolicy | undefined>;

/**
 * Starts a daemon; or closes the store, says why there is none and answers the exit code. Where the policy is refused because it
 * widens, `fallback` names another one to start with.
 */
export async function daemonOrTell(
  options: DaemonOptions,
  terminal: Terminal,
  fallback?: Fallback,
): Promise<Daemon | ExitCode> {
  let daemon: Daemon | NotStarted | undefined;
  try {
    daemon = await startDaemon(options);
    if ('gate' in daemon) return daemon;
    const code = tellNotStarted(daemon, terminal);
    if (fallback === undefined || daemon.kind !== 'generation') return code;
    const read = await fallback(options.store, options.read.file, terminal);
    if (read === undefined) return code;
    daemon = await startDaemon({ ...options, read });
    return 'gate' in daemon ? daemon : tellNotStarted(daemon, terminal);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    terminal.err(`pawl: ${error.message}\n`);
    return exit.negative;
  } finally {
    // What could not be written was told, or was never acknowledged.
    if (daemon === undefined || !('gate' in daemon)) await options.store.close().catch(() => undefined);
  }
}

function tellNotStarted(why: NotStarted, terminal: Terminal): ExitCode {
  if (why.kind === 'bad-policy') return tellBadPolicy(why.bad, false, terminal);
  const { stored, comparison } = why.refused;
  const lines = [
    `pawl: what decides (policy, facts, tools of the servers) differs from generation ${stored.number} of this store, and the ` +
      'change is not known to leave every agent less:',
    ...gainLines(comparison),
    'ways on:',
    '  undo    undo the change (edit the file back; start a server that is down)',
    '  accept  --bump-epoch: capabilities and sessions of every agent that gained end',
  ];
  terminal.err(`${lines.join('\n')}\n`);
  return exit.negative;
}

/** What the start did, where it moved to another generation. */
function tellStarted({ started, snapshot, reloader }: Daemon, terminal: Terminal): void {
  const { number } = snapshot.generation;
  const moved = reloader.current().stored.cause?.moved ?? [];
  if (started === 'activated') {
    const ended =
      moved.length === 0
        ? 'no capability has ended'
        : `capabilities of ${moved.map((each) => visible(each)).join(', ')} have ended`;
    terminal.err(`pawl: the policy changed; generation ${number} is in force; ${ended}\n`);
  }
  if (started === 'pawl')
    terminal.err(
      `pawl: Pawl itself changed, and what the policy means with it; generation ${number} is in force and capabilities of ` +
        'every agent have ended\n',
    );
}

async function lastGood(store: Store, file: string, terminal: Terminal): Promise<ReadPolicy | undefined> {
  const stored = await store.generations.current();
  if (stored === undefined) return undefined;
  const read = readSource(file, stored.source, dirname(resolve(file)));
  if (!read.ok) return undefined;
  terminal.err(
    `pawl: NOT IN FORCE: ${file}; serving generation ${stored.number} as stored, because --last-good says so\n`,
  );
  return read.policy;
}

function httpOption(text: string | undefined): Serving['http'] {
  if (text === undefined) return usualHttp;
  if (text === 'off') return undefined;
  const found = /^(?:\[(?<six>[0-9a-f:]+)\]|(?<host>[^:]+)):(?<port>[0-9]{1,5})$/u.exec(text)?.groups;
  const port = Number(found?.['port']);
  const host = found?.['six'] ?? found?.['host'];
  if (host === undefined || port > 65_535) throw new Misuse('--http takes HOST:PORT or off');
  return { host, port };
}

function doorProblem(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  return code === 'EADDRINUSE' ? `${text}; name another address with --http, or --http off` : text;
}
