/** The servers of a generation: probed for their tools, then supervised, one process a principal. */
import {
  type Behaviour,
  type Clock,
  type Entry,
  type ExecutorId,
  type JsonObject,
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
  type Launch,
  type Probe,
  type ProcessOptions,
  Supervisor,
  type UpstreamCallOptions,
  definitionDigest,
  probeServer,
  startStdio,
} from '../mcp/index.js';
import { type Confined, confineServer } from './confine.js';

/** A call without progress for this long is cancelled, in milliseconds, unless its connector says that it runs long. */
const usualDeadlineMs = 60_000;

/** What servers are started with. */
export interface ServersOptions {
  readonly document: PolicyDocument;
  /** Bytes of a result, asked for at each answer. */
  readonly maxResultBytes: () => number;
  /** Folder of the document. */
  readonly folder: string;
  readonly self: Implementation;
  readonly clock: Clock;
  /** PATH of Pawl itself: where commands are looked up. */
  readonly searchPath: string;
  readonly log: (line: string) => void;
  /** Absolute folder of the store. */
  readonly storeFolder: string;
  /** What no sandbox shows: policy and store. */
  readonly hide: readonly string[];
  /** The one server to start, with the command line given instead of its own; the others are left alone. */
  readonly only?: { readonly server: ServerName; readonly command: string; readonly args: readonly string[] };
  /** Called whenever a process of a server has listed its tools. */
  readonly listed?: (server: ServerName) => void;
  /** Starts the processes; those of the operating system unless told. */
  readonly launch?: Launch | undefined;
}

/** One server of the document. */
export interface RunningServer {
  readonly name: ServerName;
  /** What would have to be started anew if it changed. */
  readonly identity: ServerIdentity;
  /** Calls that its processes have not answered. */
  readonly busy: Busy;
  /** Undefined when the probe failed. */
  readonly supervisor: Supervisor | undefined;
  readonly probe: Probe;
  /** How the processes are confined; undefined where the policy demands nothing. */
  readonly confined?: Confined;
  /** Why the sandbox that the policy demands is not to be had: no process was started. */
  readonly unconfined?: string;
}

/** What goes beside the arguments of a call to an upstream tool. */
export type UpstreamExtras = Pick<UpstreamCallOptions, 'onProgress' | 'trace'>;

/** Probes these servers at the same time. A server that does not answer has no tools; the others are not affected. */
export function probeServers(
  options: ServersOptions,
  sources: readonly ServerSource[],
): Promise<readonly RunningServer[]> {
  return Promise.all(sources.map((source) => probeOne(options, source)));
}

/** The servers of a document, or the one of `only`. */
export function sourcesIn({
  document,
  only,
}: Pick<ServersOptions, 'document' | 'only'>): readonly ServerSource[] {
  const sources = [...document.servers.values()];
  if (only === undefined) return sources;
  return sources.filter(({ name }) => name === only.server).map((source) => ({ ...source, ...only }));
}

/** A server that is not started, with its reason: it has no tools. */
export function notStarted(source: ServerSource, folder: string, why: string): RunningServer {
  const { name } = source;
  const identity = identityOf(source, folder);
  return { name, identity, busy: new Busy(), supervisor: undefined, probe: { ok: false, why } };
}

async function probeOne(options: ServersOptions, source: ServerSource): Promise<RunningServer> {
  const { name } = source;
  const known = { name, identity: identityOf(source, options.folder), busy: new Busy() };
  const { clock } = options;
  const log = (line: string): void => options.log(`server ${name}: ${line}`);
  const launch = launchOf(options, source, log);
  if (launch === undefined) {
    const why = 'its entry has no command';
    log(why);
    return { ...known, supervisor: undefined, probe: { ok: false, why } };
  }
  const confined = await confinedBy(options, source);
  if (typeof confined === 'string') {
    const why = `NOT CONFINED as its sandbox demands, so it is not started: ${confined}`;
    log(why);
    return { ...known, supervisor: undefined, probe: { ok: false, why }, unconfined: confined };
  }
  const start = (
    principal: ExecutorId | undefined,
    discovered?: Parameters<typeof startStdio>[0]['discovered'],
  ): ReturnType<typeof startStdio> =>
    startStdio({
      ...launch,
      ...(confined !== undefined && { confine: confined.confine }),
      log: (line) => log(`${principal ?? 'probe'}: ${line}`),
      self: options.self,
      clock,
      maxResultBytes: options.maxResultBytes,
      launch: options.launch,
      ...(discovered === undefined ? {} : { discovered }),
    });
  const probe = await probeServer(start);
  if (!probe.ok) {
    log(`no tools: ${probe.why}`);
    await confined?.close();
  }
  const supervisor = probe.ok
    ? new Supervisor(probe, { start, clock, log, listed: () => options.listed?.(name) })
    : undefined;
  return { ...known, probe, supervisor, ...(confined !== undefined && { confined }) };
}

