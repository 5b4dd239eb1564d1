/** The thread in which policies are compared: one question in, one answer out. */
import { parentPort } from 'node:worker_threads';
import type { Comparison, GenerationSource } from '@pawl/core';
import { Proofs } from './prove.js';

/** What is asked. */
export interface ProofQuestion {
  readonly old: GenerationSource;
  readonly next: GenerationSource;
}

/** What is answered. */
export type ProofAnswer =
  | { readonly ok: true; readonly comparison: Comparison }
  | { readonly ok: false; readonly why: string };

const proofs = new Proofs();
const port = parentPort;
port?.on('message', ({ old, next }: ProofQuestion) => {
  port.postMessage(answerTo(old, next));
});

function answerTo(old: GenerationSource, next: GenerationSource): ProofAnswer {
  try {
    return { ok: true, comparison: proofs.prove(old, next) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
