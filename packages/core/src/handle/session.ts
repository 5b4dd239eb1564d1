/** Sessions: opened by a presented credential, each with its own table of mounts. */
import type { Capability, Revocations } from '../capability/index.js';
import type {
  AgentName,
  Clock,
  Digest,
  Entropy,
  ExecutorId,
  Handle,
  JsonObject,
  KeyId,
  SessionId,
  ToolName,
} from '../ground/index.js';
import type { Current } from '../policy/index.js';
import type { Registry } from './registry.js';

/** An open session. Frozen. */
export interface Session {
  readonly id: SessionId;
  readonly key: KeyId;
  readonly executor: ExecutorId;
  readonly agent: AgentName;
  readonly instance: string | undefined;
  /** Monotonic, milliseconds: over from then on. */
  readonly expiresAt: number;
}

/** What a credential says of its holder. */
export interface Opening {
  readonly key: KeyId;
  readonly executor: ExecutorId;
  readonly agent: AgentName;
  readonly instance?: string | undefined;
}

/** A tool in a session. Frozen; the same object while it is mounted there. */
export interface Mount {
  readonly handle: Handle;
  /** As the model knows it: valid in this session only. */
  readonly name: string;
  readonly tool: ToolName;
  readonly capability: Capability;
  readonly definition: JsonObject;
  readonly digest: Digest;
}

/** What sessions are kept with. */
export interface SessionsOptions {
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Milliseconds that a session lives. */
  readonly ttl: number;
  readonly registry: Registry;
  readonly current: Current;
  readonly revocations: Revocations;
  /** Handles that a session holds at most; 512 unless told. */
  readonly perSession?: number;
}

/** All sessions of this process. */
export class Sessions {
  constructor(_options: SessionsOptions) {
    throw new Error('not yet');
  }

  /** One session a key while it lives. Undefined when the key or the executor was revoked. */
  open(_opening: Opening): Session | undefined {
    throw new Error('not yet');
  }

  /** The session, or undefined when it is unknown, closed or expired. */
  get(_id: SessionId): Session | undefined {
    throw new Error('not yet');
  }

  /** Ends a session with all its handles. */
  close(_id: SessionId): void {
    throw new Error('not yet');
  }

  /** Gives every mount of the session another handle; the old ones are dead. */
  rotate(_id: SessionId): void {
    throw new Error('not yet');
  }

  /** After an epoch moved: mints fresh capabilities into the open session, which has none until then. False when it is gone. */
  reissue(_id: SessionId): boolean {
    throw new Error('not yet');
  }
}
