/** One principal's own process of a server, across restarts and changes of its tools. */
import {
  type Clock,
  type Digest,
  type Json,
  type JsonObject,
  canonicalJson,
  fault,
  sha256,
} from '@pawl/core';
import type { Started } from './stdio.js';
import type { Upstream, UpstreamCall, UpstreamTool } from './upstream.js';

/** Pauses before restarts: doubled from the first to the longest, reset by a process that stayed up, and by a session that was used. */
export interface Restarts {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly steadyMs: number;
}

/** How a tool that a process lists stands to the definition in force. */
export type ToolStanding = 'in-force' | 'waiting' | 'absent';

/** A principal's own process of the server, across restarts. */
export interface Supervised extends Pick<Upstream, 'state' | 'call' | 'close'> {
  /** The tools that it lists as they are in force; none while it is down, or while a change of them is being listed. */
  tools(): readonly UpstreamTool[];
  /** Settles when the first start, and a listing that is under way, have come to an end: whether the process is up. */
  ready(): Promise<boolean>;
  /** Whether {@link ready} has something to wait for. */
  settling(): boolean;
  /** Called at every start with the tools that may be mounted; at once if the process is up. Gives what stops the calling. */
  onUp(listener: (tools: readonly UpstreamTool[]) => void): () => void;
  /** Called whenever the process is gone. */
  onDown(listener: (why: string) => void): void;
}

/** Digests of definitions, by the tool's own name. */
export type DefinitionDigests = ReadonlyMap<string, Digest>;

/** Digest of a tool definition. */
export function definitionDigest(definition: Json): Digest {
  return sha256(canonicalJson(definition));
}

/** The digests of definitions: what pins, approvals and records hold of them. */
export function digestsOf(
  definitions: readonly { readonly name: string; readonly definition: JsonObject }[],
): DefinitionDigests {
  return new Map(definitions.map(({ name, definition }) => [name, definitionDigest(definition)]));
}

/** How a tool that is listed so stands to what is in force. */
export function standingIn(
  listed: DefinitionDigests,
  inForce: DefinitionDigests,
  tool: string,
): ToolStanding {
  const digest = listed.get(tool);
  if (digest === undefined) return 'absent';
  return inForce.get(tool) === digest ? 'in-force' : 'waiting';
}

/** What a principal's process is kept with. */
export interface PrincipalOptions {
  readonly clock: Clock;
  /** Takes what happens to the process, one line each. */
  readonly log: (line: string) => void;
  readonly restarts: Restarts;
  readonly begin: () => Promise<Started>;
  /** As it is at each listing. */
  readonly inForce: () => DefinitionDigests;
  /** Called after each listing, in the step in which it counts. */
  readonly listed: (tools: readonly UpstreamTool[]) => void;
}

/** A process is asked for its changed tools at most this often, in milliseconds. */
const listEveryMs = 1000;

/** Keeps the process. */
export class Principal implements Supervised {
  readonly #options: PrincipalOptions;
  readonly #upListeners = new Set<(tools: readonly UpstreamTool[]) => void>();
  readonly #downListeners: ((why: string) => void)[] = [];
  readonly #first: Promise<boolean>;
  #upstream: Upstream | undefined;
  /** As listed last by a process that is up. */
  #listing: DefinitionDigests | undefined;
  #tools: readonly UpstreamTool[] = [];
  #relisting: Promise<void> | undefined;
  #again = false;
  #relistedAt = Number.NEGATIVE_INFINITY;
  #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Starts after the first. */
  restarted = 0;
  /** Why it is down, as long as it is. */
  trouble: string | undefined;
  #closed = false;
  #starting: Promise<boolean>;

  constructor(options: PrincipalOptions) {
    this.#options = options;
    this.#pauseMs = options.restarts.firstMs;
    this.#first = this.#start();
    this.#starting = this.#first;
  }

  get state(): 'up' | 'down' {
    return this.#upstream?.state ?? 'down';
  }

  async ready(): Promise<boolean> {
    const up = await this.#first;
    await this.#relisting;
    return up;
  }

  settling(): boolean {
    return this.state === 'down' || this.#relisting !== undefined;
  }

