/** One call: as it arrives, as an actor gets it, and what becomes of it. */
import type {
  CallId,
  Denial,
  ExecutorId,
  Fault,
  Handle,
  Json,
  JsonObject,
  SessionId,
} from '../ground/index.js';

/** One call as it arrives. The dispatcher takes `args` over and freezes them at admission. It has no name parameter. */
export interface CallRequest {
  readonly session: SessionId;
  /** Undefined when the session has no such tool. */
  readonly handle: Handle | undefined;
  readonly args: Json | undefined;
  /** Recorded, never consulted. */
  readonly onBehalfOf?: string;
  readonly signal: AbortSignal;
  /** The call in whose turn this one is made, by whoever takes that turn; never anything from a wire. It inherits that one's place. */
  readonly parent?: CallId;
  /** Handed to the actor beside the arguments: progress, trace context. Carries no authority. */
  readonly extras?: unknown;
}

/** What an actor's turn takes as the arguments of method `call`. */
export interface ToolCall {
  readonly args: JsonObject;
  /** The principal on whose behalf a shared server keeps a process. */
  readonly executor: ExecutorId;
  /** The session of the call: for Pawl's own tools; nothing of it goes to a server. */
  readonly session: SessionId;
  readonly extras: unknown;
}

/** What becomes of a call; a value, never a thrown error. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly call: CallId; readonly value: unknown }
  | {
      readonly kind: 'refused';
      readonly call: CallId;
      readonly refusal: Denial | Fault;
      /** With `consent_required`: the id of the ask that waits, where one does. */
      readonly ask?: string;
    };
