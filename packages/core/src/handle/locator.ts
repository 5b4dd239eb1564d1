/** The locator: from a handle in a session to the actor behind it. */
import type { DeadReason, Digest, Handle, SessionId } from '../ground/index.js';
import type { Ref } from '../vat/index.js';
import type { Mount, Session, Sessions } from './session.js';

/** What a model reads for every handle and every name that leads nowhere, whatever the reason. */
export const noSuchCapMessage = 'no such tool in this session; list the tools again';

/** What a handle leads to. */
export interface Located {
  readonly session: Session;
  readonly mount: Mount;
  readonly ref: Ref;
}

/** Looks up handles. */
export interface Locator {
  /** The mount and its actor, or why not: for the audit only. */
  locate(session: SessionId, handle: Handle): Located | DeadReason;
  /** The session's tools, in the order of its policy; the same array while nothing changed. Empty for a session that is gone. */
  list(session: SessionId): readonly Mount[];
  /** The handle of a tool by its name in this session; exact match. */
  find(session: SessionId, name: string): Handle | undefined;
  /** What logs and audit records may hold of a handle. */
  hash(handle: Handle): Digest;
}

/** The locator of these sessions. */
export function locatorOf(_sessions: Sessions): Locator {
  throw new Error('not yet');
}