  tools(): readonly UpstreamTool[] {
    return this.#tools;
  }

  /** How a tool stands in this process; undefined while nothing is known of it. */
  standing(tool: string): ToolStanding | undefined {
    const listing = this.#listing;
    return listing === undefined ? undefined : standingIn(listing, this.#options.inForce(), tool);
  }

  /** The definitions in force have changed. */
  judgeAgain(): void {
    if (this.#upstream !== undefined && this.#relisting === undefined) this.#judge(this.#upstream.tools());
  }

  call(...[tool, args, options]: Parameters<Upstream['call']>): UpstreamCall {
    const upstream = this.#upstream;
    if (upstream === undefined || !this.#tools.some(({ name }) => name === tool)) {
      const why =
        this.#relisting === undefined
          ? 'the server is not there; it is being restarted'
          : 'the tools of the server are being listed again';
      return { handedOver: false, answer: Promise.resolve(fault('upstream_gone', why)) };
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
      this.trouble = started.why;
      this.#restart();
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
    const { clock, restarts } = this.#options;
    this.#upstream = upstream;
    this.trouble = undefined;
    this.#take(upstream.tools());
    const since = clock.monotonic();
    upstream.onToolsChanged(() => this.#changed(upstream));
    upstream.onDown((why) => {
      const upMs = clock.monotonic() - since;
      this.#down(why, upMs >= restarts.steadyMs || upstream.isExpired === true);
    });
    for (const tell of this.#upListeners) tell(this.#tools);
  }

  #take(listed: readonly UpstreamTool[]): void {
    this.#judge(listed);
    const others = listed
      .map(({ name }) => name)
      .filter((name) => this.standing(name) === 'waiting')
      .map(plain);
    if (others.length > 0)
      this.#options.log(
        `tools that are listed otherwise than they are in force are absent: ${others.join(', ')}`,
      );
    this.#options.listed(listed);
  }

  #judge(listed: readonly UpstreamTool[]): void {
    this.#listing = digestsOf(listed);
    this.#tools = listed.filter(({ name }) => this.standing(name) === 'in-force');
  }

  /** From the moment of a change nothing is called until it is known what changed. */
  #changed(upstream: Upstream): void {
    if (this.#upstream !== upstream || this.#closed) return;
    this.#tools = [];
    this.#again = true;
    this.#relisting ??= this.#relist(upstream).finally(() => (this.#relisting = undefined));
  }

  async #relist(upstream: Upstream): Promise<void> {
    while (this.#again && this.#upstream === upstream) {
      await this.#rest();
      this.#again = false;
      const listed = await listing(upstream);
      if (this.#upstream !== upstream || this.#closed) return;
      if (typeof listed === 'string') {
        this.#options.log(`its tools changed and could not be listed: ${listed}; it is started again`);
        await upstream.close();
        return;
      }
      if (!this.#again) this.#take(listed);
    }
  }

  async #rest(): Promise<void> {
    const { clock } = this.#options;
    const left = this.#relistedAt + listEveryMs - clock.monotonic();
    if (left > 0) await new Promise<void>((resolve) => setTimeout(resolve, left).unref());
    this.#relistedAt = clock.monotonic();
  }

  /** `wasGood`: the pauses begin anew. */
  #down(why: string, wasGood: boolean): void {
    this.#upstream = undefined;
    this.#listing = undefined;
    this.#tools = [];
    for (const tell of this.#downListeners) tell(why);
    const { restarts, log } = this.#options;
    if (wasGood) this.#pauseMs = restarts.firstMs;
    if (!this.#closed) log(why);
    this.trouble = why;
    this.#restart();
  }

  #restart(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.restarted += 1;
      this.#starting = this.#start();
    }, this.#pauseMs).unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, this.#options.restarts.mostMs);
  }
}

/** What the server lists now, or why that cannot be known. */
async function listing(upstream: Upstream): Promise<readonly UpstreamTool[] | string> {
  try {
    return await upstream.list();
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

/** A name that a server chose, for a log: nothing that a terminal would obey. */
function plain(name: string): string {
  return name.slice(0, 64).replaceAll(/[^\w./-]/gu, '?');
}
