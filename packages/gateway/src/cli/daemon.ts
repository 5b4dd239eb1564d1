/** The daemon: everything joined, in the order in which it has to stand. */
import {
  type CompiledPolicy,
  type Current,
  type Dispatcher,
  type Json,
  type LoadProblem,
  type Revocation,
  type ServerName,
  type Snapshot,
  type ToolDefinition,
  Registry,
  Revocations,
  Sessions,
  currentCell,
  dispatcher,
  generationHash,
  locatorOf,
  mintId,
  noConsent,
  noExclusion,
  noLimits,
  start,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BadPolicy, type ReadPolicy, compileRead } from '../config/index.js';
import { type Caller, type Implementation, makeCaller } from '../mcp/index.js';
import type { Store, StoredRevocation } from '../store/index.js';
import { type CountingGate, gateOf } from './gate.js';
import { definitionsInForce } from './pins.js';
import {
  type RunningServer,
  type ServersOptions,
  definitionsOf,
  entriesOf,
  probeServers,
} from './servers.js';

/** Name and version that Pawl tells both sides. */
export const self: Implementation = Object.freeze({ name: 'pawl', version: '0.1.0' });

/** What a daemon is started with; it owns the store from then on. */
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
  readonly dispatcher: Dispatcher;
  readonly sessions: Sessions;
  readonly revocations: Revocations;
  readonly servers: readonly RunningServer[];
  readonly findings: readonly LoadProblem[];
  /** Ends every process that was started, then the store. */
  close(): Promise<void>;
}

/** Why no daemon runs. */
export type NotStarted =
  | { readonly kind: 'bad-policy'; readonly bad: BadPolicy }
  | { readonly kind: 'generation'; readonly number: number };

/** Probes, compiles, puts the generation in force and mounts. On any refusal everything that was started is ended again. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | NotStarted> {
  const { read, store, log } = options;
  const clock = systemClock;
  const servers = await probeServers({
    document: read.document,
    folder: read.folder,
    self,
    clock,
    searchPath: process.env['PATH'] ?? '',
    log,
    ...(options.only === undefined ? {} : { only: options.only }),
  });
  const stopped = async (why: NotStarted): Promise<NotStarted> => {
    await closeServers(servers);
    return why;
  };
  const tools = new Map<ServerName, readonly ToolDefinition[]>();
  for (const server of servers) {
    tools.set(
      server.name,
      await definitionsInForce(store.pins, server.name, definitionsOf(server), { clock, log }),
    );
  }
  const loaded = compileRead(read, {
    tools,
    protectedPaths: protectedPaths(options),
    vanishedTool: 'finding',
  });
  if (!loaded.ok) return stopped({ kind: 'bad-policy', bad: loaded });
  const cell = currentCell();
  const hash = generationHash(generationParts(read, loaded.policy, tools));
  const request = { policy: loaded.policy, hash, document: read.text, bumpEpoch: options.bumpEpoch };
  const started = await start({ ...store.generations, storeId: store.id }, cell, request);
  if (started.kind === 'refused') return stopped({ kind: 'generation', number: started.stored.number });
  const registry = new Registry();
  for (const server of servers)
    registry.refresh(server.name, entriesOf(server, tools.get(server.name) ?? []));
  const revocations = await loadRevocations(store);
  const sessions = new Sessions({
    clock,
    entropy: systemEntropy,
    ttl: read.document.settings.sessionTtl,
    registry,
    current: cell.current,
    revocations,
  });
  const locator = locatorOf(sessions);
  const mediation = dispatcher({
    clock,
    entropy: systemEntropy,
    current: cell.current,
    locator,
    revocations,
    audit: store.audit,
    consent: noConsent,
    limits: noLimits,
    exclusion: noExclusion,
    argumentsDigest: (text) => store.digest(text),
  });
  const gate = gateOf({
    current: cell.current,
    sessions,
    locator,
    dispatcher: mediation,
    servers,
    audit: store.audit,
    entropy: systemEntropy,
  });
  return {
    store,
    snapshot: started.snapshot,
    current: cell.current,
    registry,
    gate,
    caller: makeCaller({ gate, self, clock }),
    dispatcher: mediation,
    sessions,
    revocations,
    servers,
    findings: loaded.findings,
    close: async () => {
      await closeServers(servers);
      await store.close();
    },
  };
}

async function closeServers(servers: readonly RunningServer[]): Promise<void> {
  await Promise.all(servers.map(({ supervisor }) => supervisor?.close()));
}

/** Everything that decides; neutral keys (descriptions of agents) are left out. */
function generationParts(
  read: ReadPolicy,
  policy: CompiledPolicy,
  tools: ReadonlyMap<ServerName, readonly ToolDefinition[]>,
): Readonly<Record<string, Json>> {
  const connectors = [...policy.servers.values()].map(({ name, connector }): [string, Json] => [
    name,
    connector === undefined ? null : { name: connector.name, version: connector.version },
  ]);
  return {
    document: withoutNeutral(read.document.plain),
    facts: Object.fromEntries(read.facts),
    tools: Object.fromEntries([...tools].map(([name, list]) => [name, list.map((tool) => tool.definition)])),
    connectors: Object.fromEntries(connectors),
  };
}

function withoutNeutral(document: ReadPolicy['document']['plain']): Json {
  const agents = document['agents'];
  if (typeof agents !== 'object' || agents === null || Array.isArray(agents)) return document;
  const kept = Object.entries(agents).map(([name, agent]): [string, Json] => [
    name,
    withoutDescription(agent ?? null),
  ]);
  return { ...document, agents: Object.fromEntries(kept) };
}

function withoutDescription(agent: Json): Json {
  if (typeof agent !== 'object' || agent === null || Array.isArray(agent)) return agent;
  return Object.fromEntries(Object.entries(agent).filter(([key]) => key !== 'description'));
}

/** Policy and store, under the names given and the real ones. */
function protectedPaths({ read, storeFolder }: DaemonOptions): readonly string[] {
  const named = [resolve(read.file), resolve(storeFolder)];
  return [...new Set(named.flatMap((path) => [path, realPath(path)]))];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

async function loadRevocations(store: Store): Promise<Revocations> {
  const known = await store.revocations.list();
  return new Revocations(known.map(revocationOf));
}

function revocationOf({ subject, id }: StoredRevocation): Revocation {
  switch (subject) {
    case 'capability':
      return { kind: subject, id: mintId.cap(id) };
    case 'session':
      return { kind: subject, id: mintId.session(id) };
    case 'executor':
      return { kind: subject, id: mintId.executor(id) };
    case 'key':
      return { kind: subject, id: mintId.key(id) };
  }
}
