/** Exclusion: two calls that touch the same thing, one of them writing, run one after the other. */
import type { CallId, SessionId } from '../ground/index.js';

/** Asks to run. Calls exclude each other within one session and one mount group only. */
export interface ExclusionRequest<Accesses = unknown> {
  readonly session: SessionId;
  /** Mounts that may share state, as the tools of one server do. */
  readonly group: string;
  readonly call: CallId;
  /** The call in whose turn this one was sent: it inherits that call's hold. */
  readonly parent?: CallId;
  /** What the call touches. Whether two of them meet is told by the test that the implementation was constructed with. */
  readonly accesses: Accesses;
  /** Whether the call may change anything. */
  readonly writes: boolean;
  /** Aborted: no longer wanted; whoever waits is let go as `busy`. */
  readonly signal: AbortSignal;
  /** Whether the capability of the call still authorises; asked of whoever waits by {@link ExclusionPort.recheck}. Absent: it does. */
  readonly lives?: () => boolean;
}

/** The right to run until released. */
export interface Hold {
  /** Lets the next one run; further calls do nothing. */
  release(): void;
}

/** Who may run when. First come, first served; `busy` after the longest wait. A hold at once, and not by a promise, where nobody waits. */
export interface ExclusionPort<Accesses = unknown> {
  /** Never rejects. */
  enter(request: ExclusionRequest<Accesses>): Hold | Promise<Hold | 'busy'>;
  /** Something was revoked: whoever waits by a capability that is dead is let go, and stands in nobody's way. */
  recheck?(): void;
}

const free: Hold = Object.freeze({ release: (): void => {} });

/** No exclusion: everybody runs at once. */
export const noExclusion: ExclusionPort = Object.freeze({ enter: (): Hold => free });
