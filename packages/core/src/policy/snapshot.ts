/** A snapshot: one generation of everything that decides, frozen. */
import {
  type Denial,
  type Digest,
  type ExecutorId,
  type Json,
  type StoreId,
  canonicalJson,
  denial,
  parseAgentName,
  sha256,
} from '../ground/index.js';
import type { ExecutorPolicy } from './compile-input.js';
import { type CompiledPolicy, executorPolicy } from './compile.js';

/** A generation: its place in the chain of its store, and the hash of everything that decides. */
export interface Generation {
  readonly number: number;
  readonly hash: Digest;
  readonly store: StoreId;
}

/** One frozen image of policy. INVARIANT(S000.frozen-snapshot): never changed after it was made; a reload makes another one. */
export interface Snapshot {
  readonly generation: Generation;
  readonly policy: CompiledPolicy;
  /** Epoch of every executor; one that is not there has epoch 0. */
  readonly epochs: ReadonlyMap<ExecutorId, number>;
  /** Generation number to hash, for every generation of the chain that leads here, this one included. */
  readonly lineage: ReadonlyMap<number, Digest>;
}

/** Meaning of documents and connectors in this version; moves whenever either moves. */
export const semanticsVersion = 1;

/** Hash of everything that decides: the parts are plain JSON, in any order of members. */
export function generationHash(parts: Readonly<Record<string, Json>>): Digest {
  return sha256(canonicalJson({ ...parts, semantics: semanticsVersion }));
}

/** The executor of a call. The gate is never skipped: no agent, or no instance where one is needed, is a refusal. */
export function executorOf(
  policy: CompiledPolicy,
  agent: string | undefined,
  instance: string | undefined,
): ExecutorPolicy | Denial {
  const name = agent === undefined ? undefined : parseAgentName(agent);
  if (name === undefined || !policy.agents.has(name)) {
    const message =
      'This call comes from no agent that the policy knows. Ask the operator for a key of an agent.';
    return denial({ code: 'no_agent', layer: 'agent', message });
  }
  const found = executorPolicy(policy, name, instance);
  if (found !== undefined) return found;
  const message =
    instance === undefined
      ? `Agent ${name} acts only through an instance. Ask the operator for a key of an instance.`
      : `Agent ${name} has no such instance. Ask the operator for a key of a declared instance.`;
  return denial({ code: 'no_instance', layer: 'agent', message });
}
