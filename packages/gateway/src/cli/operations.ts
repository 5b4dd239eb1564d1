/** The operations of control over a store: the daemon serves them, offline commands call them directly. */
import { type KeyId, executorId, systemClock } from '@pawl/core';
import {
  type Answer,
  type AuditQuery,
  type EvidenceQuery,
  type EvidenceRecord,
  type KeyIssue,
  type KeyPlace,
  type KeyRevoked,
  type KeyView,
  type LiveStatus,
  type Operations,
  type StatusView,
  no,
  yes,
} from '../control/index.js';
import {
  StoreError,
  type StorePaths,
  type StoredGeneration,
  type StoredKey,
  readRecords,
  readStoredGeneration,
  storePaths,
  verifyStore,
} from '../store/index.js';
import { answerAsk } from './answer-ask.js';
import { authorityOperations, liveAuthority } from './authority-operations.js';
import type { Daemon } from './daemon.js';
import { guarded } from './guarded.js';
import type { OperationParts } from './operation-parts.js';
import { timeText } from './layout.js';
import { skillOperations } from './skill-operations.js';
import { pinOperations } from './pin-operations.js';
import { agentsInText, whyNoExecutor } from './known-agents.js';

/** The operations that read evidence; they need no hold on the store. */
export type EvidenceOperations = Pick<Operations, 'auditVerify' | 'auditShow' | 'evidence' | 'generation'>;

/** All operations over a store that this process holds. */
export function storeOperations(parts: OperationParts): Operations {
  const written = async (): Promise<void> => {
    // What was noted is written before it is read; a store that takes nothing can still be read.
    await parts.store.records({ limit: 0 }).catch(() => undefined);
  };
  return {
    status: () => guarded(() => status(parts)),
    keysIssue: (issue) => guarded(() => issueKey(parts, issue)),
    keysList: () => guarded(() => listKeys(parts)),
    keysRevoke: ({ id }) => guarded(() => revokeKey(parts, id)),
    ...pinOperations(parts),
    ...authorityOperations(parts, (key) => revokeKey(parts, key)),
    approvals: async () => (parts.live === undefined ? noDaemon() : yes(parts.live.asks())),
    approve: (answer, role) => guarded(async () => parts.live?.approve(answer, role) ?? noDaemon()),
    ...skillOperations(parts.live?.skills),
    ...evidenceOperations(parts.folder, written),
    generation: ({ number }) => guarded(() => generationIn(parts, number)),
  };
}

function noDaemon(): Extract<Answer<never>, { ok: false }> {
  return no('refused', 'no daemon runs on this store');
}

/** The operations of a running daemon; `url` is its HTTP endpoint once there is one. */
export function operationsOn(
  daemon: Daemon,
  paths: StorePaths,
  status: () => LiveStatus,
  url: () => string | undefined,
): Operations {
  const live = liveAuthority(daemon);
  return storeOperations({
    store: daemon.store,
    folder: paths.folder,
    clock: systemClock,
    live: {
      status,
      url,
      ...live,
      skills: daemon.skills,
      asks: () => daemon.approvals.waiting(),
      approve: (answer, role) => answerAsk(daemon, answer, role),
    },
  });
}

/** Reading evidence from the store in that folder, one question after the other. `before` comes before each. */
export function evidenceOperations(
  folder: string,
  before: () => Promise<void> = () => Promise.resolve(),
): EvidenceOperations {
  let last: Promise<unknown> = Promise.resolve();
  const inTurnAnswered = <T>(read: () => Promise<Answer<T>>): Promise<Answer<T>> => {
    const turn = last.then(() =>
      guarded(async () => {
        await before();
        return read();
      }),
    );
    last = turn.catch(() => undefined);
    return turn;
  };
  const inTurn = <T>(read: () => Promise<T>): Promise<Answer<T>> =>
    inTurnAnswered(async () => yes(await read()));
  return {
    auditVerify: () => inTurn(() => verifyStore(folder)),
    auditShow: (query) => inTurn(() => newestTexts(folder, query)),
    evidence: (query) => inTurn(() => evidenceOf(folder, query)),
    generation: ({ number }) => inTurnAnswered(() => generationOf(folder, number)),
  };
}

async function newestTexts(folder: string, query: AuditQuery): Promise<readonly string[]> {
  const records = await readRecords(folder, { ...query, newest: true });
  return records.map(({ text }) => text);
}

