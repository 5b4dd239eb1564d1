/** Activation: the one place that moves the current pointer. Durable before it is in force. */
import type { Clock, Digest, ExecutorId } from '../ground/index.js';
import { mintId } from '../ground/index.js';
import type { ChangeWitness, CompiledPolicy, Snapshot } from '../policy/index.js';
import type { CurrentCell } from '../policy/set-current.js';
import type { GenerationSource } from './source.js';
import type { AcceptedTool, GenerationCause, GenerationStore, StoredGeneration } from './store.js';

/** A generation that could be put in force. */
export interface Proposal {
  readonly policy: CompiledPolicy;
  /** Hash of everything that decides. */
  readonly hash: Digest;
  readonly source: GenerationSource;
  /** The hash by which operators know it, where that is another one: it is shown before the servers that it adds were started. */
  readonly shownAs?: Digest;
  /** Widenings that whoever proposes knows of and that concern no executor, as a server whose process would be started. */
  readonly changes?: readonly ChangeWitness[];
  /** Tool definitions that it would be the first of this store to have in force. Stored in one step with it. */
  readonly accepts?: readonly AcceptedTool[];
}

/** What a proposal adds to the cause of its generation. */
export function acceptedIn({ accepts = [] }: Proposal): Pick<GenerationCause, 'accepted'> {
  return accepts.length === 0 ? {} : { accepted: accepts };
}

/** Where generations go. */
export interface ActivationPorts {
  readonly store: GenerationStore;
  readonly cell: CurrentCell;
  readonly clock: Clock;
}

/** What is to be activated. */
export interface Activation {
  readonly proposal: Pick<Proposal, 'policy' | 'hash' | 'source'>;
  /** The generation before, or undefined in an empty store. */
  readonly before: StoredGeneration | undefined;
  /** Lineage of the snapshot in force; empty before the first of this process. */
  readonly lineage: ReadonlyMap<number, Digest>;
  readonly cause: GenerationCause;
  /** Called in the very step in which the snapshot came into force; must not throw. */
  readonly inForce?: (snapshot: Snapshot) => void;
}

/** An activated generation. */
export interface Activated {
  readonly stored: StoredGeneration;
  readonly snapshot: Snapshot;
}

/**
 * Stores the next generation and then puts it in force. Rejects with what the store rejected with, and then nothing changed.
 * Executors in `cause.moved` get the next epoch, new ones epoch 0, all others keep theirs.
 */
export async function activate(ports: ActivationPorts, activation: Activation): Promise<Activated> {
  const { proposal, before, lineage, cause, inForce } = activation;
  const { hash, source } = proposal;
  const stored: StoredGeneration = Object.freeze({
    number: (before?.number ?? 0) + 1,
    hash,
    epochs: epochsAfter(before, proposal.policy, cause.moved),
    source,
    cause,
    createdAt: Math.round(ports.clock.wall()),
  });
  await ports.store.put(stored);
  const snapshot = snapshotOf(ports.store, stored, proposal.policy, lineage);
  ports.cell.set(snapshot);
  inForce?.(snapshot);
  return { stored, snapshot };
}

/** Puts a stored generation in force as it is: nothing is written. */
export function resume(
  { store, cell }: Pick<ActivationPorts, 'store' | 'cell'>,
  stored: StoredGeneration,
  policy: CompiledPolicy,
): Activated {
  const snapshot = snapshotOf(store, stored, policy, new Map());
  cell.set(snapshot);
  return { stored, snapshot };
}

/** Every executor that the store has known, or that the policy has. */
export function knownTo(stored: StoredGeneration | undefined, policy: CompiledPolicy): Set<ExecutorId> {
  return new Set([...storedExecutors(stored), ...policy.executors.keys()]);
}

/** Every executor that the store has known. */
export function storedExecutors(stored: StoredGeneration | undefined): readonly ExecutorId[] {
  return Object.keys(stored?.epochs ?? {}).map((id) => mintId.executor(id));
}

function snapshotOf(
  { storeId }: GenerationStore,
  { number, hash, epochs }: StoredGeneration,
  policy: CompiledPolicy,
  lineage: ReadonlyMap<number, Digest>,
): Snapshot {
  return Object.freeze({
    generation: Object.freeze({ number, hash, store: storeId }),
    policy,
    epochs: new Map(Object.entries(epochs).map(([id, epoch]) => [mintId.executor(id), epoch])),
    lineage: new Map([...lineage, [number, hash]]),
  });
}

function epochsAfter(
  before: StoredGeneration | undefined,
  policy: CompiledPolicy,
  moved: readonly ExecutorId[],
): Readonly<Record<ExecutorId, number>> {
  const step = new Set(moved);
  const old = new Map(Object.entries(before?.epochs ?? {}));
  const epochs = [...knownTo(before, policy), ...moved].map((executor): [ExecutorId, number] => [
    executor,
    (old.get(executor) ?? 0) + (step.has(executor) ? 1 : 0),
  ]);
  return Object.freeze(Object.fromEntries(epochs));
}
