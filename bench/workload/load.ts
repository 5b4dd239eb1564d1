/** The workload: the reference files where they stand beside the repository, else made anew (the same, as a test shows). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { handIndex } from '../decision/hand.js';
import { generateCalls, generateRules } from './generate.js';
import type { WorkloadCall, WorkloadRule } from './workload.js';

/** Rules and the calls to judge by them. */
export interface Workload {
  readonly rules: readonly WorkloadRule[];
  readonly calls: readonly WorkloadCall[];
}

/** Calls that the reference files hold of each size. */
const referenceCalls = 2000;
const reference = join(import.meta.dirname, '../../../shared/data/policy-workload');

/** Whether the reference files are there. */
export const referenceStands: boolean = existsSync(reference);

/** The workload of one size. */
export function loadWorkload(rules: number, tools: number): Workload {
  return referenceStands ? referenceWorkload(rules) : generatedWorkload(rules, tools, referenceCalls);
}

/** From the reference files. */
export function referenceWorkload(size: number): Workload {
  const read = (name: string): string => readFileSync(join(reference, name), 'utf8');
  return {
    rules: JSON.parse(read(`rules-${size}.json`)),
    calls: JSON.parse(read(`calls-${size}-first${referenceCalls}.json`)),
  };
}

/** Made anew; texts come from a parser, as those of real calls do. */
export function generatedWorkload(size: number, tools: number, count: number): Workload {
  const rules = generateRules(size, tools);
  const hand = handIndex(rules);
  const calls = generateCalls(rules, count, (call) => hand(call).allow);
  return JSON.parse(JSON.stringify({ rules, calls }));
}
