/** The daemon: everything joined, in the order in which it has to stand. */
import {
  type Current,
  type LoadProblem,
  type Revocation,
  type Snapshot,
  Approvals,
  Counter,
  Registry,
  Revocations,
  Sessions,
  currentCell,
  defaultSettings,
  dispatcher,
  locatorOf,
  mintId,
  noExclusion,
  start,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import type { BadPolicy, ReadPolicy } from '../config/index.js';
import { type Caller, type Implementation, makeCaller } from '../mcp/index.js';
import type { Store, StoredRevocation } from '../store/index.js';
import { type CountingGate, gateOf } from './gate.js';
import { type Candidate, candidate } from './generation.js';
import { type RunningServer, type ServersOptions, entriesOf, probeServers } from './servers.js';

/** Name and version that Pawl tells both sides. */
export const self: Implementation = Object.freeze({ name: 'pawl', version: '0.1.0' });

/** What a daemon is started with; it owns the store once it runs. */
export interface DaemonOptions {
  readonly read: ReadPolicy;
  readonly store: Store;
  /** Absolute folder of the store. */
  readonly storeFolder: string;
  readonly bumpEpoch: boolean;
  readonly only?: ServersOptions['only'];
  readonly log: (line: string) => void;
}

/** A running daemon, without its doors. */
export interface Daemon {
  readonly store: Store;
  readonly snapshot: Snapshot;
  readonly current: Current;
  readonly registry: Registry;
  readonly gate: CountingGate;
  readonly caller: Caller;
  readonly sessions: Sessions;
  readonly revocations: Revocations;
  readonly approvals: Approvals;
  readonly servers: readonly RunningServer[];
  readonly findings: readonly LoadProblem[];
  /** Ends every process that was started, then the store. */
  close(): Promise<void>;
}

/** Why no daemon runs. */
export type NotStarted =
  | { readonly kind: 'bad-policy'; readonly bad: BadPolicy }
  | { readonly kind: 'generation'; readonly number: number };

/**
 * Probes, compiles, puts the generation in force and mounts. When it refuses or rejects, the processes that were started are
 * ended again; the store stays the caller's.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | NotStarted> {
  const { read, log, only } = options;
  const servers = await probeServers({
    document: read.document,
    folder: read.folder,
    self,
    clock: systemClock,
    searchPath: process.env['PATH'] ?? '',
    log,
    ...(only === undefined ? {} : { only }),
  });
  let daemon: Daemon | NotStarted | undefined;
  try {
    daemon = await startOn(options, servers);
    return daemon;
  } finally {
    if (daemon === undefined || !('gate' in daemon)) await closeServers(servers);
  }
}

async function startOn(
  options: DaemonOptions,
  servers: readonly RunningServer[],
): Promise<Daemon | NotStarted> {
  const { read, store, log, storeFolder } = options;
  const next = await candidate({ read, servers, pins: store.pins, storeFolder, clock: systemClock, log });
  if (!('policy' in next)) return { kind: 'bad-policy', bad: next };
  const cell = currentCell();
  const { policy, hash } = next;
  const request = { policy, hash, document: read.text, bumpEpoch: options.bumpEpoch };
  const started = await start({ ...store.generations, storeId: store.id }, cell, request);
  if (started.kind === 'refused') return { kind: 'generation', number: started.stored.number };
  if (next.unseen.length > 0) await store.pins.put(next.unseen);
  const mediation = await mediate(options, next, servers, cell.current);
  return {
    ...mediation,
    store,
    servers,
    snapshot: started.snapshot,
    current: cell.current,
    findings: next.findings,
    close: async () => {
      await closeServers(servers);
      await store.close();
    },
  };
}

/** Registry, sessions, dispatcher and gate over what is in force. */
async function mediate(
  { read, store, log }: DaemonOptions,
  { policy, present }: Candidate,
  servers: readonly RunningServer[],
  current: Current,
): Promise<Pick<Daemon, 'registry' | 'revocations' | 'sessions' | 'approvals' | 'gate' | 'caller'>> {
  const registry = new Registry();
  for (const server of servers)
    registry.refresh(
      server.name,
      entriesOf(server, policy.servers.get(server.name), present.get(server.name)),
    );
  const revocations = new Revocations((await store.revocations.list()).map(revocationOf));
  const powers = { clock: systemClock, entropy: systemEntropy };
  const ttl = read.document.settings.sessionTtl;
  const sessions = new Sessions({ ...powers, ttl, registry, current, revocations });
  const locator = locatorOf(sessions);
  const { audit } = store;
  const approvals = approvalsOf(sessions, current, log);
  const limits = new Counter({
    clock: systemClock,
    kept: await store.counts.list(),
    isOpen: (session) => sessions.get(session) !== undefined,
  });
  const mediation = dispatcher({
    ...powers,
    current,
    locator,
    sessions,
    revocations,
    audit,
    consent: approvals,
    limits,
    exclusion: noExclusion,
    argumentsDigest: (text) => store.digest(text),
  });
  const gate = gateOf({
    current,
    sessions,
    locator,
    dispatcher: mediation,
    servers,
    audit,
    entropy: systemEntropy,
  });
  const caller = makeCaller({ gate, self, clock: systemClock });
  return { registry, revocations, sessions, approvals, gate, caller };
}

/** Asks and their answers. They die with their session, whatever ends it, and with the epoch of their executor. */
function approvalsOf(sessions: Sessions, current: Current, log: DaemonOptions['log']): Approvals {
  return new Approvals({
    clock: systemClock,
    entropy: systemEntropy,
    expires: () => (current.peek()?.policy.settings ?? defaultSettings).consentExpires,
    isAlive: ({ session, executor, epoch }) =>
      sessions.get(session) !== undefined && (current.peek()?.epochs.get(executor) ?? 0) === epoch,
    opened: ({ id, executor, tool }) => log(`${executor} asks for ${tool}; answer with: pawl approve ${id}`),
  });
}

async function closeServers(servers: readonly RunningServer[]): Promise<void> {
  await Promise.all(servers.map(async ({ supervisor }) => supervisor?.close()));
}

function revocationOf({ subject: kind, id }: StoredRevocation): Revocation {
  if (kind === 'capability') return { kind, id: mintId.cap(id) };
  if (kind === 'session') return { kind, id: mintId.session(id) };
  return kind === 'executor' ? { kind, id: mintId.executor(id) } : { kind, id: mintId.key(id) };
}
