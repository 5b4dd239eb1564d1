/** Approvals as a port: whether somebody who may say so has said yes to exactly this call. */
import type { Digest, ExecutorId, SessionId, ToolName } from '../ground/index.js';

/** How long a yes lasts: for this session, or for one call. */
export type ConsentScope = 'session' | 'once';

/** What an approval is asked for, and what it seals: another value in any member but `level` is another request. */
export interface ConsentRequest {
  readonly session: SessionId;
  readonly executor: ExecutorId;
  /** Of the executor, when the call was admitted: an approval dies when it moves. */
  readonly epoch: number;
  readonly tool: ToolName;
  /** Of the tool's definition in force. */
  readonly toolDigest: Digest;
  /** Of the canonical arguments after fill. */
  readonly argumentsDigest: Digest;
  /** What the approver reads. */
  readonly shown: string;
  /** The widest yes that the rules in force let stand. An approval given for less stays less. */
  readonly level: ConsentScope;
}

/** A yes, held by one call. The first of the two calls counts; further ones do nothing. */
export interface HeldApproval {
  readonly kind: 'approved';
  readonly id: string;
  /** The call was handed over, or may have been: a yes for one call is used up. */
  spend(): void;
  /** Nothing was handed over: the yes is there for the next try. */
  giveBack(): void;
}

/** There is no yes. */
export interface NoApproval {
  /** `required`: nobody has answered yet. */
  readonly kind: 'required' | 'refused' | 'expired';
  /** By which people answer it; absent when too many wait already. */
  readonly id?: string;
  /** Monotonic, milliseconds: until when the answer stands. */
  readonly until: number;
}

/** The state of a request. */
export type ConsentAnswer = HeldApproval | NoApproval;

/** Who is asked. */
export interface ConsentPort {
  /** Answers at once and never waits for a person. An `approved` of level `once` is taken by the answer. */
  ask(request: ConsentRequest): ConsentAnswer;
  /** Another number whenever anything that `ask` would answer may have changed, time aside. */
  version(): number;
}

const required: NoApproval = Object.freeze({ kind: 'required', until: Infinity });

/** Nobody can approve: every ask stays unanswered. */
export const noConsent: ConsentPort = Object.freeze({
  ask: (): ConsentAnswer => required,
  version: (): number => 0,
});
