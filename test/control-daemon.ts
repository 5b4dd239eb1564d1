/** A store with a control socket on it, as a daemon holds them, and without anything that serves agents. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Revocation,
  parseServerName,
  executorId,
  parseAgentName,
  sha256,
  systemClock,
} from '@pawl/core';
import { onTestFinished } from 'vitest';
import type { LiveAuthority } from '../packages/gateway/src/cli/operation-parts.js';
import { storeOperations } from '../packages/gateway/src/cli/operations.js';
import { type LiveStatus, listenControl, no } from '../packages/gateway/src/control/index.js';
import { type Store, openStore, storePaths } from '../packages/gateway/src/store/index.js';

/** A new folder that a store can lie in; short, because sockets lie there. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pawl-cli-'));
}

const reporter = parseAgentName('reporter')!;

/** A small system. */
export const liveExample: LiveStatus = {
  posture: 'recheck',
  generations: [
    { number: 7, hash: sha256('7'), pins: 1, bytes: 2048 },
    { number: 6, hash: sha256('6'), pins: 2, bytes: 1000, replacedFor: 61_000 },
  ],
  executors: [
    { executor: executorId(reporter), epoch: 0 },
    { executor: executorId(reporter, 'alice'), epoch: 12 },
  ],
  servers: [
    { server: parseServerName('files')!, state: 'up', tools: 14, restarts: 0, confinement: 'object' },
    {
      server: parseServerName('memory')!,
      state: 'down',
      tools: 0,
      restarts: 1,
      confinement: 'name',
      why: 'the process ended with code 1',
    },
  ],
  frozen: [],
  asks: { waiting: 0 },
  sessions: 2,
  inFlight: 3,
  http: 'http://127.0.0.1:7295/mcp',
  uptime: 3_723_000,
};

/** What stands in for a daemon. */
export interface ControlDaemon {
  readonly folder: string;
  readonly store: Store;
  /** Revocations that the daemon was told of, in order. */
  readonly revoked: readonly Revocation[];
  /** Where operators' mistakes of Pawl's own would show. */
  readonly failures: readonly unknown[];
}

/**
 * Starts one in that folder; it ends with the test. `change` wraps the store that the operations see, `authority` says what
 * reloads and freezes come to.
 */
export async function controlDaemon(
  folder: string,
  live: Partial<LiveStatus> = {},
  change: (store: Store) => Store = (store) => store,
  authority: Partial<LiveAuthority> = {},
): Promise<ControlDaemon> {
  const store = await openStore(folder);
  const revoked: Revocation[] = [];
  const failures: unknown[] = [];
  const status = { ...liveExample, ...live };
  const operations = storeOperations({
    store: change(store),
    folder,
    clock: systemClock,
    live: {
      status: () => status,
      url: () => status.http,
      revoked: (revocation) => void revoked.push(revocation),
      isOpen: ({ id }) => id === 's_open',
      reload: () => Promise.reject(new Error('no test asks for it')),
      propose: () => Promise.reject(new Error('no test asks for it')),
      declare: () => Promise.reject(new Error('no test asks for it')),
      declared: () => [],
      accept: () => Promise.reject(new Error('no test asks for it')),
      pinsChanged: () => Promise.resolve(),
      freeze: () => Promise.resolve(true),
      thaw: () => Promise.resolve({ kind: 'not-frozen' }),
      ...authority,
      asks: () => [],
      approve: async ({ id }) => no('refused', `there is no ask ${id}`),
    },
  });
  const socket = await listenControl({
    path: storePaths(folder).controlSocket,
    operations,
    failed: (error) => failures.push(error),
  });
  onTestFinished(async () => {
    await socket.close();
    await store.close();
  });
  return { folder, store, revoked, failures };
}
