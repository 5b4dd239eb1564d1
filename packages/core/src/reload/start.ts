/** Start: the first generation of a process, taken from what the store knows and what the document says. */
import { type Digest, type ExecutorId, mintId } from '../ground/index.js';
import type { CompiledPolicy, Snapshot } from '../policy/index.js';
import type { CurrentCell } from '../policy/set-current.js';
import type { GenerationStore, StoredGeneration } from './store.js';

/** What is to be put in force. */
export interface StartRequest {
  readonly policy: CompiledPolicy;
  /** Hash of everything that decides. */
  readonly hash: Digest;
  /** Text of the document. */
  readonly document: string;
  /** Operator act: take a generation that is not known to be an attenuation; every executor's epoch moves. */
  readonly bumpEpoch: boolean;
}

/** What start did. */
export type Started =
  | { readonly kind: 'first' | 'same' | 'bumped'; readonly snapshot: Snapshot }
  | { readonly kind: 'refused'; readonly stored: StoredGeneration };

/**
 * Puts a generation in force, or refuses and leaves the cell empty. An empty store takes any document; the same hash goes on
 * as the same generation; any other hash is refused unless the operator moves the epoch. Durable before it is in force.
 */
export async function start(
  store: GenerationStore,
  cell: CurrentCell,
  request: StartRequest,
): Promise<Started> {
  const stored = await store.current();
  const kind = stored === undefined ? 'first' : stored.hash === request.hash ? 'same' : 'bumped';
  if (kind === 'bumped' && !request.bumpEpoch && stored !== undefined) return { kind: 'refused', stored };
  const step = kind === 'same' ? 0 : 1;
  const number = (stored?.number ?? 0) + step;
  const epochs = epochsOf(request.policy, stored, kind === 'bumped' ? 1 : 0);
  if (kind !== 'same')
    await store.put({
      number,
      hash: request.hash,
      document: request.document,
      epochs: Object.fromEntries(epochs),
    });
  const snapshot: Snapshot = Object.freeze({
    generation: Object.freeze({ number, hash: request.hash, store: store.storeId }),
    policy: request.policy,
    epochs,
    lineage: new Map([[number, request.hash]]),
  });
  cell.set(snapshot);
  return { kind, snapshot };
}

/** Epochs of every executor ever known: those of the store moved by `step`, new ones at 0. */
function epochsOf(
  policy: CompiledPolicy,
  stored: StoredGeneration | undefined,
  step: number,
): ReadonlyMap<ExecutorId, number> {
  const known = Object.entries(stored?.epochs ?? {}).map(([id, epoch]): [ExecutorId, number] => [
    mintId.executor(id),
    epoch + step,
  ]);
  const fresh = [...policy.executors.keys()].map((id): [ExecutorId, number] => [id, 0]);
  return new Map([...fresh, ...known]);
}
