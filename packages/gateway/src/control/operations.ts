/** The operations of control as a port: the daemon serves them, offline commands call the same ones on the store. */
import type {
  AgentName,
  AskView,
  Declaration,
  Declared,
  DeclaredState,
  ExecutorId,
  FrozenName,
  JsonObject,
  KeyId,
  Proposed,
  Reloaded,
  Revocation,
  StoredGeneration,
  VerifyReport,
} from '@pawl/core';
import type { Answer } from './answer.js';
import type { PinAnswer, PinView, PinsAccept, PinsAccepted, PinsAnswered, PinsAsked } from './pins.js';
import type { Role } from './role.js';
import type { SkillLoadAsked, SkillLoadView, SkillNamed, SkillView } from './skills.js';
import type { StatusView } from './status.js';

/** A key to be stored. The secret was made, and stays, where the key file is written. */
export interface KeyIssue {
  readonly agent: AgentName;
  readonly instance?: string;
  readonly id: KeyId;
  /** Hexadecimal, 16 bytes. */
  readonly salt: string;
  /** Hexadecimal SHA-256 of salt and secret. */
  readonly hash: string;
}

/** Where the holder of a key finds the gateway. */
export interface KeyPlace {
  /** Absolute path of the agents socket. */
  readonly agents: string;
  /** The HTTP endpoint, when a daemon serves one. */
  readonly url?: string;
}

/** A key as people see it: never its salt or hash. Times are Unix milliseconds. */
export interface KeyView {
  readonly id: KeyId;
  readonly agent: AgentName;
  readonly instance?: string;
  readonly issuedAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** Present where the executor was revoked: the key is dead, whatever else it says. */
  readonly executorRevokedAt?: number;
}

/** What a revocation did. */
export interface KeyRevoked {
  readonly id: KeyId;
  /** False when it was revoked before. */
  readonly changed: boolean;
}

/** A reload that an operator asks for. */
export interface ReloadAsked {
  /** Operator act: takes what is not known to be an attenuation; capabilities of whoever gained die. */
  readonly bumpEpoch?: boolean;
  /** With `bumpEpoch`: those of everybody die. */
  readonly all?: boolean;
  /** With `bumpEpoch`: fresh ones are let into open sessions. */
  readonly reissue?: boolean;
  /** With `bumpEpoch`: begin of the hash that was shown; anything else that is read by now is refused. 12 to 64 hexadecimal digits. */
  readonly expect?: string;
  /** A stored generation instead of the document. */
  readonly to?: number;
}

/** What was revoked. */
export interface RevokedView {
  readonly subject: Revocation['kind'];
  readonly id: string;
  /** False when it was revoked before. */
  readonly changed: boolean;
  /** False when nothing of this id is known now: it may be misspelt. */
  readonly known: boolean;
}

/** What was frozen or thawed; `*` is everything. */
export interface FrozenView {
  readonly name: FrozenName;
  /** False when it was frozen before. */
  readonly changed: boolean;
}

/** What a thaw did. */
export interface ThawedView {
  readonly name: FrozenName;
  /** Executors whose epoch moved: their old capabilities are dead. */
  readonly moved: readonly ExecutorId[];
  /** Sessions into which fresh capabilities were let. */
  readonly reissued: number;
  /** Open sessions that have no tools until their agents connect again. */
  readonly emptied: number;
  /** What is frozen still. */
  readonly frozen: readonly FrozenName[];
}

/** A ceiling or a narrowing to be stored. */
export interface DeclareAsked {
  /** An agent: its ceiling. `agent/instance`: the narrowing of that instance. */
  readonly of: ExecutorId;
  /** Connector or server to fields with their constraints. What is stored and not named here is lifted. */
  readonly declaration: JsonObject;
  /** Only what is stored for that connector or server is replaced or lifted. */
  readonly on?: string;
  /** Who declares it, for the record. */
  readonly by?: string;
  /** Operator act: as of a reload. */
  readonly bumpEpoch?: boolean;
  readonly all?: boolean;
  readonly reissue?: boolean;
}

/** What came of declaring. */
export interface DeclaredView extends Declared {
  readonly of: ExecutorId;
  readonly layer: 'ceiling' | 'narrowing';
  /** Whether it came into force; a refused one changed nothing. */
  readonly reload: Reloaded;
}

/** One stored entry as people see it. */
export interface StoredEntryView extends Declaration {
  readonly layer: 'ceiling' | 'narrowing';
  readonly state: DeclaredState['state'];
  /** What is wrong with it. */
  readonly why?: string;
}

/** An answer to an ask. */
export interface ApprovalAnswer {
  /** Of the ask: `a_` and 16 characters. */
  readonly id: string;
  readonly says: 'yes' | 'no';
}

/** Which records to show: the last ones that match, oldest first. */
export interface AuditQuery {
  /** 1 to {@link mostRecords}. */
  readonly limit: number;
  readonly call?: string;
  readonly executor?: string;
}

