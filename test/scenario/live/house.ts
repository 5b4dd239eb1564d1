/** A whole gateway in this process over servers that a test makes up: agents come in by the agents socket, operators by that of control. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditRecord, parseAgentName, systemClock, systemEntropy } from '@pawl/core';
import { onTestFinished } from 'vitest';
import { type Daemon, startDaemon } from '../../../packages/gateway/src/cli/daemon.js';
import { type Doors, openDoors } from '../../../packages/gateway/src/cli/doors.js';
import { prove } from '../../../packages/gateway/src/cli/prove.js';
import type { PolicyReader } from '../../../packages/gateway/src/cli/reader.js';
import { readSource } from '../../../packages/gateway/src/cli/source.js';
import { readPolicy } from '../../../packages/gateway/src/config/index.js';
import {
  type OperationName,
  type ParamsOf,
  type ValueOf,
  callControl,
} from '../../../packages/gateway/src/control/index.js';
import { issueKey } from '../../../packages/gateway/src/identity/index.js';
import { type Store, memoryStore, storePaths } from '../../../packages/gateway/src/store/index.js';
import { type Agent, openAgent } from './agent.js';
import { type Programs, launching } from './programs.js';

/** What a house is made from. */
export interface HouseOptions {
  /** The document, YAML. */
  readonly policy: string;
  /** By the command of their entries. */
  readonly programs: Programs;
  readonly store?: Store;
  /** Without them nobody can be asked: no control socket. */
  readonly doors?: boolean;
}

/** A key of an executor. */
export interface HouseKey {
  readonly id: string;
  readonly secret: string;
}

/** A running gateway; it ends with the test. */
export interface House {
  readonly daemon: Daemon;
  readonly file: string;
  readonly url: string;
  readonly log: readonly string[];
  /** Path of the agents socket. */
  readonly agentsSocket: string;
  /** Issues a key; `agent` or `agent/instance`. */
  key(of: string): Promise<HouseKey>;
  /** A session of its own: under a fresh key, over a fresh connection. */
  session(of: string): Promise<Agent>;
  /** As whoever holds the key. */
  enter(key: HouseKey): Promise<Agent>;
  /** An act of an operator, over the control socket; throws where it is refused. */
  operate<O extends OperationName>(operation: O, params: ParamsOf<O>): Promise<ValueOf<O>>;
  /** Writes the document and asks for a reload; what came of it. */
  reload(policy: string, act?: Omit<ParamsOf<'reload'>, 'to'>): Promise<ValueOf<'reload'>>;
  /** Every record so far. */
  records(): Promise<readonly AuditRecord[]>;
}

/** Reads in this thread: a test has no other calls that would wait for it. */
const hereReader: PolicyReader = {
  file: async (file) => readPolicy(file),
  source: async (file, source, otherwise) => readSource(file, source, otherwise),
  close: async () => undefined,
};

/** Starts one. Throws, with what was wrong, where the document or the start is refused. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pawl.yaml');
  writeFileSync(file, options.policy);
  const read = readPolicy(file);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const store = options.store ?? memoryStore();
  const log: string[] = [];
  const daemon = await startDaemon({
    read: read.policy,
    store,
    storeFolder: folder,
    bumpEpoch: false,
    log: (line) => void log.push(line),
    launch: launching(options.programs),
    prover: { compare: async (old, next) => prove(old, next) },
    reader: hereReader,
  });
  if (!('gate' in daemon)) throw new Error(`not started: ${daemon.kind}`);
  onTestFinished(() => daemon.close());
  const paths = storePaths(folder);
  const doors = options.doors === false ? undefined : await doorsOf(daemon, paths, log);
  onTestFinished(async () => doors?.close());
  return houseOver({ daemon, store, file, log, paths, url: doors?.url ?? '' });
}

function doorsOf(daemon: Daemon, paths: ReturnType<typeof storePaths>, log: string[]): Promise<Doors> {
  const http = { host: '127.0.0.1', port: 0 };
  return openDoors(daemon, { paths, http, agents: true, failed: (error) => void log.push(String(error)) });
}

interface Parts extends Pick<House, 'daemon' | 'file' | 'url' | 'log'> {
  readonly store: Store;
  readonly paths: ReturnType<typeof storePaths>;
}

function houseOver({ store, paths, ...parts }: Parts): House {
  const key: House['key'] = (of) => issued(store, of);
  const enter: House['enter'] = async ({ secret }) => {
    const agent = await openAgent(paths.agentsSocket, secret);
    onTestFinished(() => agent.close());
    return agent;
  };
  const operate: House['operate'] = async (operation, params) => {
    const result = await callControl(paths.controlSocket, operation, params);
    if (result.kind !== 'answered') throw new Error(`control: ${JSON.stringify(result)}`);
    if (!result.answer.ok) throw new Error(`control: ${JSON.stringify(result.answer)}`);
    return result.answer.value;
  };
  return {
    ...parts,
    agentsSocket: paths.agentsSocket,
    key,
    enter,
    session: async (of) => enter(await key(of)),
    operate,
    reload: (policy, act = {}) => {
      writeFileSync(parts.file, policy);
      return operate('reload', act);
    },
    records: async () =>
      (await store.records({ limit: 100_000 })).map(({ text }) => recordIn(JSON.parse(text))),
  };
}

async function issued(store: Store, of: string): Promise<HouseKey> {
  const [name = '', instance] = of.split('/');
  const agent = parseAgentName(name);
  if (agent === undefined) throw new Error(`${name} is no agent`);
  const who = instance === undefined ? { agent } : { agent, instance };
  const { record, key } = issueKey(who, systemEntropy, systemClock.wall());
  await store.keys.issue(record);
  return { id: record.id, secret: key };
}

function recordIn(stored: { readonly record: AuditRecord }): AuditRecord {
  return stored.record;
}
