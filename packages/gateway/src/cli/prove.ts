/** The proof itself, as the prover's thread runs it: both sources compiled, then compared. */
import {
  type Comparison,
  type CompiledPolicy,
  type GenerationSource,
  comparePolicies,
  judgeCall,
} from '@pawl/core';
import { compileSource } from './source.js';

/** Compares two sources. Throws where one of them cannot be compiled any more. */
export function prove(old: GenerationSource, next: GenerationSource): Comparison {
  const [before, after] = [compiled('OLD', old), compiled('NEW', next)];
  return comparePolicies({ old: before, next: after, judge: judgeCall });
}

function compiled(which: string, source: GenerationSource): CompiledPolicy {
  const loaded = compileSource(which, source);
  if (loaded.ok) return loaded.policy;
  throw new Error(`${which} cannot be compiled: ${loaded.problems[0]?.message ?? 'it has no agents'}`);
}
