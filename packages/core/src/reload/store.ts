/** The ports through which generations, and what is frozen, survive a restart. */
import type { FrozenName } from '../capability/index.js';
import type { Digest, ExecutorId, Json, ServerName, StoreId } from '../ground/index.js';
import type { Relation } from '../policy/index.js';
import type { GenerationSource } from './source.js';

/** Who asked for a generation: a change of the file, a signal, the start of the process, or an operator. */
export type Trigger = 'start' | 'watch' | 'sighup' | 'operator';

/** Why a generation was activated. Plain JSON; part of the record of its activation. */
export interface GenerationCause {
  readonly trigger: Trigger;
  /** How it stands to the one before; `first` in an empty store, `pawl` where Pawl itself changed, `thaw` for a thaw. */
  readonly verdict: Relation | 'first' | 'pawl' | 'thaw';
  /** Executors whose epoch moved. */
  readonly moved: readonly ExecutorId[];
  /** The generation whose source was taken again. */
  readonly to?: number;
  /** What was thawed. */
  readonly thawed?: FrozenName;
  /** Whose stored ceiling or narrowing was declared anew. */
  readonly declared?: DeclaredBy;
  /** Tool definitions that this store had not accepted before. */
  readonly accepted?: readonly AcceptedTool[];
}

/** A tool definition that comes into force for the first time in a store. */
export interface AcceptedTool {
  readonly server: ServerName;
  /** The tool's own name, without the server. */
  readonly tool: string;
  /** Of the definition. */
  readonly digest: Digest;
  /** Taken because the server had never been seen; else an operator accepted it. */
  readonly firstUse: boolean;
}

/** A change of what is stored for an executor. */
export interface DeclaredBy {
  readonly of: ExecutorId;
  /** In the words of whoever asked. */
  readonly by: string;
}

/** A generation as stored: enough to know it again, to serve it, to compare with it, and to go back to it. */
export interface StoredGeneration {
  /** Counts from 1; each is one more than the one before. */
  readonly number: number;
  readonly hash: Digest;
  /** The epoch of every executor that the store has ever known. */
  readonly epochs: Readonly<Record<ExecutorId, number>>;
  readonly source: GenerationSource;
  readonly cause?: GenerationCause;
  /** Unix milliseconds. */
  readonly createdAt?: number;
}

/** Where generations are kept. */
export interface GenerationStore {
  readonly storeId: StoreId;
  /** The generation last acknowledged, or undefined in an empty store. */
  current(): Promise<StoredGeneration | undefined>;
  /** Resolves when the generation is durable; rejects when it is not, and then it never was there. */
  put(generation: StoredGeneration): Promise<void>;
}

/** Where freezes are kept. Both resolve when the change is durable and recorded, and do nothing where nothing changes. */
export interface FreezeStore {
  /** Keeps a freeze. */
  freeze(name: FrozenName): Promise<void>;
  /** Forgets a freeze. */
  lift(name: FrozenName): Promise<void>;
}

/** Plain JSON of a cause, for records. */
export function causeJson(cause: GenerationCause): Json {
  const { trigger, verdict, moved, to, thawed, declared, accepted } = cause;
  return {
    trigger,
    verdict,
    moved: [...moved],
    ...(to === undefined ? {} : { to }),
    ...(thawed === undefined ? {} : { thawed }),
    ...(declared === undefined ? {} : { declared: { of: declared.of, by: declared.by } }),
    ...(accepted === undefined ? {} : { accepted: accepted.map((each) => ({ ...each })) }),
  };
}
