/** The doors of a daemon: agents come in by socket and HTTP, operators by the control socket. */
import { systemClock, systemEntropy } from '@pawl/core';
import { type ControlSocket, listenControl } from '../control/index.js';
import { type Credential, authenticate } from '../identity/index.js';
import { type AgentsSocket, type HttpEndpoint, listenAgents, listenHttp } from '../mcp/index.js';
import type { StorePaths } from '../store/index.js';
import { type Daemon, self } from './daemon.js';
import { liveStatus } from './live.js';
import { operationsOn } from './operations.js';

/** Which doors to open. */
export interface DoorOptions {
  readonly paths: StorePaths;
  /** Undefined: no HTTP. */
  readonly http: { readonly host: string; readonly port: number } | undefined;
  readonly agents: boolean;
  /** Takes what breaks inside the control socket. */
  readonly failed: (error: unknown) => void;
}

/** Open doors. */
export interface Doors {
  /** The HTTP endpoint, where there is one. */
  readonly url: string | undefined;
  /** Closes all of them; calls in flight are cancelled. */
  close(): Promise<void>;
}

/** Opens the doors in this order: control, agents, HTTP. When one cannot be opened the others are closed again and it rejects. */
export async function openDoors(daemon: Daemon, options: DoorOptions): Promise<Doors> {
  const { gate, caller, store } = daemon;
  const open: (ControlSocket | AgentsSocket | HttpEndpoint)[] = [];
  let url: string | undefined;
  const known = (presented: string): Credential | undefined =>
    authenticate((id) => store.keys.find(id), presented);
  const parts = { gate, caller, self, authenticate: known, clock: systemClock, entropy: systemEntropy };
  const close = async (): Promise<void> => {
    for (const door of open.reverse()) await door.close();
  };
  try {
    const live = liveStatus(daemon, () => url);
    const operations = operationsOn(daemon, options.paths, live, () => url);
    open.push(await listenControl({ path: options.paths.controlSocket, operations, failed: options.failed }));
    if (options.agents) open.push(await listenAgents({ ...parts, path: options.paths.agentsSocket }));
    if (options.http !== undefined) {
      const endpoint = await listenHttp({ ...parts, ...options.http });
      url = endpoint.url;
      open.push(endpoint);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}
