/** What is written down of every mediated call and every act that changes authority. */
import type {
  CallId,
  CapId,
  DeadReason,
  DenialCode,
  Digest,
  ExecutorId,
  FaultCode,
  Json,
  KeyId,
  Layer,
  SessionId,
  ToolName,
} from '../ground/index.js';

/** A generation as records name it: number and content hash. */
export type GenerationRef = {
  readonly number: number;
  readonly hash: Digest;
};

/** What intent and refusal have in common. Members that are not known yet (a refusal at decode) are absent. */
export interface CallFacts {
  readonly call: CallId;
  readonly session?: SessionId;
  /** Of a child session: the one that delegated. */
  readonly parentSession?: SessionId;
  readonly executor?: ExecutorId;
  readonly key?: KeyId;
  readonly onBehalfOf?: string;
  readonly tool?: ToolName;
  readonly cap?: CapId;
  /** Generation pinned in the capability. */
  readonly capGeneration?: GenerationRef;
  /** Generation under which the call was judged. */
  readonly policyGeneration?: GenerationRef;
  readonly epoch?: number;
  /** Accesses in the form that `decide` prints. */
  readonly target?: Json;
  /** HMAC of the canonical arguments. */
  readonly argumentsDigest?: Digest;
  readonly toolDigest?: Digest;
  readonly confinement?: 'object' | 'name';
  /** What holds it to that, where something does. */
  readonly confinedBy?: 'bubblewrap' | 'compartment';
  readonly parentCall?: CallId;
}

/** How often a named limit was charged. `day`: days since 1970 (UTC); 0 for a limit of the executor for good. */
export type Count = {
  readonly executor: ExecutorId;
  readonly limit: string;
  readonly per: 'executor' | 'day';
  readonly day: number;
  readonly count: number;
};

/** The call is about to be handed over; durable before the hand-over. */
export interface IntentRecord extends CallFacts {
  readonly type: 'intent';
  readonly verdict: 'permit';
  readonly level: 'permit' | 'session' | 'once';
  readonly rules: readonly string[];
  readonly filled?: readonly string[];
  /** The approval under which it goes. */
  readonly approval?: string;
  /** Counts of named limits that outlive the session, this call included; stored in one step with the record. */
  readonly counts?: readonly Count[];
}

/** The call was refused before any intent. */
export interface RefusalRecord extends CallFacts {
  readonly type: 'refusal';
  readonly verdict: 'ask' | 'deny' | 'fault';
  readonly code: DenialCode | FaultCode;
  readonly layer?: Layer;
  readonly rule?: string;
  readonly constraint?: string;
  readonly reason?: DeadReason;
  readonly message: string;
  readonly detail?: string;
  /** The ask that waits for an answer, or that was answered. */
  readonly approval?: string;
  /** How often the same call was refused so, where this is not the first time. */
  readonly repeated?: number;
}

/** How an intent ended. `not_dispatched`: the last check refused, nothing was handed over. */
export interface SettlementRecord {
  readonly type: 'settlement';
  readonly call: CallId;
  readonly outcome: 'ok' | 'tool_error' | 'not_dispatched' | FaultCode;
  /** In force at the last check, where that is not the one under which the call was admitted. */
  readonly policyGeneration?: GenerationRef;
  /** With `not_dispatched`: the refusal of the last check. */
  readonly code?: DenialCode | FaultCode;
  readonly milliseconds: number;
  /** How often the call was handed over, where that is more than once. */
  readonly sendings?: number;
  readonly detail?: string;
  /** Where nothing was handed over: counts with this call given back; stored in one step with the record. */
  readonly counts?: readonly Count[];
}

/** Anything else that an auditor needs: generations, keys, first use, sessions, upstream processes. */
export interface EventRecord {
  readonly type: 'event';
  readonly event:
    | 'store_created'
    | 'started'
    | 'stopped'
    | 'generation'
    | 'reload_refused'
    | 'reissued'
    | 'frozen'
    | 'thawed'
    | 'drained'
    | 'first_use'
    | 'tool_pinned'
    | 'key_issued'
    | 'key_revoked'
    | 'revoked'
    | 'session_opened'
    | 'delegated'
    | 'upstream_up'
    | 'upstream_gone'
    | 'body_erased'
    | 'approval_given'
    | 'approval_refused'
    | 'repeated_refusal'
    | 'skill_loaded'
    | 'skill_masked'
    | 'skill_unloaded'
    | 'skill_refused'
    | 'resend'
    | 'security';
  readonly data: Json;
}

/** One record before it is chained. */
export type AuditRecord = IntentRecord | RefusalRecord | SettlementRecord | EventRecord;
