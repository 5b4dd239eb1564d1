/** Sessions: opened by a presented credential, never by a connection; each with its own mounts. */
import type { Freezes, Revocations } from '../capability/index.js';
import {
  type Clock,
  type Entropy,
  type Handle,
  type KeyId,
  type SessionId,
  UsageError,
  base32,
  mintId,
} from '../ground/index.js';
import type { Current } from '../policy/index.js';
import { Ledger } from './ledger.js';
import { Children } from './children.js';
import { Mounts, type SkillTools, type Surroundings } from './mounts.js';
import type { Child, Opening, Session } from './opening.js';
import type { Registry } from './registry.js';

/** What sessions are kept with. */
export interface SessionsOptions {
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Milliseconds that a session lives, on the monotonic clock. Where it is a function, a lower answer later on shortens it. */
  readonly ttl: number | (() => number);
  readonly registry: Registry;
  readonly current: Current;
  readonly revocations: Revocations;
  /** Who is frozen, and so has no tools; nobody where it is absent. */
  readonly freezes?: Freezes;
  /** Handles that a session holds at most; 512 unless told. */
  readonly perSession?: number;
  /** Tools of loaded skills; none where it is absent. */
  readonly skills?: SkillTools;
}

interface Kept {
  readonly session: Session;
  readonly mounts: Mounts;
}

/** All sessions of this process: at most one for each key. */
export class Sessions {
  /** What all sessions share; for the locator. */
  readonly around: Surroundings;
  readonly #ttl: () => number;
  /** In the order of opening, which is that of expiry while the TTL stays; one that a shorter TTL ends earlier is swept later. */
  readonly #kept = new Map<SessionId, Kept>();
  readonly #byKey = new Map<KeyId, SessionId>();
  readonly #children = new Children();

  /** Throws UsageError for a TTL or a number of handles that is not above 0. */
  constructor({ ttl, perSession = 512, ...powers }: SessionsOptions) {
    if (typeof ttl === 'number' && !(ttl > 0))
      throw new UsageError(`ttl is ${ttl}; allowed are milliseconds above 0`);
    if (!(Number.isSafeInteger(perSession) && perSession > 0)) {
      throw new UsageError(`perSession is ${perSession}; allowed is a whole number above 0`);
    }
    const ledger = new Ledger(powers.entropy.bytes(32));
    this.#ttl = typeof ttl === 'number' ? () => ttl : ttl;
    this.around = Object.freeze({ ...powers, ledger, perSession });
  }

  /**
   * The session of a key: the one that lives, or a new one. The credential was verified by the caller, and its executor is known to
   * the policy. Undefined when key or executor was revoked. A key that now stands for another executor ends its old session.
   */
  open(opening: Opening): Session | undefined {
    this.#sweep();
    const before = this.#byKey.get(opening.key);
    const living = before && this.get(before);
    if (living?.executor === opening.executor) return living;
    if (before !== undefined) this.close(before);
    return this.#isRevoked(opening) ? undefined : this.#keep(opening);
  }

  /**
   * As `open`, in the middle of a conversation: a session that was revoked is not replaced, nor one of a revoked key or
   * executor ended. Undefined then.
   */
  resume(opening: Opening): Session | undefined {
    const before = this.#byKey.get(opening.key);
    const revoked = before !== undefined && this.around.revocations.has({ kind: 'session', id: before });
    return revoked || this.#isRevoked(opening) ? undefined : this.open(opening);
  }

  /**
   * As `open`, for a credential that is presented anew, at the begin of a connection or a conversation: a session that
   * was revoked, or whose capabilities died with an epoch, is ended and another one opened.
   */
  openAnew(opening: Opening): Session | undefined {
    const before = this.#byKey.get(opening.key);
    if (before !== undefined && this.mountsOf(before)?.isMoved() !== false) this.close(before);
    return this.open(opening);
  }

