/** The servers of a generation: probed for their tools, then supervised, one process or session a principal. */
import {
  type Behaviour,
  type Entry,
  type ServerFrame,
  type ServerName,
  type ServerSource,
  type ToolCall,
  type ToolDefinition,
  spawn,
} from '@pawl/core';
import {
  type Probe,
  Supervisor,
  type UpstreamCallOptions,
  definitionDigest,
  probeServer,
} from '../mcp/index.js';
import type { Confined } from './confine.js';
import { type ServerIdentity, identityOf } from './server-identity.js';
import { type ServersOptions, starterOf } from './starting.js';

export type { ServersOptions } from './starting.js';

/** A call without progress for this long is cancelled, in milliseconds, unless its connector says that it runs long. */
const usualDeadlineMs = 60_000;

/** One server of the document. */
export interface RunningServer {
  readonly name: ServerName;
  /** What would have to be started anew if it changed. */
  readonly identity: ServerIdentity;
  /** Calls that its processes have not answered. */
  readonly busy: Busy;
  /** Undefined when the probe failed and is not tried again. */
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
  return sources
    .filter(({ name }) => name === only.server)
    .map((source) => ({
      ...source,
      ...only,
      url: undefined,
      auth: undefined,
      headers: {},
    }));
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
  const log = (line: string): void => options.log(`server ${name}: ${line}`);
  const starter = await starterOf(options, source, log);
  if ('why' in starter) {
    log(starter.why);
    const { why, ...rest } = starter;
    return { ...known, supervisor: undefined, probe: { ok: false, why }, ...rest };
  }
  const { start, confined, mayCome } = starter;
  const probe = await probeServer(start);
  const isKept = probe.ok || mayCome;
  if (!probe.ok) log(`no tools: ${probe.why}${mayCome ? '; it is tried again' : ''}`);
  if (!isKept) await confined?.close();
  const { clock } = options;
  const supervisor = isKept
    ? new Supervisor(probe, { start, clock, log, listed: () => options.listed?.(name) })
    : undefined;
  return { ...known, probe, supervisor, ...(confined !== undefined && { confined }) };
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