/** Confines as the entry of the server says; the reason where that cannot be; undefined where it says nothing. */
async function confinedBy(
  { folder, storeFolder, hide }: ServersOptions,
  source: ServerSource,
): Promise<Confined | string | undefined> {
  const { sandbox } = source;
  if (sandbox === undefined) return undefined;
  return confineServer(sandbox, {
    folder,
    canaryFolder: storeFolder,
    hide,
    cwd: workingFolder(source, folder),
  });
}

function launchOf(
  options: ServersOptions,
  source: ServerSource,
  log: (line: string) => void,
): ProcessOptions | undefined {
  const { args, env } = source;
  const command = programOf(source, options.folder);
  if (command === undefined) return undefined;
  const cwd = workingFolder(source, options.folder);
  return { command, args, cwd, env, searchPath: options.searchPath, log };
}

function programOf({ command }: ServerSource, folder: string): string | undefined {
  return command?.includes('/') === true ? resolve(folder, command) : command;
}

function workingFolder({ cwd, root }: ServerSource, folder: string): string {
  return resolve(folder, cwd ?? root ?? '.');
}

/** What a server is, as far as starting it goes. Plain JSON that may be shown: of the environment names and a digest. */
export type ServerIdentity = JsonObject;

/** The identity of a server of a document in that folder. */
export function identityOf(source: ServerSource, folder: string): ServerIdentity {
  return {
    command: programOf(source, folder) ?? null,
    args: [...source.args],
    cwd: workingFolder(source, folder),
    env: Object.keys(source.env).sort(),
    values: sha256(canonicalJson({ ...source.env })),
    ...sandboxIdentity(source, folder),
  };
}

/** Another sandbox is another process, a narrower one too. */
function sandboxIdentity({ sandbox }: ServerSource, folder: string): JsonObject {
  if (sandbox === undefined) return {};
  const { read, write, network } = sandbox;
  const paths = (list: readonly string[]): readonly string[] => list.map((path) => resolve(folder, path));
  const reached = network === 'none' ? network : { hosts: [...network.hosts] };
  return { sandbox: { read: paths(read), write: paths(write), network: reached } };
}

/** Ends the processes of a server, and what confined them. */
export async function endServer({ supervisor, confined }: RunningServer): Promise<void> {
  await supervisor?.close();
  await confined?.close();
}

/** Counts what runs, and tells when nothing does. */
export class Busy {
  #running = 0;
  #idle: (() => void)[] = [];

  /** Counts until the promise settles. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work;
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const tell of this.#idle.splice(0)) tell();
    }
  }

  /** Settles when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((tell) => this.#idle.push(tell));
  }
}

/** The definitions that the server listed last, in its order. */
export function definitionsOf({ supervisor }: RunningServer): readonly ToolDefinition[] {
  return supervisor?.listing() ?? [];
}

/** The mounts of a server: each tool that it lists as it is in force, a stateless actor that calls the process of the principal. */
export function entriesOf(
  { supervisor, busy, confined }: RunningServer,
  frame: ServerFrame | undefined,
): readonly Entry[] {
  if (supervisor === undefined) return [];
  const present = supervisor.present();
  const tools = [...(frame?.tools ?? [])].filter(([name]) => present.has(name));
  return tools.map(([name, { frame: tool, definition }]) => ({
    tool: tool.tool,
    ref: spawn(
      toolActor({
        supervisor,
        busy,
        tool: name,
        deadlineMs: tool.table.longRunning === true ? Infinity : usualDeadlineMs,
      }),
    ),
    definition,
    digest: definitionDigest(definition),
    ...(confined === undefined ? {} : { confinement: 'object', confinedBy: 'bubblewrap' }),
  }));
}

interface ToolActor extends Pick<RunningServer, 'busy'> {
  readonly supervisor: Supervisor;
  readonly tool: string;
  readonly deadlineMs: number;
}

function toolActor({ supervisor, busy, tool, deadlineMs }: ToolActor): Behaviour {
  return {
    parallel: Infinity,
    turn: (_method, message, { signal }) => {
      const { args, executor, extras } = toolCallOf(message);
      return busy.during(supervisor.of(executor).call(tool, args, { ...extras, signal, deadlineMs }).answer);
    },
  };
}

// The dispatcher is the only sender of these actors and sends nothing else.
function toolCallOf(message: unknown): Omit<ToolCall, 'extras'> & { readonly extras: UpstreamExtras } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one sender sends this shape
  return message as Omit<ToolCall, 'extras'> & { readonly extras: UpstreamExtras };
}