  /**
   * Opens a child of a living session for what that delegated; it ends with its parent, or after `ttl` milliseconds. Undefined
   * when the parent is gone, `full` when the credential's session has as many children as it may have.
   */
  openChild(
    parent: SessionId,
    { delegation, through }: Pick<Child, 'delegation' | 'through'>,
    ttl: number = Infinity,
  ): ChildOpened | 'full' | undefined {
    this.#sweepChildren();
    const above = this.get(parent);
    if (above === undefined) return undefined;
    const root = above.child?.root ?? above.id;
    if (this.#children.of(root).length >= mostChildren) return 'full';
    const child: Child = Object.freeze({ parent, root, delegation, through });
    const session = this.#keep(above, { child, above, ttl });
    const name = `sub_${base32(this.around.entropy.bytes(16))}`;
    this.#children.add(root, name, session.id);
    return { session, name };
  }

  /**
   * The child session of this name, of the session of a credential or of its children; living or not, as long as it is
   * remembered. A name says nothing beside another session.
   */
  childOf(root: SessionId, name: string): SessionId | undefined {
    return this.#children.find(root, name);
  }

  /** The session; undefined when it is unknown, closed, expired or revoked, or its parent is. */
  get(id: SessionId): Session | undefined {
    const session = this.#kept.get(id)?.session;
    if (session === undefined || this.#isOver(session) || this.#isRevoked(session)) return undefined;
    const { child } = session;
    return child === undefined || this.get(child.parent) !== undefined ? session : undefined;
  }

  /** The handle that the name of a tool stands for, or stood for, in a session that is kept: for the audit of a call by it. */
  formerHandle(id: SessionId, name: string): Handle | undefined {
    return this.#kept.get(id)?.mounts.formerHandle(name);
  }

  /** The session that a key opened last and that was not closed, even if it was revoked: its calls still get their own answer. */
  lastOf(key: KeyId): SessionId | undefined {
    return this.#byKey.get(key);
  }

  /** Ends a session with all its handles. Further calls do nothing. */
  close(id: SessionId): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    for (const [below, { session }] of this.#kept) if (session.child?.parent === id) this.close(below);
    kept.mounts.end('expired');
    this.#kept.delete(id);
    this.#children.forget(id);
    if (this.#byKey.get(kept.session.key) === id) this.#byKey.delete(kept.session.key);
  }

  /** Gives every mount of a living session another handle; the old ones are dead. Capabilities stay as they are. */
  rotate(id: SessionId): void {
    this.mountsOf(id)?.rotate();
  }

  /**
   * The operator's act after an epoch moved: lets fresh capabilities be minted into the open session, which has none until then.
   * Gives nothing back that was revoked. False when the session is gone, and for a child: what was delegated is delegated anew.
   */
  reissue(id: SessionId): boolean {
    if (this.get(id)?.child !== undefined) return false;
    const mounts = this.mountsOf(id);
    mounts?.reissue();
    return mounts !== undefined;
  }

  /** The living sessions, in the order of opening. */
  all(): readonly Session[] {
    return [...this.#kept.keys()].map((id) => this.get(id)).filter((session) => session !== undefined);
  }

  /** When a session is over, for one that was not swept yet; undefined for others. For the locator. */
  expiryOf(id: SessionId): number | undefined {
    return this.#kept.get(id)?.session.expiresAt;
  }

  /** The mounts of a living session. For the locator. */
  mountsOf(id: SessionId): Mounts | undefined {
    return this.get(id) && this.#kept.get(id)?.mounts;
  }

  #keep({ key, executor, agent, instance }: Opening, under?: Under): Session {
    const id = mintId.session(`s_${base32(this.around.entropy.bytes(16))}`);
    const opened = { id, key, executor, agent, instance };
    const now = this.around.clock.monotonic();
    const session = under === undefined ? sessionFrom(opened, now, this.#ttl) : childFrom(opened, now, under);
    const parent = under && this.#kept.get(under.above.id)?.mounts;
    this.#kept.set(id, { session, mounts: new Mounts(session, this.around, parent) });
    if (under === undefined) this.#byKey.set(key, id);
    return session;
  }

  #isOver({ expiresAt }: Session): boolean {
    return this.around.clock.monotonic() >= expiresAt;
  }

  #isRevoked({ key, executor, ...session }: Opening & Partial<Session>): boolean {
    const { revocations } = this.around;
    if (session.id !== undefined && revocations.has({ kind: 'session', id: session.id })) return true;
    const executors = [executor, ...(session.child?.through ?? [])];
    return (
      revocations.has({ kind: 'key', id: key }) ||
      executors.some((each) => revocations.has({ kind: 'executor', id: each }))
    );
  }

  #sweep(): void {
    for (const [id, { session }] of this.#kept) {
      if (!this.#isOver(session)) return;
      this.close(id);
    }
  }

  #sweepChildren(): void {
    for (const id of this.#children.all()) {
      const session = this.#kept.get(id)?.session;
      if (session === undefined || this.#isOver(session)) this.close(id);
    }
  }
}

/** Under what a child is kept. */
interface Under {
  readonly child: Child;
  readonly above: Session;
  readonly ttl: number;
}

/** Children that the session of a credential has at most, those of its children included. */
const mostChildren = 64;

/** A session that was opened for what another one delegated. */
export interface ChildOpened {
  readonly session: Session;
  /** By which the holder of the credential addresses it; unguessable, and of no use beside another credential. */
  readonly name: string;
}

/** A session that lives as long as the TTL at its opening said, and no longer than the one of any later moment says. */
function sessionFrom(opened: Omit<Session, 'expiresAt'>, now: number, ttl: () => number): Session {
  const latest = now + ttl();
  return Object.freeze({
    ...opened,
    get expiresAt() {
      return Math.min(latest, now + ttl());
    },
  });
}

/** A session that lives no longer than its parent. */
function childFrom(opened: Omit<Session, 'expiresAt'>, now: number, { child, above, ttl }: Under): Session {
  const latest = now + ttl;
  return Object.freeze({
    ...opened,
    child,
    get expiresAt() {
      return Math.min(latest, above.expiresAt);
    },
  });
}
