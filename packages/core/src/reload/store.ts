/** The port through which generations survive a restart. */
import type { Digest, ExecutorId, StoreId } from '../ground/index.js';

/** A generation as stored: enough to know it again, and to serve it when the document cannot be read. */
export interface StoredGeneration {
  readonly number: number;
  readonly hash: Digest;
  /** Text of the policy document. */
  readonly document: string;
  readonly epochs: Readonly<Record<ExecutorId, number>>;
}

/** Where generations are kept. */
export interface GenerationStore {
  readonly storeId: StoreId;
  /** The generation last acknowledged, or undefined in an empty store. */
  current(): Promise<StoredGeneration | undefined>;
  /** Resolves when the generation is durable; rejects when it is not, and then it never was there. */
  put(generation: StoredGeneration): Promise<void>;
}
