/** The locator: from a handle in a session to the actor behind it. */
import { type Capability, type Lifeline, deadReason } from '../capability/index.js';
import { type DeadReason, type Digest, type Handle, type SessionId, mintId } from '../ground/index.js';
import type { Snapshot } from '../policy/index.js';
import type { Ref } from '../vat/index.js';
import type { Found, Lease } from './ledger.js';
import type { Mount, Session } from './opening.js';
import type { Sessions } from './session.js';

/** What a model reads for every handle and every name that leads nowhere, whatever the reason. */
export const noSuchCapMessage = 'no such tool in this session; list the tools again';

/** What a handle leads to. */
export interface Located {
  readonly session: Session;
  readonly mount: Mount;
  readonly ref: Ref;
  /** Whether whoever mounted it vouches that it changes nothing. */
  readonly reads: boolean;
}

/** Looks up handles and names of sessions. */
export interface Locator {
  /**
   * The mount and its actor, or why not: for the audit only. Undefined stands for a handle that is missing. An unknown, a
   * foreign, an expired, a revoked and a missing handle all cost the same: one keyed hash, two lookups by that hash, and one
   * comparison of a capability (its own, or one that nobody ever held); only then the reason is named. No step compares the
   * characters of a handle with those of another; what is looked up is a hash under a secret salt.
   */
  locate(session: SessionId, handle: Handle | undefined): Located | DeadReason;
  /**
   * What a handle of this session stands for, or stood for as long as that is remembered: for the audit of a call that
   * `locate` has answered with a reason. Costs the same whatever the handle.
   */
  remembered(session: SessionId, handle: Handle | undefined): Capability | undefined;
  /** The session's tools, in the order of its policy; the same array while nothing changed. Empty for a session that is gone. */
  list(session: SessionId): readonly Mount[];
  /** The handle of a tool by its name in this session: exact match, no folding. A tool that is no longer listed but lives is found. */
  find(session: SessionId, name: string): Handle | undefined;
  /** The last handle that a name had in this session, dead or alive: a call by it is refused, and its audit says why. */
  former(session: SessionId, name: string): Handle | undefined;
  /** What logs and audit records may hold of a handle. */
  hash(handle: Handle): Digest;
}

/** The locator of these sessions. */
export function locatorOf(sessions: Sessions): Locator {
  const nobody = standIn();
  return Object.freeze({
    locate: (session: SessionId, handle: Handle | undefined) => locate(sessions, nobody, session, handle),
    remembered: (session: SessionId, handle: Handle | undefined) => remembered(sessions, session, handle),
    list: (session: SessionId) => sessions.mountsOf(session)?.list() ?? nothing,
    find: (session: SessionId, name: string) => sessions.mountsOf(session)?.find(name)?.handle,
    former: (session: SessionId, name: string) => sessions.formerHandle(session, name),
    hash: (handle: Handle) => sessions.around.ledger.hash(handle),
  });
}

function remembered(
  { around: { ledger } }: Sessions,
  session: SessionId,
  handle: Handle | undefined,
): Capability | undefined {
  const { lease, grave } = ledger.find(handle);
  const found = lease === undefined ? grave?.capability : lease.mount.capability;
  return found?.session === session ? found : undefined;
}

const nothing: readonly Mount[] = Object.freeze([]);

/** Gives the life of a capability that nobody ever held, pinned to the snapshot that it is judged under. */
type StandIn = (snapshot: Snapshot) => Lifeline;

function standIn(): StandIn {
  let life: Lifeline | undefined;
  return ({ generation }) => {
    if (life?.generation === generation) return life;
    const epochs = new Map([[mintId.executor('nobody'), 0]]);
    const ids = { id: mintId.cap('nobody'), session: mintId.session('nobody'), key: mintId.key('nobody') };
    life = Object.freeze({ ...ids, generation, epochs });
    return life;
  };
}

function locate(
  sessions: Sessions,
  nobody: StandIn,
  id: SessionId,
  handle: Handle | undefined,
): Located | DeadReason {
  const { ledger, registry } = sessions.around;
  sessions.mountsOf(id)?.list();
  const found = ledger.find(handle);
  const dead = judge(found, id, lifeReason(sessions, nobody, id, found.lease));
  const session = sessions.get(id);
  const mount = found.lease?.mount;
  const mounted = mount && registry.table().get(mount.tool);
  if (dead !== undefined) return dead;
  if (session === undefined || mount === undefined || mounted === undefined) return 'unknown';
  return Object.freeze({ session, mount, ref: mounted.ref, reads: mounted.reads === true });
}

function lifeReason(
  sessions: Sessions,
  nobody: StandIn,
  id: SessionId,
  lease: Lease | undefined,
): DeadReason | undefined {
  const { around } = sessions;
  const snapshot = around.current.peek();
  if (snapshot === undefined) return 'generation_not_pinned';
  const stranger = nobody(snapshot);
  return deadReason(lease?.mount.capability ?? stranger, snapshot, {
    revocations: around.revocations,
    now: around.clock.monotonic(),
    expiresAt: sessions.expiryOf(id) ?? 0,
  });
}

/** Names the reason: `life` is that of the capability, or of one that nobody held. */
function judge(
  { lease, grave }: Found,
  session: SessionId,
  life: DeadReason | undefined,
): DeadReason | undefined {
  if (lease === undefined && grave === undefined) return 'unknown';
  if ((lease ?? grave)?.session !== session) return 'foreign';
  return grave?.reason ?? life;
}
