/** Compiling a policy of the benchmark at once. */
import type { CompiledPolicy } from '@pawl/core';
import { compileRead, readPolicyText } from '../../packages/gateway/src/config/index.js';
import { catalogOf, toolsFor } from './policies.js';

const catalog = catalogOf(toolsFor(1000));

/** The compiled policy of a text, with an earlier one at hand or alone. Throws where it has problems. */
export function finishedPolicy(text: string, before?: CompiledPolicy): CompiledPolicy {
  const read = readPolicyText('policy.json', text);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const loaded = compileRead(read.policy, {
    tools: catalog,
    vanishedTool: 'finding',
    ...(before && { before }),
  });
  if (!loaded.ok) throw new Error(loaded.problems[0]?.message);
  return loaded.policy;
}
