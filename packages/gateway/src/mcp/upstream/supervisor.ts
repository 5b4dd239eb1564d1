/** Keeps the processes, or sessions, of one server: a probe that fixes its tools, and one for each principal, restarted with back-off. */
import type { Clock, ExecutorId } from '@pawl/core';
import type { Discovered } from './handshake.js';
import {
  type DefinitionDigests,
  Principal,
  type Restarts,
  type Supervised,
  type ToolStanding,
  standingIn,
  digestsOf,
} from './principal.js';
import type { Started } from './stdio.js';
import type { UpstreamTool } from './upstream.js';

/** What the probe of a server found. */
export type Probe =
  | { readonly ok: true; readonly tools: readonly UpstreamTool[]; readonly discovered: Discovered }
  | { readonly ok: false; readonly why: string };

/** What starts a server: for the probe when there is no principal. */
export type StartServer = (principal: ExecutorId | undefined, discovered?: Discovered) => Promise<Started>;

/** What a supervisor is made from. */
export interface SupervisorOptions {
  readonly start: StartServer;
  readonly clock: Clock;
  /** Takes what happens to the server's processes, one line each; names principals, never arguments. */
  readonly log: (line: string) => void;
  readonly restarts?: Restarts;
  /** Called whenever a process has listed its tools, in the step in which that counts. */
  readonly listed?: (tools: readonly UpstreamTool[]) => void;
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

/** Supervises one server after its probe. Until it is told otherwise, what the probe listed is in force. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #discovered: Discovered | undefined;
  readonly #principals = new Map<ExecutorId, Principal>();
  #inForce: DefinitionDigests;
  /** What any process of the server listed last. */
  #listing: readonly UpstreamTool[];
  #digests: DefinitionDigests;
  /** Why the probe found nobody; it is tried again until it does. */
  #why: string | undefined;
  #probing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** @param probe what {@link probeServer} found; where that is nobody, it is tried again with back-off */
  constructor(probe: Probe, options: SupervisorOptions) {
    this.#options = options;
    this.#discovered = probe.ok ? probe.discovered : undefined;
    this.#listing = probe.ok ? probe.tools : [];
    this.#digests = digestsOf(this.#listing);
    this.#inForce = this.#digests;
    if (!probe.ok) this.#probeLater(probe.why, (options.restarts ?? usualRestarts).firstMs);
  }

  /** The process of this principal, started at the first ask. */
  of(principal: ExecutorId): Supervised {
    const held = this.#principals.get(principal);
    if (held !== undefined) return held;
    const { start, clock, log, restarts = usualRestarts } = this.#options;
    const fresh = new Principal({
      clock,
      restarts,
      begin: () => start(principal, this.#discovered),
      inForce: () => this.#inForce,
      listed: (tools) => this.#listed(tools),
      log: (line) => log(`${principal}: ${line}`),
    });
    this.#principals.set(principal, fresh);
    return fresh;
  }

  /** Why nobody is there: neither at the probe, nor now for some principal, who is named where it is there for others. */
  trouble(): string | undefined {
    if (this.#why !== undefined) return this.#why;
    const all = [...this.#principals];
    const [name, found] = all.find(([, { trouble }]) => trouble !== undefined) ?? [];
    const isForSome = all.some(([, { state }]) => state === 'up');
    return isForSome && found?.trouble !== undefined ? `${name}: ${found.trouble}` : found?.trouble;
  }

  /** Takes the definitions that are in force from now on. Every tool is judged by them in this step. */
  judgeBy(inForce: DefinitionDigests): void {
    this.#inForce = inForce;
    for (const principal of this.#principals.values()) principal.judgeAgain();
  }

  /** The tools as any process of the server listed them last, in the server's order. */
  listing(): readonly UpstreamTool[] {
    return this.#listing;
  }

  /** How a tool stands in the process of a principal; where that is not known, in what the server listed last. */
  standing(principal: ExecutorId, tool: string): ToolStanding {
    return this.#principals.get(principal)?.standing(tool) ?? standingIn(this.#digests, this.#inForce, tool);
  }

  /** Tools that some process of the server lists as they are in force. */
  present(): ReadonlySet<string> {
    const names = [...this.#inForce.keys()];
    return new Set(
      names.filter(
        (tool) =>
          standingIn(this.#digests, this.#inForce, tool) === 'in-force' ||
          [...this.#principals.values()].some((principal) => principal.standing(tool) === 'in-force'),
      ),
    );
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
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#probing;
    await Promise.all([...this.#principals.values()].map((principal) => principal.close()));
    this.#principals.clear();
  }

  #listed(tools: readonly UpstreamTool[]): void {
    if (this.#closed) return;
    this.#listing = tools;
    this.#digests = digestsOf(tools);
    this.#options.listed?.(tools);
  }

  #probeLater(why: string, pauseMs: number): void {
    this.#why = why;
    if (this.#closed) return;
    this.#timer = setTimeout(() => void (this.#probing = this.#probeAgain(pauseMs)), pauseMs).unref();
  }

  async #probeAgain(pauseMs: number): Promise<void> {
    const { start, log, restarts = usualRestarts } = this.#options;
    const probe = await probeServer(start);
    if (this.#closed) return;
    if (!probe.ok) {
      if (probe.why !== this.#why) log(`probe: ${probe.why}`);
      return this.#probeLater(probe.why, Math.min(2 * pauseMs, restarts.mostMs));
    }
    log('is there now');
    this.#why = undefined;
    this.#discovered = probe.discovered;
    this.#listed(probe.tools);
  }
}
