/** The proof itself, as the prover's thread runs it: both sources compiled, then compared. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Comparison,
  type CompiledPolicy,
  type GenerationSource,
  certificateFaults,
  comparePolicies,
  judgeCall,
} from '@pawl/core';
import { compileSource } from './source.js';

interface Kept {
  readonly source: GenerationSource;
  readonly policy: CompiledPolicy;
}

/** Proves one thing after the other. What was compiled last is kept: OLD of a proof is most often a side of the one before. */
export class Proofs {
  #kept: readonly Kept[] = [];

  /**
   * Compares two sources. An attenuation counts only if its certificate passes the checker, which shares no search with the
   * prover. Throws where a source cannot be compiled any more, or a certificate does not hold: both are no proof.
   */
  prove(old: GenerationSource, next: GenerationSource): Comparison {
    const before = this.#compiled('OLD', old, this.#kept[0]?.policy);
    const now = this.#compiled('NEW', next, before.policy);
    this.#kept = [now, before];
    const pair = { old: before.policy, next: now.policy, judge: judgeCall };
    const comparison = comparePolicies(pair);
    const { certificate } = comparison;
    const [fault] = certificate === undefined ? [] : certificateFaults(certificate, pair);
    if (fault !== undefined) throw new Error(`the certificate does not hold: ${fault}`);
    return comparison;
  }

  /** By everything that the source says: a name of it is not enough. */
  #compiled(which: string, source: GenerationSource, beside: CompiledPolicy | undefined): Kept {
    const known = this.#kept.find((kept) => isDeepStrictEqual(kept.source, source));
    if (known !== undefined) return known;
    const loaded = compileSource(which, source, beside);
    if (loaded.ok) return { source, policy: loaded.policy };
    throw new Error(`${which} cannot be compiled: ${loaded.problems[0]?.message ?? 'it has no agents'}`);
  }
}

/** One proof by itself. As {@link Proofs}; both sources are compiled anew. */
export function prove(old: GenerationSource, next: GenerationSource): Comparison {
  return new Proofs().prove(old, next);
}
