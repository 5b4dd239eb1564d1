/** What the rest of the gateway may ask of a store. Both implementations keep these promises. */
import type {
  AgentName,
  AuditLog,
  Count,
  Declaration,
  Digest,
  EventRecord,
  ExecutorId,
  FreezeStore,
  FrozenName,
  Head,
  Json,
  KeyId,
  ServerName,
  StoreId,
  StoredGeneration,
  StoredRecord,
} from '@pawl/core';

import type { Sealer } from './sealer.js';

export type { StoredGeneration } from '@pawl/core';

/** Generations and epochs. */
export interface GenerationStore {
  /** The generation that was put last, or undefined in an empty store. */
  current(): Promise<StoredGeneration | undefined>;
  /** An earlier generation, or undefined when there is none of that number. */
  at(number: number): Promise<StoredGeneration | undefined>;
  /**
   * Makes a generation the current one, durably and in one step with its epochs and its record. Rejects with a
   * {@link StoreError} `conflict` when its number is not the next one or an epoch would go back; then nothing changed.
   * Executors that `epochs` does not name keep theirs and stay known.
   */
  put(generation: StoredGeneration): Promise<void>;
}

/** A credential. The secret itself is never stored. */
export interface StoredKey {
  readonly id: KeyId;
  readonly salt: string;
  /** Hash of salt and secret. */
  readonly hash: string;
  readonly agent: AgentName;
  readonly instance?: string;
  /** Unix milliseconds, as are the others. */
  readonly issuedAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** Credentials. */
export interface KeyStore {
  /** The credential of that id, revoked and expired ones included; answered from memory. */
  find(id: KeyId): StoredKey | undefined;
  /** Those that somebody could present at that time: neither revoked nor expired; answered from memory. */
  valid(at: number): readonly StoredKey[];
  /** All credentials, oldest first. */
  list(): Promise<readonly StoredKey[]>;
  /** Adds a credential; rejects with `conflict` when the id is taken. */
  issue(key: StoredKey): Promise<void>;
  /** Marks a credential as revoked at that time; false when there is none or it already is. */
  revoke(id: KeyId, at: number): Promise<boolean>;
}

/** A tool definition that this store has seen. */
export interface StoredPin {
  readonly server: ServerName;
  /** The tool's own name, without the server. */
  readonly tool: string;
  readonly digest: Digest;
  readonly definition: Json;
  readonly state: 'accepted' | 'waiting';
  /** Whether it was accepted because the server had never been seen. */
  readonly firstUse: boolean;
  readonly at: number;
}

/** Tool definitions, at most one of each state for a tool. */
export interface PinStore {
  /** Definitions of one server, or of all, in order of server and tool. */
  list(server?: ServerName): Promise<readonly StoredPin[]>;
  /**
   * Puts definitions in one step; each replaces the one of the same tool and state. What a generation accepts is put with the
   * generation, and not by this.
   */
  put(pins: readonly StoredPin[]): Promise<void>;
  /** Forgets the waiting definition of a tool, until it is listed again; false when none waits with that digest. */
  reject(server: ServerName, tool: string, digest: Digest): Promise<boolean>;
}

/** Something that authorises nothing any more. */
export interface StoredRevocation {
  readonly subject: 'capability' | 'session' | 'executor' | 'key';
  readonly id: string;
  readonly at: number;
}

/** Revocations outlive the process. */
export interface RevocationStore {
  /** All of them, oldest first. */
  list(): Promise<readonly StoredRevocation[]>;
  /** Durable when it resolves; revoking again keeps the first time. */
  add(revocation: StoredRevocation): Promise<void>;
}

/** What is frozen outlives the process. */
export interface FreezeTable extends FreezeStore {
  /** Everything frozen, in the order of freezing. */
  list(): Promise<readonly FrozenName[]>;
}

/**
 * Entries of ceilings and narrowings beside the document. They change with generations only: what a generation's source declares
 * otherwise than the one before is written in one step with it.
 */
export interface DeclarationStore {
  /** Every entry, by whose and for what; one that cannot be read is there without its fields. */
  list(): Promise<readonly Declaration[]>;
}

/** A skill that an operator loaded: it is loaded again when the gateway starts, if it is still the same. */
export interface StoredSkill {
  readonly executor: ExecutorId;
  readonly name: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** SHA-256 over names, digests and what may be executed of its files. */
  readonly root: Digest;
  /** SHA-256 of the key that signed; absent where nobody did. */
  readonly key?: Digest;
  /** Capabilities that it has, and after a restart may have at most. */
  readonly granted: readonly string[];
  /** Who loaded it. */
  readonly by: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Events about skills that change what is stored of them. */
export type SkillEvent = Extract<EventRecord['event'], `skill_${string}`>;

/** Loaded skills outlive the process. Every change is durable, in one step with its record, when it resolves. */
export interface SkillStore {
  /** In the order of loading. */
  list(): Promise<readonly StoredSkill[]>;
  /** Puts one; it replaces that of the same executor and name. */
  put(event: SkillEvent, data: Json, skill: StoredSkill): Promise<void>;
  /** Forgets one; there need not be one. */
  drop(event: SkillEvent, data: Json, skill: Pick<StoredSkill, 'executor' | 'name'>): Promise<void>;
}

/** Counts of named limits. They are written by the audit log, in one step with the record that holds them. */
export interface CountStore {
  /** The last count of each limit of each executor. */
  list(): Promise<readonly Count[]>;
}

/** Which records to read. */
export interface RecordQuery {
  /** First sequence number; 0 when absent. */
  readonly from?: number;
  /** At most this many; 1,000 when absent. */
  readonly limit?: number;
  /** The last ones that match instead of the first; still in order of the chain. */
  readonly newest?: boolean;
  /** Only records of this call. */
  readonly call?: string;
  /** Only records that name this executor. */
  readonly executor?: string;
}

/** A chained record with the body that lies beside it, if one was kept and not erased. */
export interface ReadRecord extends StoredRecord {
  readonly body?: string;
}

/** One store, held by one process. */
export interface Store {
  /** Minted when the store was created. */
  readonly id: StoreId;
  readonly audit: AuditLog;
  readonly generations: GenerationStore;
  readonly keys: KeyStore;
  readonly pins: PinStore;
  readonly revocations: RevocationStore;
  readonly freezes: FreezeTable;
  readonly declarations: DeclarationStore;
  readonly counts: CountStore;
  readonly skills: SkillStore;
  /** HMAC with the store's key: what records hold of arguments. The same text gives the same digest. */
  digest(text: string): Digest;
  /** Seals what clients carry for Pawl and bring back. */
  readonly sealer: Sealer;
  /** Public half of the key that signs heads: SPKI, base64. */
  readonly publicKey: string;
  /** The last durable record. */
  head(): Head;
  /** Records in order of the chain; what was noted but is not written yet is written first. */
  records(query?: RecordQuery): Promise<readonly ReadRecord[]>;
  /** Removes the body beside a record and records that it was; false when there is none. */
  eraseBody(seq: number): Promise<boolean>;
  /** Writes what was noted, signs the last head and lets the store go. Later appends reject. */
  close(): Promise<void>;
}

/** Why a store did not do what was asked. */
export type StoreErrorCode =
  /** There is no store. */
  | 'absent'
  /** Another process holds the store. */
  | 'held'
  /** The folder or a file in it cannot be written. */
  | 'unwritable'
  /** What is there is no store, of a later version, or damaged. */
  | 'damaged'
  /** The change contradicts what is stored. */
  | 'conflict'
  /** The write was refused; it was not made and never will be. */
  | 'refused'
  /** The store was closed. */
  | 'closed';

/** A store's refusal. The message is for operators. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
