/** The servers that run now: replaced in one step, the old ones ended once their last calls are. */
import {
  type CompiledPolicy,
  type ExecutorId,
  type Registry,
  type ServerName,
  type Standing,
  type ToolName,
  ownServer,
  splitToolName,
} from '@pawl/core';
import type { DefinitionDigests } from '../mcp/index.js';
import { type RunningServer, endServer, entriesOf } from './servers.js';

/** What is to run from now on. */
export interface ServerChange {
  readonly servers: readonly RunningServer[];
  readonly policy: CompiledPolicy;
  /** Of the definitions in force, by server. */
  readonly digests: ReadonlyMap<ServerName, DefinitionDigests>;
}

/** The servers of a daemon. */
export class LiveServers {
  /** Where their tools are mounted. */
  readonly registry: Registry;
  #servers: readonly RunningServer[] = [];
  #policy: CompiledPolicy | undefined;
  readonly #leaving = new Set<RunningServer>();

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** Those of the generation in force. */
  all(): readonly RunningServer[] {
    return this.#servers;
  }

  /** Mounts what the policy has and unmounts everything else, synchronously. What is not there any more ends when it is idle. */
  become({ servers, policy, digests }: ServerChange): void {
    const before = this.#servers;
    this.#servers = servers;
    this.#policy = policy;
    for (const server of servers) {
      server.supervisor?.judgeBy(digests.get(server.name) ?? new Map());
      this.#mount(server);
    }
    const names = new Set(servers.map(({ name }) => name));
    for (const { name } of before) if (!names.has(name)) this.registry.refresh(name, []);
    for (const server of before) if (!servers.includes(server)) void this.#end(server);
  }

  /**
   * A process of the server has listed its tools: what it lists as it is in force is mounted, what no process lists so any more
   * is unmounted. Gives the server; undefined for one that is gone: what it lists comes too late.
   */
  listed(name: ServerName): RunningServer | undefined {
    const server = this.#servers.find((each) => each.name === name);
    if (server === undefined) return undefined;
    const mounted = [...this.registry.table().keys()]
      .map(splitToolName)
      .filter((tool) => tool.server === name);
    const known = this.#policy?.servers.get(name)?.tools;
    const present = [...(server.supervisor?.present() ?? [])].filter((tool) => known?.has(tool) === true);
    const same = present.length === mounted.length && mounted.every(({ tool }) => present.includes(tool));
    if (!same) this.#mount(server);
    return server;
  }

  /** How a tool stands for an executor: in its own process of the server. */
  standing(name: ToolName, executor: ExecutorId): Standing {
    const { server, tool } = splitToolName(name);
    if (server === ownServer) return 'in-force';
    const found = this.#servers.find((each) => each.name === server);
    if (found === undefined) return 'absent';
    // Nothing runs: it is not mounted, or its calls find nobody there.
    return found.supervisor?.standing(executor, tool) ?? 'in-force';
  }

  /** Ends every process, whatever it is doing. */
  async close(): Promise<void> {
    await closeAll([...this.#servers, ...this.#leaving]);
  }

  #mount(server: RunningServer): void {
    this.registry.refresh(server.name, entriesOf(server, this.#policy?.servers.get(server.name)));
  }

  async #end(server: RunningServer): Promise<void> {
    this.#leaving.add(server);
    await server.busy.idle();
    await endServer(server);
    this.#leaving.delete(server);
  }
}

/** Ends the processes of these servers. */
export async function closeAll(servers: readonly RunningServer[]): Promise<void> {
  await Promise.all(servers.map(endServer));
}
