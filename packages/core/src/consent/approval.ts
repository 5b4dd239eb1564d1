/** Approvals as a port: whether somebody who may say so has said yes to exactly this call. */
import type { Digest, ExecutorId, SessionId, ToolName } from '../ground/index.js';

/** What an approval is asked for, and what it seals: another value in any member is another request. */
export interface ConsentRequest {
  readonly session: SessionId;
  readonly executor: ExecutorId;
  readonly tool: ToolName;
  /** Of the tool's definition in force. */
  readonly toolDigest: Digest;
  /** Of the canonical arguments after fill. */
  readonly argumentsDigest: Digest;
  /** How long a yes lasts: for this session, or for one call. */
  readonly level: 'session' | 'once';
}

/** The state of a request. `required`: nobody has answered yet. */
export type ConsentAnswer =
  | { readonly kind: 'none-asked' }
  | { readonly kind: 'approved'; readonly id: string }
  | { readonly kind: 'required' | 'refused' | 'expired' };

/** Who is asked. */
export interface ConsentPort {
  /** Answers at once and never waits for a person. An `approved` of level `once` is used up by the answer. */
  ask(request: ConsentRequest): ConsentAnswer;
}

const required: ConsentAnswer = Object.freeze({ kind: 'required' });

/** Nobody can approve: every ask stays unanswered. */
export const noConsent: ConsentPort = Object.freeze({ ask: (): ConsentAnswer => required });
