/** A capability: a name for authority over one tool, pinned to the generation under which it was made. */
import {
  type CapId,
  type Entropy,
  type ExecutorId,
  type KeyId,
  type SessionId,
  type ToolName,
  base32,
  mintId,
} from '../ground/index.js';
import type { Generation, Snapshot } from '../policy/index.js';

/** What ties authority to a generation. */
export interface Pinned {
  readonly generation: Generation;
  /** At that generation, of every executor whose authority is intersected. */
  readonly epochs: ReadonlyMap<ExecutorId, number>;
}

/** Another capability from which one was derived. */
export interface Ancestor {
  readonly id: CapId;
  readonly session: SessionId;
}

/** What a capability's life hangs on. */
export interface Lifeline extends Pinned {
  readonly id: CapId;
  readonly session: SessionId;
  /** The credential by which the session was opened: with it goes everything derived. */
  readonly key: KeyId;
  /** Of what was delegated: what it was derived from, the nearest first. */
  readonly ancestors?: readonly Ancestor[];
}

/** A capability. Frozen; it names authority and holds none: policy decides each call. */
export interface Capability extends Lifeline {
  readonly executor: ExecutorId;
  readonly tool: ToolName;
}

/** What a capability is made from. */
export interface CapabilityInit {
  readonly executor: ExecutorId;
  readonly session: SessionId;
  readonly key: KeyId;
  readonly tool: ToolName;
  /** Pins generation and epochs, both from one image. */
  readonly snapshot: Snapshot;
  /** Other executors whose authority it intersects, as those who delegated. */
  readonly through?: readonly ExecutorId[];
  /** What it is derived from. */
  readonly parent?: Lifeline;
}

/** Pins executors to a snapshot. The epochs are a copy. */
export function pinTo(snapshot: Snapshot, executors: readonly ExecutorId[]): Pinned {
  const epochs = new Map(executors.map((executor) => [executor, snapshot.epochs.get(executor) ?? 0]));
  return Object.freeze({ generation: snapshot.generation, epochs });
}

/** Makes a capability with a fresh id. */
export function mintCapability(init: CapabilityInit, entropy: Entropy): Capability {
  const { executor, session, key, tool, snapshot, through = [], parent } = init;
  const id = mintId.cap(base32(entropy.bytes(16)));
  const ancestors = parent && [{ id: parent.id, session: parent.session }, ...(parent.ancestors ?? [])];
  return Object.freeze({
    id,
    executor,
    session,
    key,
    tool,
    ...pinTo(snapshot, [executor, ...through]),
    ...(ancestors === undefined ? {} : { ancestors: Object.freeze(ancestors) }),
  });
}
