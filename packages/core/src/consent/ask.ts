/** One ask: what is asked, and how it stands. */
import type { Digest, ExecutorId, SessionId, ToolName } from '../ground/index.js';
import type { ConsentRequest, ConsentScope } from './approval.js';

/** How an ask stands. */
export type AskState = 'waiting' | 'approved' | 'refused';

/** An ask as it is kept. */
export interface Ask {
  readonly id: string;
  readonly request: ConsentRequest;
  state: AskState;
  /** What a yes is for: never more than was shown, nor than the rules let stand when it was asked last. */
  level: ConsentScope;
  /** Monotonic, milliseconds, as `until`. */
  readonly asked: number;
  /** Until when it may be answered, and, once answered, until when the answer stands. */
  until: number;
}

/** An ask as people see it. Plain JSON. */
export interface AskView {
  readonly id: string;
  readonly state: AskState;
  readonly session: SessionId;
  readonly executor: ExecutorId;
  readonly tool: ToolName;
  readonly toolDigest: Digest;
  readonly argumentsDigest: Digest;
  /** The text that the answer is about. */
  readonly shown: string;
  /** What a yes is for: this call, or this very call again in the session. */
  readonly level: ConsentScope;
  /** Milliseconds since it was asked. */
  readonly age: number;
  /** Milliseconds until it expires; absent where it holds as long as its session. */
  readonly left?: number;
}

/** The view at a time of the monotonic clock. */
export function viewOf({ id, request, state, level, asked, until }: Ask, now: number): AskView {
  const { session, executor, tool, toolDigest, argumentsDigest, shown } = request;
  const left = until === Infinity ? {} : { left: Math.max(0, Math.round(until - now)) };
  const age = Math.round(now - asked);
  return { id, state, session, executor, tool, toolDigest, argumentsDigest, shown, level, age, ...left };
}
