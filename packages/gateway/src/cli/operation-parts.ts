/** What the operations of control work on: a store, and the daemon where one runs. */
import type {
  AskView,
  Clock,
  DeclaredState,
  FrozenName,
  OperatorAct,
  Proposed,
  Reloaded,
  Revocation,
  Thawed,
} from '@pawl/core';
import type { Answer, ApprovalAnswer, LiveStatus, ReloadAsked, Role } from '../control/index.js';
import type { Store } from '../store/index.js';
import type { KnownAgents } from './known-agents.js';
import type { LiveSkills } from './live-skills.js';
import type { AcceptWish, DeclareWish } from './reloading.js';

/** What only a daemon has. */
export interface Live {
  status(): LiveStatus;
  /** The HTTP endpoint for agents, once there is one. */
  url(): string | undefined;
  /** It authorises nothing from now on, whether or not that can be stored. */
  revoked(revocation: Revocation): void;
  reload(asked: ReloadAsked): Promise<Reloaded>;
  propose(asked: Pick<ReloadAsked, 'to'>): Promise<Proposed>;
  /** In force when the call returns; rejects when it cannot be stored. False if it was frozen before. */
  freeze(name: FrozenName): Promise<boolean>;
  thaw(name: FrozenName, reissue: boolean): Promise<Thawed>;
  /** Stores a ceiling or a narrowing in a generation of its own. */
  declare(wish: DeclareWish, act: OperatorAct | undefined): Promise<Reloaded>;
  /** Stored entries as they stand to the policy in force. */
  declared(): readonly DeclaredState[];
  /** Puts waiting tool definitions in force, in a generation of their own. */
  accept(wish: AcceptWish, act: OperatorAct): Promise<Reloaded>;
  /** What waits in the store has changed. */
  pinsChanged(): Promise<void>;
  /** Asks that wait. */
  asks(): readonly AskView[];
  /** Answers an ask. */
  approve(answer: ApprovalAnswer, role: Role): Promise<Answer<AskView>>;
  /** Loaded skills; none where it is absent. */
  readonly skills?: LiveSkills;
  /** Whether an open session, or a capability in one, has this id. */
  isOpen(revocation: Revocation): boolean;
}

/** What the operations work on. */
export interface OperationParts {
  readonly store: Store;
  /** Absolute folder of the store. */
  readonly folder: string;
  readonly clock: Clock;
  /** Absent offline. */
  readonly live?: Live;
  /** Whom keys may be issued for while the store holds no generation; absent: anybody. */
  readonly agents?: KnownAgents;
}

/** The part of a daemon that changes what agents may do. */
export type LiveAuthority = Omit<Live, 'status' | 'url' | 'asks' | 'approve' | 'skills'>;
