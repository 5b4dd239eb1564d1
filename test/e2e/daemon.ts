/** A daemon with its doors in this very process, so that a test decides what the prover says; operators and agents come in by the real sockets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison, ExecutorRelation, GenerationSource } from '@pawl/core';
import { onTestFinished } from 'vitest';
import { type Daemon, type NotStarted, startDaemon } from '../../packages/gateway/src/cli/daemon.js';
import { openDoors } from '../../packages/gateway/src/cli/doors.js';
import { Triggers } from '../../packages/gateway/src/cli/triggers.js';
import { readPolicy } from '../../packages/gateway/src/config/index.js';
import { openStore, storePaths } from '../../packages/gateway/src/store/index.js';
import { fakeComparison } from '../fake-reload.js';
import { pawlHere } from './gateway.js';
import type { Endpoint } from './post.js';

/** Says what a change comes to, from both sources. */
export type Saying = (old: GenerationSource, next: GenerationSource) => Comparison;

/** What a daemon is started with. */
export interface HereOptions {
  readonly folder: string;
  /** Written before the start, unless there is one already. */
  readonly policy?: object;
  readonly says?: Saying;
  readonly bumpEpoch?: boolean;
}

/** A daemon in this process. */
export interface Here {
  readonly daemon: Daemon;
  readonly policy: string;
  readonly store: string;
  readonly log: readonly string[];
  readonly triggers: Triggers;
  /** What the prover says from now on. */
  says(saying: Saying): void;
  write(policy: object): void;
  issueKey(agent: string): Promise<Endpoint & { readonly id: string }>;
  /** Runs a command on the store of the daemon. */
  ask(...args: readonly string[]): ReturnType<typeof pawlHere>;
  close(): Promise<void>;
}

/** Every executor of both sources under one relation. */
export function everybody(relation: ExecutorRelation, ...agents: readonly string[]): Comparison {
  return fakeComparison(Object.fromEntries(agents.map((agent) => [agent, relation])));
}

let issued = 0;

/** Starts one; it ends with the test. Answers why there is none otherwise. */
export async function startHere(options: HereOptions): Promise<Here | Exclude<NotStarted, Daemon>> {
  const { folder } = options;
  const [policy, folderOfStore] = [join(folder, 'pawl.json'), join(folder, 'store')];
  if (options.policy !== undefined) writeFileSync(policy, JSON.stringify(options.policy));
  mkdirSync(folderOfStore, { recursive: true, mode: 0o700 });
  const read = readPolicy(policy);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  let saying: Saying = options.says ?? (() => everybody('unknown', 'a'));
  const log: string[] = [];
  const store = await openStore(folderOfStore);
  const daemon = await startDaemon({
    read: read.policy,
    store,
    storeFolder: folderOfStore,
    bumpEpoch: options.bumpEpoch ?? false,
    log: (line) => void log.push(line),
    prover: { compare: async (old, next) => saying(old, next) },
  });
  if (!('gate' in daemon)) {
    await store.close();
    return daemon;
  }
  const paths = storePaths(folderOfStore);
  const doors = await openDoors(daemon, {
    paths,
    http: { host: '127.0.0.1', port: 0 },
    agents: true,
    failed: (error) => void log.push(String(error)),
  });
  const triggers = new Triggers((line) => void log.push(line));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());
  const end = async (): Promise<void> => {
    triggers.close();
    await doors.close();
    await daemon.close();
  };
  onTestFinished(close);
  const ask: Here['ask'] = (...args) => pawlHere(...args, '--store', folderOfStore);
  return {
    daemon,
    policy,
    store: folderOfStore,
    log,
    triggers,
    says: (next) => void (saying = next),
    write: (document) => writeFileSync(policy, JSON.stringify(document)),
    ask,
    close,
    async issueKey(agent) {
      issued += 1;
      const out = join(folder, `${agent}-${issued}.key`);
      const { code, err } = await ask('keys', 'issue', '--agent', agent, '--out', out);
      if (code !== 0) throw new Error(err);
      const { key } = JSON.parse(readFileSync(out, 'utf8')) as { key: string };
      return { id: key.split('_')[1] ?? '', url: doors.url ?? '', authorization: `Bearer ${key}` };
    },
  };
}

/** As {@link startHere}, where it has to start. */
export async function started(options: HereOptions): Promise<Here> {
  const here = await startHere(options);
  if (!('daemon' in here)) throw new Error(`not started: ${here.kind}`);
  return here;
}
