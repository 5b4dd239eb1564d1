/** Keeps the processes of one server: a probe that fixes its tools, and one process for each principal, restarted with back-off. */
import { type Clock, type ExecutorId, canonicalJson, fault } from '@pawl/core';
import type { Discovered } from './handshake.js';
import type { Started } from './stdio.js';
import type { Upstream, UpstreamCall, UpstreamTool } from './upstream.js';

/** What the probe of a server found. */
export type Probe =
  | { readonly ok: true; readonly tools: readonly UpstreamTool[]; readonly discovered: Discovered }
  | { readonly ok: false; readonly why: string };

/** What starts a server: for the probe when there is no principal. */
export type StartServer = (principal: ExecutorId | undefined, discovered?: Discovered) => Promise<Started>;

/** Pauses before restarts: doubled from the first to the longest, reset by a process that stayed up. */
export interface Restarts {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly steadyMs: number;
}

/** What a supervisor is made from. */
export interface SupervisorOptions {
  readonly start: StartServer;
  readonly clock: Clock;
  /** Takes what happens to the server's processes, one line each; names principals, never arguments. */
  readonly log: (line: string) => void;
  readonly restarts?: Restarts;
}

/** A principal's own process of the server, across restarts. */
export interface Supervised extends Pick<Upstream, 'state' | 'tools' | 'call' | 'close'> {
  /** Settles when the first start has come to an end: whether the process is up. */
  ready(): Promise<boolean>;
  /** Called at every start with the tools that may be mounted; at once if the process is up. Gives what stops the calling. */
  onUp(listener: (tools: readonly UpstreamTool[]) => void): () => void;
  /** Called whenever the process is gone. */
  onDown(listener: (why: string) => void): void;
}

const usualRestarts: Restarts = { firstMs: 250, mostMs: 30_000, steadyMs: 60_000 };

/** Starts a process, lists its tools and ends it: what is listed is what the generation knows of this server. */
export async function probeServer(start: StartServer): Promise<Probe> {
  const started = await start(undefined);
  if (!started.ok) return started;
  const tools = started.upstream.tools();
  await started.upstream.close();
  return { ok: true, tools, discovered: started.discovered };
}

/** Supervises one server after its probe. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #discovered: Discovered;
  readonly #known: ReadonlyMap<string, string>;
  readonly #principals = new Map<ExecutorId, Principal>();

  /** @param probe what {@link probeServer} found; a tool that a principal's process lists otherwise is absent there */
  constructor(probe: Extract<Probe, { ok: true }>, options: SupervisorOptions) {
    this.#options = options;
    this.#discovered = probe.discovered;
    this.#known = new Map(probe.tools.map((tool) => [tool.name, canonicalJson(tool.definition)]));
  }

  /** The process of this principal, started at the first ask. */
  of(principal: ExecutorId): Supervised {
    const held = this.#principals.get(principal);
    if (held !== undefined) return held;
    const fresh = new Principal({
      ...this.#options,
      begin: () => this.#options.start(principal, this.#discovered),
      agrees: (tool) => this.#known.get(tool.name) === canonicalJson(tool.definition),
      log: (line) => this.#options.log(`${principal}: ${line}`),
    });
    this.#principals.set(principal, fresh);
    return fresh;
  }

  /** How many principals' processes are up, or on their way up, and how often any was started again. */
  processes(): { readonly up: number; readonly starting: number; readonly restarts: number } {
    const all = [...this.#principals.values()];
    const up = all.filter((principal) => principal.state === 'up').length;
    const restarts = all.reduce((sum, principal) => sum + principal.restarted, 0);
    return { up, starting: all.length - up, restarts };
  }

  /** Ends every process of the server. */
  async close(): Promise<void> {
    await Promise.all([...this.#principals.values()].map((principal) => principal.close()));
    this.#principals.clear();
  }
}

interface PrincipalOptions extends SupervisorOptions {
  readonly begin: () => Promise<Started>;
  readonly agrees: (tool: UpstreamTool) => boolean;
}

class Principal implements Supervised {
  readonly #options: PrincipalOptions;
  readonly #restarts: Restarts;
  readonly #upListeners = new Set<(tools: readonly UpstreamTool[]) => void>();
  readonly #downListeners: ((why: string) => void)[] = [];
  readonly #first: Promise<boolean>;
  #upstream: Upstream | undefined;
  #tools: readonly UpstreamTool[] = [];
  #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Starts after the first. */
  restarted = 0;
  #closed = false;
  #starting: Promise<boolean>;

  constructor(options: PrincipalOptions) {
    this.#options = options;
    this.#restarts = options.restarts ?? usualRestarts;
    this.#pauseMs = this.#restarts.firstMs;
    this.#first = this.#start();
    this.#starting = this.#first;
  }

  get state(): 'up' | 'down' {
    return this.#upstream?.state ?? 'down';
  }

  ready(): Promise<boolean> {
    return this.#first;
  }

  tools(): readonly UpstreamTool[] {
    return this.#tools;
  }

  call(...[tool, args, options]: Parameters<Upstream['call']>): UpstreamCall {
    const upstream = this.#upstream;
    if (upstream === undefined || !this.#tools.some(({ name }) => name === tool)) {
      const gone = fault('upstream_gone', 'the server is not there; it is being restarted');
      return { handedOver: false, answer: Promise.resolve(gone) };
    }
    return upstream.call(tool, args, options);
  }

  onUp(listener: (tools: readonly UpstreamTool[]) => void): () => void {
    this.#upListeners.add(listener);
    if (this.state === 'up') listener(this.#tools);
    return () => void this.#upListeners.delete(listener);
  }

  onDown(listener: (why: string) => void): void {
    this.#downListeners.push(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#starting;
    await this.#upstream?.close();
  }

  async #start(): Promise<boolean> {
    const started = await this.#options.begin();
    if (!started.ok) {
      this.#options.log(started.why);
      this.#again();
      return false;
    }
    const { upstream } = started;
    if (this.#closed) {
      await upstream.close();
      return false;
    }
    this.#up(upstream);
    return true;
  }

  #up(upstream: Upstream): void {
    const { agrees, clock, log } = this.#options;
    const listed = upstream.tools();
    this.#tools = listed.filter(agrees);
    const absent = listed.filter((tool) => !agrees(tool)).map(({ name }) => name);
    if (absent.length > 0)
      log(`tools that are listed otherwise than by the probe are absent: ${absent.join(', ')}`);
    this.#upstream = upstream;
    const since = clock.monotonic();
    upstream.onToolsChanged(() => log('the server says that its tools changed; the change waits'));
    upstream.onDown((why) => this.#down(why, clock.monotonic() - since));
    for (const tell of this.#upListeners) tell(this.#tools);
  }

  #down(why: string, upMs: number): void {
    this.#upstream = undefined;
    this.#tools = [];
    for (const tell of this.#downListeners) tell(why);
    if (upMs >= this.#restarts.steadyMs) this.#pauseMs = this.#restarts.firstMs;
    if (!this.#closed) this.#options.log(why);
    this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.restarted += 1;
      this.#starting = this.#start();
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, this.#restarts.mostMs);
  }
}
