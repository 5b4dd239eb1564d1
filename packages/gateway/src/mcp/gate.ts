/** What the wire needs of the mediation point: sessions, a session's tools, and calls that are answered or refused. */
import type {
  CallId,
  Denial,
  ExecutorId,
  Fault,
  Handle,
  Json,
  JsonObject,
  KeyId,
  LoadedSkill,
  SessionId,
  SkillFile,
} from '@pawl/core';
import type { Credential } from '../identity/index.js';
import type { RawResult } from './result.js';

/** A tool as the model sees it: name, title, description, inputSchema, annotations and so on. */
export type ToolDefinition = JsonObject;

/** An open session; it belongs to a credential, never to a connection. */
export interface GateSession {
  readonly id: SessionId;
  readonly executor: ExecutorId;
}

/** One tool of a session's own table. */
export interface ListedTool {
  readonly name: string;
  readonly handle: Handle;
  readonly definition: ToolDefinition;
}

/** One call, already decoded: the gate takes `args` over and freezes them. */
export interface GateRequest {
  readonly session: SessionId;
  /** Undefined when the session has no tool of that name. */
  readonly handle: Handle | undefined;
  /** Undefined when the message had none; `null` was read as `{}` before. Anything else that is no object is refused by the gate. */
  readonly args: Json | undefined;
  readonly onBehalfOf?: string;
  /** Aborted when the caller cancels or its connection ends. */
  readonly signal: AbortSignal;
  /** Takes progress parameters (`progress`, `total`, `message`) without a token; present only if the caller asked for progress. */
  readonly onProgress?: (progress: JsonObject) => void;
  /** W3C trace context members of the caller's `_meta`. */
  readonly trace?: JsonObject;
  /** The tool name that the message carried, for the audit. */
  readonly sent?: string;
}

/** What becomes of a call. A refusal reaches the model as a tool result. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly call: CallId; readonly result: RawResult }
  | {
      readonly kind: 'refused';
      readonly call: CallId;
      readonly refusal: Denial | Fault;
      /** The ask that waits, where the call needs an approval. */
      readonly ask?: OpenAsk;
    };

/** An ask that a refused call left behind. */
export interface OpenAsk {
  readonly id: string;
  /** What a person at the client reads: Pawl's own text, which says so and shows what an approval would seal. */
  readonly text: string;
  /** Whether the policy lets the person at the client answer. */
  readonly client: boolean;
  /** Milliseconds until it expires. */
  readonly left: number;
}

/** A call by what a state of it is sealed to. */
export type AskedCall = Pick<GateRequest, 'session' | 'handle' | 'args'>;

/** A state that a retry brought back. */
export interface OpenedState {
  readonly kind: 'open';
  /** Id of the ask. */
  readonly ask: string;
  /** How often this call was answered with a state. */
  readonly round: number;
  /** Whether a question to the person at the client went with it. */
  readonly asked: boolean;
}

/** How Pawl asks and what becomes of answers. The state is never the approval, it only leads back to the ask. */
export interface AskDesk {
  /** A text that only this desk opens again, and only for this very call of this session. */
  seal(call: AskedCall, state: Omit<OpenedState, 'kind'>): string;
  /** Opens what a client sent as a state; forged, truncated, expired, or of another call or session: refused, and audited so. */
  open(call: AskedCall, sealed: unknown): OpenedState | Extract<CallAnswer, { kind: 'refused' }>;
  /**
   * Takes the answer of the person at the client; it counts where the policy lets clients approve, and is durably recorded before.
   * A no that comes too late to count is answered with a refusal of this call all the same.
   */
  answer(
    call: AskedCall,
    ask: string,
    says: 'yes' | 'no',
  ): Promise<Extract<CallAnswer, { kind: 'refused' }> | undefined>;
  /** Settles when the ask is answered by whomever, when `signal` aborts, or after these milliseconds. */
  answered(ask: string, milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A message that never became a call. */
export interface Rejection {
  readonly session?: SessionId;
  /** The credential that came with it, where no session was opened. */
  readonly key?: KeyId;
  readonly code: 'malformed_arguments' | 'surface_closed' | 'no_such_cap';
  /** What was wrong; never the message itself. */
  readonly why: string;
}

/** One reading of what a loaded skill holds. */
export interface SkillReading {
  readonly session: SessionId;
  readonly skill: LoadedSkill;
  /** What is handed out, or what it is taken from. */
  readonly file: SkillFile;
  readonly what: { readonly uri: string } | { readonly prompt: string };
}

/** Loaded skills as sessions read them. */
export interface SkillReadings {
  /** Those of a session at this moment; none for one that is gone, frozen, or whose capabilities died. */
  served(session: SessionId): readonly LoadedSkill[];
  /**
   * Writes down, durably, that a session reads, and then sees whether it still may; undefined where it may, and what was read when
   * the skill was loaded is handed out in that step. Never rejects.
   */
  read(reading: SkillReading): Promise<Denial | Fault | undefined>;
}

/** The mediation point as the wire sees it. */
export interface Gate {
  /**
   * One session per credential while it lives: the same credential gets the same session again. `anew`, at the begin of a
   * connection or a conversation, replaces one whose capabilities died with an epoch, or that was revoked.
   */
  openSession(credential: Credential, anew?: boolean): GateSession | Denial;
  /** The session's tools in a deterministic order; empty for a session that is gone. */
  list(session: SessionId): readonly ListedTool[];
  /** The child session of that name, of this very session; absent where nothing can be delegated. */
  child?(session: SessionId, name: string): SessionId | undefined;
  /** Exact match in that session's own table; or a handle that leads nowhere there, so that the audit can say why. */
  locate(session: SessionId, name: string): Handle | undefined;
  /** Takes note of a message that was answered without a call: no valid request, or a closed method. For the audit only. */
  rejected(rejection: Rejection): void;
  /** Mediates one call; every call gets an answer and the promise never rejects. */
  call(request: GateRequest): Promise<CallAnswer>;
  /** Where calls that ask are delivered; without it every ask is answered with its id alone. */
  readonly asks?: AskDesk;
  /** Skills that sessions may read; without it there are none. */
  readonly skills?: SkillReadings;
}