async function evidenceOf(folder: string, query: EvidenceQuery): Promise<readonly EvidenceRecord[]> {
  const records = await readRecords(folder, query);
  return records.map(({ text, body }) => ({ text, ...(body === undefined ? {} : { body }) }));
}

async function generationIn(
  { store: { generations } }: OperationParts,
  number: number | undefined,
): Promise<Answer<StoredGeneration>> {
  return theGeneration(await (number === undefined ? generations.current() : generations.at(number)), number);
}

async function generationOf(folder: string, number: number | undefined): Promise<Answer<StoredGeneration>> {
  return theGeneration(await readStoredGeneration(folder, number), number);
}

function theGeneration(
  found: StoredGeneration | undefined,
  number: number | undefined,
): Answer<StoredGeneration> {
  if (found !== undefined) return yes(found);
  const which = number === undefined ? 'holds no generation yet' : `has no generation ${number}`;
  return no('refused', `the store ${which}`);
}

async function status({ store, folder, live }: OperationParts): Promise<Answer<StatusView>> {
  if (live === undefined) return noDaemon();
  const { seq, hash } = store.head();
  return yes({
    ...live.status(),
    store: { id: store.id, folder },
    audit: { seq, hash, healthy: store.audit.healthy() },
    process: { pid: process.pid, memory: process.memoryUsage.rss() },
  });
}

async function issueKey(parts: OperationParts, issue: KeyIssue): Promise<Answer<KeyPlace>> {
  const { store, folder, clock, live } = parts;
  const stored = await store.generations.current();
  const known = stored === undefined ? parts.agents : agentsInText(stored.source.document);
  if (stored !== undefined && known === undefined)
    return no('unavailable', 'the stored policy cannot be read, so nobody can say whom the key would be for');
  const why = known && whyNoExecutor(known, issue.agent, issue.instance);
  if (why !== undefined) return no('refused', why);
  const revokedAt = (await revokedExecutors(parts)).get(executorId(issue.agent, issue.instance));
  if (revokedAt !== undefined) return no('refused', deadExecutor(issue, revokedAt));
  if (store.keys.find(issue.id) !== undefined) return no('refused', `the key ${issue.id} exists`);
  await store.keys.issue({ ...issue, issuedAt: Math.round(clock.wall()) });
  const url = live?.url();
  const agents = storePaths(folder).agentsSocket;
  return yes(url === undefined ? { agents } : { agents, url });
}

async function revokeKey({ store, clock, live }: OperationParts, id: KeyId): Promise<Answer<KeyRevoked>> {
  if (store.keys.find(id) === undefined) return no('refused', `there is no key ${id}`);
  live?.revoked({ kind: 'key', id });
  try {
    return yes({ id, changed: await store.keys.revoke(id, Math.round(clock.wall())) });
  } catch (error) {
    if (!(error instanceof StoreError) || live === undefined) throw error;
    const now =
      'the daemon takes the key no more, but that could not be stored: revoke it again, or a restart takes it back';
    return no('unavailable', `${now} (${error.message})`);
  }
}

async function listKeys(parts: OperationParts): Promise<Answer<readonly KeyView[]>> {
  const revoked = await revokedExecutors(parts);
  const keys = await parts.store.keys.list();
  return yes(
    keys.map((key) => {
      const executorRevokedAt = revoked.get(executorId(key.agent, key.instance));
      return { ...keyView(key), ...(executorRevokedAt === undefined ? {} : { executorRevokedAt }) };
    }),
  );
}

/** Executors that were revoked, and when: no key of theirs authorises anything. */
async function revokedExecutors({ store }: OperationParts): Promise<ReadonlyMap<string, number>> {
  const revocations = await store.revocations.list();
  return new Map(
    revocations
      .filter(({ subject }) => subject === 'executor')
      .map(({ id, at }): [string, number] => [id, at]),
  );
}

function deadExecutor({ agent, instance }: KeyIssue, at: number): string {
  const executor = executorId(agent, instance);
  return `${executor} was revoked at ${timeText(at)}, for good: no key of it would authorise anything; give it another name in the policy, and issue a key for that`;
}

function keyView({ id, agent, instance, issuedAt, expiresAt, revokedAt }: StoredKey): KeyView {
  return {
    id,
    agent,
    issuedAt,
    ...(instance === undefined ? {} : { instance }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
  };
}
