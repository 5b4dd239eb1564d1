/** The servers that run now: replaced in one step, the old ones ended once their last calls are. */
import type { CompiledPolicy, Registry, ServerName } from '@pawl/core';
import { type RunningServer, endServer, entriesOf } from './servers.js';

/** What is to run from now on. */
export interface ServerChange {
  readonly servers: readonly RunningServer[];
  readonly policy: CompiledPolicy;
  /** Tools that a server lists as they are in force, by server. */
  readonly present: ReadonlyMap<ServerName, ReadonlySet<string>>;
}

/** The servers of a daemon. */
export class LiveServers {
  readonly #registry: Registry;
  #servers: readonly RunningServer[] = [];
  readonly #leaving = new Set<RunningServer>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Those of the generation in force. */
  all(): readonly RunningServer[] {
    return this.#servers;
  }

  /** Mounts what the policy has and unmounts everything else, synchronously. What is not there any more ends when it is idle. */
  become({ servers, policy, present }: ServerChange): void {
    const before = this.#servers;
    this.#servers = servers;
    for (const server of servers) {
      const entries = entriesOf(server, policy.servers.get(server.name), present.get(server.name));
      this.#registry.refresh(server.name, entries);
    }
    const names = new Set(servers.map(({ name }) => name));
    for (const { name } of before) if (!names.has(name)) this.#registry.refresh(name, []);
    for (const server of before) if (!servers.includes(server)) void this.#end(server);
  }

  /** Ends every process, whatever it is doing. */
  async close(): Promise<void> {
    await closeAll([...this.#servers, ...this.#leaving]);
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
