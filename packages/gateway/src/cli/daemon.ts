/** The daemon: everything joined, in the order in which it has to stand. */
import { join } from 'node:path';
import {
  type Activated,
  type Current,
  type Dispatcher,
  type ExecutorId,
  type LoadProblem,
  type Prover,
  type Snapshot,
  type StartPorts,
  Freezes,
  Approvals,
  Counter,
  Registry,
  type Reloader,
  Revocations,
  Sessions,
  accessExclusion,
  currentCell,
  defaultSettings,
  dispatcher,
  executorId,
  locatorOf,
  ownServer,
  reloader,
  start,
  systemAlarm,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import type { BadPolicy, ReadPolicy } from '../config/index.js';
import { revocationOf } from '../control/index.js';
import { type Caller, type Implementation, makeCaller } from '../mcp/index.js';
import type { Store, StoredPin } from '../store/index.js';
import { askDesk } from './ask-desk.js';
import { delegateEntry } from './delegating.js';
import { type CountingGate, gateOf } from './gate.js';
import { type Candidate, candidate, identitiesOf, protectedPaths, serverChanges } from './generation.js';
import { LiveServers, closeAll } from './live-servers.js';
import { LiveSkills } from './live-skills.js';
import { type ThreadProver, threadProver } from './prover.js';
import { Quarantine } from './quarantine.js';
import { type PolicyReader, threadReader } from './reader.js';
import { recovered } from './recovered.js';
import { Reloading } from './reloading.js';
import {
  type RunningServer,
  type ServersOptions,
  definitionsOf,
  notStarted,
  probeServers,
  sourcesIn,
} from './servers.js';
import { skillReadings } from './skill-readings.js';
import { skillRunner } from './skill-runner.js';
import { readSource } from './source.js';
import { storedFor } from './starting.js';

/** Name and version that Pawl tells both sides. */
export const self: Implementation = Object.freeze({ name: 'pawl', version: '0.1.0' });

/** What a daemon is started with; it owns the store once it runs. */
export interface DaemonOptions {
  readonly read: ReadPolicy;
  readonly store: Store;
  /** Absolute folder of the store. */
  readonly storeFolder: string;
  readonly bumpEpoch: boolean;
  /** No tool definition is accepted that an operator has not accepted, first use neither. */
  readonly locked?: boolean;
  readonly only?: ServersOptions['only'];
  readonly log: (line: string) => void;
  /** Compares generations; a thread of its own unless told. */
  readonly prover?: Prover;
  /** Reads what a reload asks for; a thread of its own unless told. */
  readonly reader?: PolicyReader;
  /** Starts the servers' processes; those of the operating system unless told. */
  readonly launch?: ServersOptions['launch'];
}

/** A running daemon, without its doors. */
export interface Daemon {
  readonly store: Store;
  /** The snapshot in force. */
  readonly snapshot: Snapshot;
  readonly current: Current;
  readonly registry: Registry;
  readonly gate: CountingGate;
  readonly caller: Caller;
  readonly sessions: Sessions;
  readonly revocations: Revocations;
  readonly freezes: Freezes;
  readonly reloader: Reloader;
  readonly reloading: Reloading;
  readonly dispatcher: Dispatcher;
  readonly skills: LiveSkills;
  /** As they are in the generation in force. */
  readonly approvals: Approvals;
  readonly servers: readonly RunningServer[];
  readonly findings: readonly LoadProblem[];
  /** Tool definitions that wait for an operator. */
  readonly waiting: readonly StoredPin[];
  /** Looks again what waits. */
  readonly pinsChanged: () => Promise<void>;
  /** What the start did. */
  readonly started: 'first' | 'same' | 'pawl' | 'activated';
  /** Ends every process that was started, then the store. */
  close(): Promise<void>;
}

/** Why no daemon runs. */
export type NotStarted =
  | { readonly kind: 'bad-policy'; readonly bad: BadPolicy }
  | {
      readonly kind: 'generation';
      readonly refused: Extract<Awaited<ReturnType<typeof start>>, { kind: 'refused' }>;
    };

/** What is joined around the store before anything is in force. */
interface Base {
  readonly options: DaemonOptions;
  readonly prover: Prover & Partial<Pick<ThreadProver, 'close'>>;
  readonly reader: PolicyReader;
  readonly cell: ReturnType<typeof currentCell>;
  readonly ports: StartPorts;
  readonly serverOptions: Omit<ServersOptions, 'document' | 'folder'>;
  readonly live: LiveServers;
  readonly quarantine: Quarantine;
}

/**
 * Probes, compiles, puts the generation in force and mounts. When it refuses or rejects, the processes that were started are
 * ended again; the store stays the caller's.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | NotStarted> {
  const base = baseOf(options);
  const servers = await startServers(base);
  let daemon: Daemon | NotStarted | undefined;
  try {
    daemon = await startOn(base, servers);
    return daemon;
  } finally {
    if (daemon === undefined || !('gate' in daemon)) {
      await closeAll(servers);
      await base.prover.close?.();
    }
  }
}

function baseOf(options: DaemonOptions): Base {
  const { store, log, only, read, launch } = options;
  const cell = currentCell();
  const prover = options.prover ?? threadProver();
  const generations = { ...store.generations, storeId: store.id };
  const live = new LiveServers(new Registry());
  const quarantine = new Quarantine({ pins: store.pins, clock: systemClock, log });
  const settings = (): ReadPolicy['document']['settings'] =>
    cell.current.peek()?.policy.settings ?? read.document.settings;
  return {
    options,
    prover,
    live,
    quarantine,
    reader: options.reader ?? threadReader(),
    cell,
    ports: {
      store: generations,
      cell,
      prover,
      clock: systemClock,
      alarm: systemAlarm,
      credentials: () => credentialed(store),
    },
    serverOptions: {
      self,
      clock: systemClock,
      searchPath: process.env['PATH'] ?? '',
      maxResultBytes: () => settings().resultsMaxBytes,
      log,
      storeFolder: options.storeFolder,
      ...storedFor(options.storeFolder),
      hide: protectedPaths({ read, storeFolder: options.storeFolder }),
      launch,
      listed: (name) => {
        const server = live.listed(name);
        if (server !== undefined) void quarantine.noted(name, definitionsOf(server));
      },
      ...(only === undefined ? {} : { only }),
    },
  };
}

/** Probes the servers; one that the stored generation does not know so is started only by an operator's act. */
async function startServers({ options, serverOptions }: Base): Promise<readonly RunningServer[]> {
  const { read, bumpEpoch } = options;
  const held = bumpEpoch ? new Set<string>() : await heldBack(options);
  const sources = sourcesIn({ document: read.document, ...(options.only && { only: options.only }) });
  const probed = await probeServers(
    { ...serverOptions, document: read.document, folder: read.folder },
    sources.filter(({ name }) => !held.has(`servers.${name}`)),
  );
  const waiting = sources
    .filter(({ name }) => held.has(`servers.${name}`))
    .map((source) => notStarted(source, read.folder, 'it is new or changed, and waits for --bump-epoch'));
  return [...probed, ...waiting];
}

/** Paths of the servers whose process would be another one than that of the stored generation. */
async function heldBack(options: DaemonOptions): Promise<ReadonlySet<string>> {
  return new Set((await changesSince(options)).map(({ path }) => path));
}

async function changesSince({ read, store, only }: DaemonOptions): Promise<ReturnType<typeof serverChanges>> {
  const stored = await store.generations.current();
  if (stored === undefined || only !== undefined) return [];
  const before = readSource(read.file, stored.source, read.folder);
  return before.ok ? serverChanges(identitiesOf(before.policy), read) : [];
}

/** Executors that a credential stands for which somebody could still present. */
function credentialed(store: Store): readonly ExecutorId[] {
  return store.keys.valid(systemClock.wall()).map(({ agent, instance }) => executorId(agent, instance));
}

async function startOn(base: Base, servers: readonly RunningServer[]): Promise<Daemon | NotStarted> {
  const { options, ports } = base;
  const { read, store, log, storeFolder, bumpEpoch, locked = false } = options;
  const declared = await store.declarations.list();
  const around = { pins: store.pins, declared, storeFolder, clock: systemClock, log, locked };
  const next = await candidate({ read, servers, ...around });
  if ('problems' in next) return { kind: 'bad-policy', bad: next };
  const changes = await changesSince(options);
  const started = await start(ports, { ...next, changes, bumpEpoch });
  if (started.kind === 'refused') return { kind: 'generation', refused: started };
  await base.quarantine.record(next.waiting);
  return joined(base, { servers, next, started, kind: started.kind });
}

/** What start made of everything. */
interface Begun {
  readonly servers: readonly RunningServer[];
  readonly next: Candidate;
  readonly started: Activated;
  readonly kind: Daemon['started'];
}

/** Registry, sessions, dispatcher, gate and reloader over what is in force. */
async function joined(base: Base, { servers, next, started, kind }: Begun): Promise<Daemon> {
  const { live, quarantine, options } = base;
  const { store } = options;
  const { current } = base.cell;
  const mediation = await mediate(base);
  live.become({ servers, policy: next.policy, digests: next.digests });
  mountOwnTools(base, mediation);
  await mediation.skills.restore();
  let { findings } = next;
  const reloads = reloaderOn(base, mediation, started);
  const reloading = reloadingOn(base, reloads, (later) => void (findings = later));
  const around = { ...mediation, current, audit: store.audit, clock: systemClock, entropy: systemEntropy };
  const gate = gateOf({
    ...around,
    skills: skillReadings({ ...around, skills: mediation.skills.shelf }),
    servers: () => live.all(),
    standing: standingOf(mediation.skills, live),
    asks: askDesk({ ...around, store }),
  });
  return {
    ...mediation,
    store,
    gate,
    caller: makeCaller({ gate, self, clock: systemClock }),
    current,
    reloader: reloads,
    reloading,
    started: kind,
    get servers() {
      return live.all();
    },
    get snapshot() {
      return reloads.current().snapshot;
    },
    get findings() {
      return findings;
    },
    pinsChanged: () => quarantine.record([]),
    get waiting() {
      return quarantine.waiting();
    },
    close: async () => {
      reloads.close();
      mediation.skills.close();
      await Promise.all([live.close(), base.prover.close?.(), base.reader.close()]);
      await store.close();
    },
  };
}

/** Pawl's own tools are mounted for good; the policy says who has them. */
function mountOwnTools({ options: { store }, cell }: Base, { registry, sessions }: Mediation): void {
  const ports = { sessions, current: cell.current, audit: store.audit, entropy: systemEntropy };
  registry.refresh(ownServer, [delegateEntry(ports)]);
}

function reloaderOn(base: Base, mediation: Mediation, started: Activated): Reloader {
  const { store } = base.options;
  const { sessions, freezes, dispatcher, skills } = mediation;
  return reloader(
    {
      ...base.ports,
      audit: store.audit,
      sessions,
      freezes,
      freezeStore: store.freezes,
      skills: skills.reloads,
      giveUp: (snapshot) => dispatcher.giveUp(snapshot),
    },
    started,
  );
}

function reloadingOn(
  { options, reader, live, quarantine, serverOptions: servers }: Base,
  reloads: Reloader,
  found: (findings: readonly LoadProblem[]) => void,
): Reloading {
  const { read, store, storeFolder, log, locked = false } = options;
  const { file, folder } = read;
  const running = { reader, live, quarantine, servers, log, found, locked };
  return new Reloading({ file, folder, read, store, storeFolder, ...running, reloader: reloads });
}

/** What mediates. */
interface Mediation
  extends Pick<
    Daemon,
    'registry' | 'revocations' | 'freezes' | 'sessions' | 'approvals' | 'dispatcher' | 'skills'
  > {
  readonly locator: ReturnType<typeof locatorOf>;
}

/** What mediates, before any server is mounted. */
async function mediate({ options, cell, live }: Base): Promise<Mediation> {
  const { store, storeFolder, read, log } = options;
  const { current } = cell;
  const { registry } = live;
  const revocations = new Revocations(
    (await store.revocations.list()).map(({ subject, id }) => revocationOf(subject, id)),
  );
  const freezes = new Freezes(await store.freezes.list());
  const ttl = (): number => (current.peek()?.policy ?? read.document).settings.sessionTtl;
  const powers = { clock: systemClock, entropy: systemEntropy, current, revocations, freezes };
  const runner = skillRunner({ folder: join(storeFolder, 'skills'), log });
  const { audit, skills: kept } = store;
  const skills = new LiveSkills({ ...powers, registry, audit, runner, kept, log });
  const sessions = new Sessions({ ...powers, ttl, registry, skills: skills.shelf });
  const locator = locatorOf(sessions);
  const approvals = approvalsOf(sessions, current, log);
  const limits = new Counter({
    clock: systemClock,
    kept: await store.counts.list(),
    isOpen: (session) => sessions.get(session) !== undefined,
  });
  const mediation = dispatcher({
    ...powers,
    locator,
    sessions,
    skills: skills.shelf,
    audit: store.audit,
    consent: approvals,
    limits,
    exclusion: accessExclusion(systemAlarm),
    recovered: (located, signal) => recovered(live.all(), located, signal),
    standing: standingOf(skills, live),
    argumentsDigest: (text) => store.digest(text),
  });
  return { registry, revocations, freezes, skills, sessions, locator, approvals, dispatcher: mediation };
}

/** Tools of skills stand while their skill is loaded, those of servers as their server lists them. */
function standingOf({ shelf }: LiveSkills, live: LiveServers): Parameters<typeof gateOf>[0]['standing'] {
  return (tool, executor) =>
    shelf.find(executor, tool) === undefined ? live.standing(tool, executor) : 'in-force';
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
