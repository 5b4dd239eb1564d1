/** The certificate of a comparison as plain JSON: what proves, tool by tool, that nothing was gained. */
import type { ExecutorId, Json } from '../../ground/index.js';
import { canonicalJson, readJson } from '../../ground/index.js';
import type { ExecutorAnswer } from './executor.js';

/** Version of the form. */
export const certificateVersion = 1;

/** Puts proofs together. */
export function certificateOf(proofs: Readonly<Record<ExecutorId, ExecutorAnswer['proofs']>>): Json {
  return readJson(canonicalJson({ pawl: certificateVersion, executors: readJson(JSON.stringify(proofs)) ?? {} })) ?? null;
}
