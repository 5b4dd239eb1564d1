/** `pawl wrap`: a private gateway for one server, on the stdio of the client that starts it. */
import { join } from 'node:path';
import { type AgentName, type ServerName, mintId, parseServerName } from '@pawl/core';
import { type ReadPolicy, readPolicy } from '../config/index.js';
import { type LineConnection, serveLines } from '../mcp/index.js';
import { storePaths } from '../store/index.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type Terminal,
  exit,
  need,
} from './command.js';
import { type Daemon, type DaemonOptions, self } from './daemon.js';
import { openDoors } from './doors.js';
import { tellBadPolicy, tellFindings } from './problem.js';
import { daemonOrTell, storeOrTell } from './run.js';
import { untilSignal } from './signal.js';
import { storePlace } from './store-option.js';
import { Triggers } from './triggers.js';

/** The command. */
export const wrapCommand: Command = {
  name: 'wrap',
  summary: 'Puts a private gateway between an MCP client on stdio and one server.',
  usage:
    'wrap --policy P --server S [--agent A] [--instance I] [--store DIR] [--bump-epoch] -- COMMAND [ARG ...]',
  example:
    'pawl wrap --policy examples/quickstart/pawl.yaml --server files -- npx -y @modelcontextprotocol/server-filesystem .',
  options: {
    policy: { type: 'string', help: 'the policy document' },
    server: { type: 'string', help: 'the server of the policy that COMMAND is' },
    agent: { type: 'string', help: 'the agent that the client is; may be left out if there is one only' },
    instance: { type: 'string', help: 'the instance of the agent' },
    store: {
      type: 'string',
      help: 'folder of the store; else $PAWL_STORE, else .pawl/wrap-SERVER beside the policy',
    },
    'bump-epoch': {
      type: 'boolean',
      help: 'take a changed policy although agents gain; their old capabilities die',
    },
  },
  run: wrap,
};

async function wrap(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const file = need(input, 'policy');
  const only = wrapped(input);
  const read = readPolicy(file);
  if (!read.ok) return tellBadPolicy(read, false, terminal);
  const servers = [...read.policy.document.servers.keys()];
  if (!servers.includes(only.server))
    throw new Misuse(`the policy has no server ${only.server}; it has: ${servers.join(', ')}`);
  const agent = agentOf(input, read.policy);
  const folder = storeFolder(input, file, only.server);
  const store = await storeOrTell(folder, terminal);
  if (store === undefined) return exit.negative;
  const log = (line: string): void => terminal.err(`pawl: ${line}\n`);
  const bumpEpoch = input.flag('bump-epoch');
  const stop = untilSignal();
  const options = { read: read.policy, store, storeFolder: folder, bumpEpoch, only, log };
  const daemon = await daemonOrTell(options, terminal);
  if (typeof daemon === 'number') return daemon;
  if (!(await serves(daemon, only.command, terminal))) return exit.negative;
  tellFindings(file, daemon.findings, terminal);
  return serve(daemon, { agent, instance: input.text('instance'), folder, stop }, terminal);
}

/** The server, and the command line that stands for its own. */
function wrapped(input: CommandInput): NonNullable<DaemonOptions['only']> {
  const server = parseServerName(need(input, 'server'));
  const [command, ...args] = input.rest;
  if (server === undefined || command === undefined)
    throw new Misuse('name a server of the policy, and its command after --');
  return { server, command, args };
}

/** As everywhere, but that the default is a folder of the server's own: several wrapped servers can run at once. */
function storeFolder(input: CommandInput, file: string, server: ServerName): string {
  const { folder } = storePlace(input, file);
  const given = input.text('store') !== undefined || (process.env['PAWL_STORE'] ?? '') !== '';
  return given ? folder : join(folder, `wrap-${server}`);
}

/** Whether the one server answers; otherwise everything is ended and the reason told. */
async function serves(daemon: Daemon, command: string, terminal: Terminal): Promise<boolean> {
  const probe = daemon.servers[0]?.probe;
  if (probe?.ok === true) return true;
  await daemon.close();
  terminal.err(`pawl wrap: ${command} does not serve: ${probe?.why ?? 'it was not started'}\n`);
  return false;
}

function agentOf(input: CommandInput, { document }: ReadPolicy): AgentName {
  const names = [...document.agents.keys()];
  const wanted = input.text('agent');
  const found =
    wanted === undefined
      ? names.length === 1
        ? names[0]
        : undefined
      : names.find((name) => name === wanted);
  if (found === undefined) {
    const what = wanted === undefined ? 'name an agent with --agent' : `the policy has no agent ${wanted}`;
    throw new Misuse(`${what}; it has: ${names.join(', ')}`);
  }
  return found;
}

interface Serving {
  readonly agent: AgentName;
  readonly instance: string | undefined;
  readonly folder: string;
  readonly stop: Promise<void>;
}

async function serve(daemon: Daemon, serving: Serving, terminal: Terminal): Promise<ExitCode> {
  const { agent, instance, folder, stop } = serving;
  const { gate, caller } = daemon;
  const credential = { key: mintId.key('stdio'), agent, ...(instance === undefined ? {} : { instance }) };
  const session = gate.openSession(credential, true);
  if ('kind' in session) {
    await daemon.close();
    terminal.err(`pawl wrap: ${session.message}\n`);
    return exit.negative;
  }
  const doors = await openDoors(daemon, {
    paths: storePaths(folder),
    http: undefined,
    agents: false,
    failed: (error) => terminal.err(`pawl: control: ${String(error)}\n`),
  });
  const lines: LineConnection = serveLines({
    gate,
    caller,
    self,
    get session() {
      const opened = gate.openSession(credential);
      return 'kind' in opened ? session.id : opened.id;
    },
    input: process.stdin,
    output: process.stdout,
  });
  const triggers = new Triggers((line) => terminal.err(`pawl: ${line}\n`));
  triggers.begin(daemon);
  await Promise.race([stop, lines.closed]);
  triggers.close();
  await lines.close();
  await doors.close();
  await daemon.close();
  return exit.ok;
}
