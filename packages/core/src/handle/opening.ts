/** What opens a session, an open session, and a tool mounted in one. */
import type { Capability } from '../capability/index.js';
import type {
  AgentName,
  Digest,
  ExecutorId,
  Handle,
  JsonObject,
  KeyId,
  SessionId,
  ToolName,
} from '../ground/index.js';
import type { Delegation } from '../policy/index.js';
import type { ConfinedBy } from './registry.js';

/** What a presented credential says of its holder. */
export interface Opening {
  readonly key: KeyId;
  readonly executor: ExecutorId;
  readonly agent: AgentName;
  readonly instance?: string | undefined;
}

/** An open session. Frozen. */
export interface Session {
  readonly id: SessionId;
  readonly key: KeyId;
  readonly executor: ExecutorId;
  readonly agent: AgentName;
  readonly instance: string | undefined;
  /** Monotonic, milliseconds: over from then on. Comes nearer when the TTL in force is lowered, and never moves past what it was at the opening. */
  readonly expiresAt: number;
  /** Of a session that another one opened by delegating. */
  readonly child?: Child;
}

/** What makes a session another one's child. */
export interface Child {
  /** The session that delegated. */
  readonly parent: SessionId;
  /** The one whose credential stands behind all of them. Budgets and limits of sessions are counted there. */
  readonly root: SessionId;
  readonly delegation: Delegation;
  /** Other executors whose authority is met. */
  readonly through: readonly ExecutorId[];
}

/** A tool in a session. Frozen; the same object while it is mounted there under one handle. */
export interface Mount {
  readonly handle: Handle;
  /** By which the model calls it: valid in this session only, and with `exposure: opaque` a handle, so never to be written down. */
  readonly name: string;
  /** The readable name, whatever the exposure: for titles, refusals and records. */
  readonly title: string;
  readonly tool: ToolName;
  readonly capability: Capability;
  readonly definition: JsonObject;
  readonly digest: Digest;
  readonly confinement: 'object' | 'name';
  /** What holds it to that, where something does. */
  readonly confinedBy?: ConfinedBy;
}
