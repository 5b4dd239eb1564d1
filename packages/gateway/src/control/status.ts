/** What `status` shows: one screen about a running daemon. */
import type { Digest, ExecutorId, ServerName, StoreId } from '@pawl/core';

/** A generation that is in force, or that a call in flight still holds. */
export interface GenerationStatus {
  readonly number: number;
  readonly hash: Digest;
  /** Calls that hold it. */
  readonly pins: number;
  /** Bytes of the texts that it was made from: what it keeps in memory is a small multiple. */
  readonly bytes: number;
  /** Milliseconds since another one came into force; absent for the one in force. */
  readonly replacedFor?: number;
}

/** A reload that did not go through; the last good generation stays. */
export interface RefusedReload {
  /** Unix milliseconds. */
  readonly at: number;
  readonly trigger: 'start' | 'watch' | 'sighup' | 'operator';
  readonly kind: 'refused' | 'invalid' | 'failed';
}

/** One stored entry of a ceiling or a narrowing. */
export interface DeclaredStatus {
  /** An agent, or `agent/instance`. */
  readonly of: ExecutorId;
  readonly on: string;
  readonly layer: 'ceiling' | 'narrowing';
  /** `whole` counts as no ceiling; `unreadable` refuses every call that touches what it is for; `idle` has no executor. */
  readonly state: 'applies' | 'whole' | 'unreadable' | 'idle';
}

/** One server of the policy. */
export interface ServerStatus {
  readonly server: ServerName;
  readonly state: 'up' | 'starting' | 'down';
  /** Tools mounted now. */
  readonly tools: number;
  /** Restarts since the daemon began. */
  readonly restarts: number;
  /** `object`: a sandbox bounds what the process reaches; `name`: only what calls name is judged. */
  readonly confinement: 'object' | 'name';
  /** Why it was not started, or did not answer when it was. */
  readonly why?: string;
}

/** Skills of all executors. */
export interface SkillsStatus {
  readonly loaded: number;
  /** Of those: how many nobody signed. */
  readonly unsigned: number;
  /** Tools that are masked. */
  readonly masked: number;
  /** What an earlier run had and this one could not load again. */
  readonly notLoaded: readonly { readonly name: string; readonly executor: ExecutorId }[];
}

/** The part of the status that only the daemon knows. Plain JSON. */
export interface LiveStatus {
  readonly posture: 'recheck' | 'bind';
  /** Newest first: the one in force, then those that calls still hold. Empty: nothing is admitted. */
  readonly generations: readonly GenerationStatus[];
  readonly executors: readonly { readonly executor: ExecutorId; readonly epoch: number }[];
  readonly servers: readonly ServerStatus[];
  /** Ceilings and narrowings that are stored beside the document, and how each stands to it; absent where there are none. */
  readonly declared?: readonly DeclaredStatus[];
  /** Tool definitions that wait for an operator; absent where there are none. */
  readonly waiting?: readonly { readonly server: ServerName; readonly tool: string }[];
  /** Loaded skills; absent where there are none, and none that should be. */
  readonly skills?: SkillsStatus;
  /** What is frozen: agents, executors, or `*` for everything. */
  readonly frozen: readonly string[];
  /** The last reload that did not go through, until one does. */
  readonly refusedReload?: RefusedReload;
  /** Calls that wait for an approval. */
  readonly asks: {
    readonly waiting: number;
    /** Milliseconds since the oldest of them was asked; absent where none waits. */
    readonly oldest?: number;
  };
  /** Sessions that are open. */
  readonly sessions: number;
  /** Those of them that another one opened by delegating; absent where there are none. */
  readonly childSessions?: number;
  /** Calls handed over and not settled. */
  readonly inFlight: number;
  /** The HTTP endpoint for agents, where there is one. */
  readonly http?: string;
  /** Milliseconds since the daemon began. */
  readonly uptime: number;
}

/** The whole status. Plain JSON. */
export interface StatusView extends LiveStatus {
  readonly store: { readonly id: StoreId; readonly folder: string };
  readonly audit: {
    /** Place of the last durable record. */
    readonly seq: number;
    readonly hash: string;
    /** False while the store refuses writes; calls that need an intent are refused then. */
    readonly healthy: boolean;
  };
  readonly process: {
    readonly pid: number;
    /** Resident bytes. */
    readonly memory: number;
  };
}