/** Which records to give with what was kept of their arguments, in order of the chain. */
export interface EvidenceQuery {
  /** 1 to {@link mostRecords}. */
  readonly limit: number;
  /** First sequence number; 0 when absent. */
  readonly from?: number;
  readonly call?: string;
  readonly executor?: string;
}

/** A record with what `audit.arguments` let be kept of its arguments, while it is not erased. Both are JSON texts. */
export interface EvidenceRecord {
  readonly text: string;
  readonly body?: string;
}

/** Most records of one answer. */
export const mostRecords = 10_000;

/** Everything that control can do. No method throws for anything that a caller or a store can cause. */
export interface Operations {
  /** Refused where no daemon runs. */
  status(): Promise<Answer<StatusView>>;
  /** Stores a key; refused for an agent, or an instance, that the policy does not have. */
  keysIssue(issue: KeyIssue): Promise<Answer<KeyPlace>>;
  /** Oldest first, revoked ones included. */
  keysList(): Promise<Answer<readonly KeyView[]>>;
  /** Nothing authorises with the key afterwards; refused when there is none. */
  keysRevoke(key: { readonly id: KeyId }): Promise<Answer<KeyRevoked>>;
  /** Reads the policy again, or takes a stored generation; a refused reload is a good answer that says so. */
  reload(asked: ReloadAsked): Promise<Answer<Reloaded>>;
  /** What a reload would come to; changes nothing. */
  propose(asked: Pick<ReloadAsked, 'to'>): Promise<Answer<Proposed>>;
  /** Nothing authorises with it afterwards, nor what was derived from it; what is in flight is cancelled. */
  revoke(revocation: Revocation): Promise<Answer<RevokedView>>;
  /** Attenuates to nothing at once: an agent with its instances, one executor, or everything. */
  freeze(frozen: { readonly name: FrozenName }): Promise<Answer<FrozenView>>;
  /** Lifts exactly that freeze; capabilities of before stay dead. */
  thaw(frozen: { readonly name: FrozenName; readonly reissue?: boolean }): Promise<Answer<ThawedView>>;
  /**
   * Stores a ceiling or a narrowing, sanitised, as a generation of its own; one that would let an executor do more is refused
   * without the operator's act, as a good answer that says so. Refused for an agent or an instance that the policy does not have.
   */
  declare(asked: DeclareAsked, role: Role): Promise<Answer<DeclaredView>>;
  /** Every stored entry, by whose and for what. */
  declared(): Promise<Answer<readonly StoredEntryView[]>>;
  /** Tool definitions that the store has seen, in order of server and tool. */
  pins(asked: PinsAsked): Promise<Answer<readonly PinView[]>>;
  /**
   * Takes what waits for what is in force, as a generation of its own: an operator's act, so it may widen. Refused where
   * something else waits by now than what was shown.
   */
  pinsAccept(asked: PinsAccept): Promise<Answer<PinsAccepted>>;
  /** Forgets what waits, until a server lists it again; nothing that is in force changes. Refused as above. */
  pinsReject(asked: PinAnswer): Promise<Answer<PinsAnswered>>;
  /** Asks that wait for an answer, oldest first. Refused where no daemon runs. */
  approvals(): Promise<Answer<readonly AskView[]>>;
  /**
   * Answers an ask for good, durably recorded before it counts; `role` is that of the caller. Refused for a role that the policy
   * does not let approve, and for an ask that is unknown, expired or answered.
   */
  approve(answer: ApprovalAnswer, role: Role): Promise<Answer<AskView>>;
  /** Loads a skill from a folder of the daemon's machine; a refused one is a good answer that says so. Refused where no daemon runs. */
  skillLoad(asked: SkillLoadAsked): Promise<Answer<SkillLoadView>>;
  /** Loaded skills, in the order of loading. Refused where no daemon runs. */
  skillList(): Promise<Answer<readonly SkillView[]>>;
  /** Nothing of the skill can be called afterwards. Refused where it is not loaded. */
  skillUnload(named: SkillNamed): Promise<Answer<SkillNamed>>;
  /** Verifies all that the store holds; a broken store is a good answer that says so. */
  auditVerify(): Promise<Answer<VerifyReport>>;
  /** The stored texts of records. */
  auditShow(query: AuditQuery): Promise<Answer<readonly string[]>>;
  /** Records with what was kept of arguments. */
  evidence(query: EvidenceQuery): Promise<Answer<readonly EvidenceRecord[]>>;
  /** A stored generation with everything that it was made from: of that number, or the one in force. Refused when there is none. */
  generation(asked: { readonly number?: number }): Promise<Answer<StoredGeneration>>;
}
/** The name of an operation, also on the wire. */
export type OperationName = keyof Operations;
/** What an operation takes. */
export type ParamsOf<O extends OperationName> =
  Parameters<Operations[O]> extends [infer P, Role?] ? P : Readonly<Record<string, never>>;
/** What an operation gives. */
export type ValueOf<O extends OperationName> =
  Awaited<ReturnType<Operations[O]>> extends Answer<infer V> ? V : never;
