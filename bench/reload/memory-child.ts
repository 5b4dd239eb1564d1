/** Prints, as JSON, the bytes that a first generation of 1,000 rules keeps and that each further one keeps after an edit of one rule. Needs `--expose-gc`. */
import type { CompiledPolicy } from '@pawl/core';
import { finishedPolicy } from './compile.js';
import { policyText } from './policies.js';

const rules = 1000;
const further = 10;
const kept: CompiledPolicy[] = [];
const { gc } = globalThis;
if (gc === undefined) throw new Error('start this with --expose-gc');

function used(): number {
  gc?.();
  gc?.();
  return process.memoryUsage().heapUsed;
}

// Everything that is made once, whatever the policy, is made before.
finishedPolicy(policyText(3));
const before = used();
kept.push(finishedPolicy(policyText(rules)));
const first = used() - before;
for (let round = 1; round <= further; round += 1)
  kept.push(finishedPolicy(policyText(rules, 500, round), kept.at(-1)));
const each = (used() - before - first) / further;
process.stdout.write(JSON.stringify({ first, each, generations: kept.length }));
