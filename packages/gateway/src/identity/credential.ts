/** Whom a presented secret stands for. */
import type { AgentName, KeyId } from '@pawl/core';

/** A verified credential: the key it was presented with, and the agent (or instance of it) that it acts as. */
export interface Credential {
  readonly key: KeyId;
  readonly agent: AgentName;
  readonly instance?: string;
}
