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
  /** Monotonic, milliseconds: over from then on. */
  readonly expiresAt: number;
}

/** A tool in a session. Frozen; the same object while it is mounted there under one handle. */
export interface Mount {
  readonly handle: Handle;
  /** As the model knows it: valid in this session only. */
  readonly name: string;
  readonly tool: ToolName;
  readonly capability: Capability;
  readonly definition: JsonObject;
  readonly digest: Digest;
}
