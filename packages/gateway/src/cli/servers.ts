/** The servers of a generation: probed for their tools, then supervised, one process a principal. */
import {
  type Behaviour,
  type Clock,
  type Digest,
  type Entry,
  type ExecutorId,
  type Json,
  type PolicyDocument,
  type ServerFrame,
  type ServerName,
  type ServerSource,
  type ToolCall,
  type ToolDefinition,
  canonicalJson,
  sha256,
  spawn,
} from '@pawl/core';
import { resolve } from 'node:path';
import {
  type Implementation,
  type Probe,
  type ProcessOptions,
  Supervisor,
  type UpstreamCallOptions,
  probeServer,
  startStdio,
} from '../mcp/index.js';

/** A call without progress for this long is cancelled, in milliseconds, unless its connector says that it runs long. */
const usualDeadlineMs = 60_000;

/** What servers are started with. */
export interface ServersOptions {
  readonly document: PolicyDocument;
  /** Folder of the document. */
  readonly folder: string;
  readonly self: Implementation;
  readonly clock: Clock;
  /** PATH of Pawl itself: where commands are looked up. */
  readonly searchPath: string;
  readonly log: (line: string) => void;
  /** The one server to start, with the command line given instead of its own; the others are left alone. */
  readonly only?: { readonly server: ServerName; readonly command: string; readonly args: readonly string[] };
}

/** One server of the document. */
export interface RunningServer {
  readonly name: ServerName;
  /** Undefined when the probe failed. */
  readonly supervisor: Supervisor | undefined;
  readonly probe: Probe;
}

/** What goes beside the arguments of a call to an upstream tool. */
export type UpstreamExtras = Pick<UpstreamCallOptions, 'onProgress' | 'trace'>;

/** Probes every server at the same time. A server that does not answer has no tools; the others are not affected. */
export async function probeServers(options: ServersOptions): Promise<readonly RunningServer[]> {
  const { only } = options;
  const sources = [...options.document.servers.values()];
  const chosen =
    only === undefined
      ? sources
      : sources.filter(({ name }) => name === only.server).map((source) => ({ ...source, ...only }));
  return Promise.all(chosen.map((source) => probeOne(options, source)));
}

async function probeOne(options: ServersOptions, source: ServerSource): Promise<RunningServer> {
  const { name } = source;
  const { clock } = options;
  const log = (line: string): void => options.log(`server ${name}: ${line}`);
  const launch = launchOf(options, source, log);
  if (launch === undefined) {
    const why = 'its entry has no command';
    log(why);
    return { name, supervisor: undefined, probe: { ok: false, why } };
  }
  const start = (
    principal: ExecutorId | undefined,
    discovered?: Parameters<typeof startStdio>[0]['discovered'],
  ): ReturnType<typeof startStdio> =>
    startStdio({
      ...launch,
      log: (line) => log(`${principal ?? 'probe'}: ${line}`),
      self: options.self,
      clock,
      maxResultBytes: options.document.settings.resultsMaxBytes,
      ...(discovered === undefined ? {} : { discovered }),
    });
  const probe = await probeServer(start);
  if (!probe.ok) log(`no tools: ${probe.why}`);
  return { name, probe, supervisor: probe.ok ? new Supervisor(probe, { start, clock, log }) : undefined };
}

function launchOf(
  options: ServersOptions,
  source: ServerSource,
  log: (line: string) => void,
): ProcessOptions | undefined {
  const { command, args, env } = source;
  if (command === undefined) return undefined;
  const cwd = resolve(options.folder, source.cwd ?? source.root ?? '.');
  const program = command.includes('/') ? resolve(options.folder, command) : command;
  return { command: program, args, cwd, env, searchPath: options.searchPath, log };
}

/** The definitions that a probe found, in the server's order. */
export function definitionsOf(server: RunningServer): readonly ToolDefinition[] {
  return server.probe.ok ? server.probe.tools : [];
}

/** Digest of a tool definition: what pins, approvals and records hold of it. */
export function definitionDigest(definition: Json): Digest {
  return sha256(canonicalJson(definition));
}

/** The mounts of a server: each tool that is there as it is in force, a stateless actor that calls the process of the principal. */
export function entriesOf(
  { supervisor }: RunningServer,
  frame: ServerFrame | undefined,
  present: ReadonlySet<string> | undefined,
): readonly Entry[] {
  if (supervisor === undefined) return [];
  const tools = [...(frame?.tools ?? [])].filter(([name]) => present?.has(name) === true);
  return tools.map(([name, { frame: tool, definition }]) => ({
    tool: tool.tool,
    ref: spawn(toolActor(supervisor, name, tool.table.longRunning === true ? Infinity : usualDeadlineMs)),
    definition,
    digest: definitionDigest(definition),
  }));
}

function toolActor(supervisor: Supervisor, tool: string, deadlineMs: number): Behaviour {
  return {
    parallel: Infinity,
    turn: (_method, message, { signal }) => {
      const { args, executor, extras } = toolCallOf(message);
      return supervisor.of(executor).call(tool, args, { ...extras, signal, deadlineMs }).answer;
    },
  };
}

// The dispatcher is the only sender of these actors and sends nothing else.
function toolCallOf(message: unknown): Omit<ToolCall, 'extras'> & { readonly extras: UpstreamExtras } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one sender sends this shape
  return message as Omit<ToolCall, 'extras'> & { readonly extras: UpstreamExtras };
}
