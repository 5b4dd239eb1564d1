/** Keeps the processes of one server: a probe that fixes its tools, and one process for each principal, restarted with back-off. */
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
  readonly #discovered: Discovered;
  readonly #principals = new Map<ExecutorId, Principal>();
  #inForce: DefinitionDigests;
  /** What any process of the server listed last. */
  #listing: readonly UpstreamTool[];
  #digests: DefinitionDigests;
  #closed = false;

  /** @param probe what {@link probeServer} found */
  constructor(probe: Extract<Probe, { ok: true }>, options: SupervisorOptions) {
    this.#options = options;
    this.#discovered = probe.discovered;
    this.#listing = probe.tools;
    this.#digests = digestsOf(probe.tools);
    this.#inForce = this.#digests;
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
    await Promise.all([...this.#principals.values()].map((principal) => principal.close()));
    this.#principals.clear();
  }

  #listed(tools: readonly UpstreamTool[]): void {
    if (this.#closed) return;
    this.#listing = tools;
    this.#digests = digestsOf(tools);
    this.#options.listed?.(tools);
  }
}
