/** The proof itself, as the prover's thread runs it: both sources compiled, then compared. */
import {
  type Comparison,
  type CompiledPolicy,
  type GenerationSource,
  certificateFaults,
  comparePolicies,
  judgeCall,
} from '@pawl/core';
import { compileSource } from './source.js';

/**
 * Compares two sources. An attenuation counts only if its certificate passes the checker, which shares no search with the prover.
 * Throws where a source cannot be compiled any more, or a certificate does not hold: both are no proof.
 */
export function prove(old: GenerationSource, next: GenerationSource): Comparison {
  const pair = { old: compiled('OLD', old), next: compiled('NEW', next), judge: judgeCall };
  const comparison = comparePolicies(pair);
  const { certificate } = comparison;
  const [fault] = certificate === undefined ? [] : certificateFaults(certificate, pair);
  if (fault !== undefined) throw new Error(`the certificate does not hold: ${fault}`);
  return comparison;
}

function compiled(which: string, source: GenerationSource): CompiledPolicy {
  const loaded = compileSource(which, source);
  if (loaded.ok) return loaded.policy;
  throw new Error(`${which} cannot be compiled: ${loaded.problems[0]?.message ?? 'it has no agents'}`);
}
