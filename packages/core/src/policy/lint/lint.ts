/** Lint: findings about a policy that loads, of what its author is likely not to have meant. */
import type { LoadProblem } from '../../ground/index.js';
import type { CompiledPolicy } from '../compile.js';
import type { PolicyDocument } from '../document.js';
import { redundantRules } from '../redundant.js';
import { claims } from './claims.js';
import { openGroups } from './groups.js';
import { idleRules } from './idle.js';
import { findings } from './note.js';
import { unusableRecursion } from './recursion.js';
import { exposedCredentials } from './servers.js';

/**
 * Findings about a document and what it compiled to, beyond those of loading, in the order of the document: claims that contradict what may be reached, groups of
 * arguments left open, recursive tools that nothing can use, rules that are idle or redundant, credentials that others can read.
 * What would take too long to see is not told.
 */
export function lintPolicy(
  { agents, servers }: Pick<PolicyDocument, 'agents' | 'servers'>,
  compiled: CompiledPolicy,
): readonly LoadProblem[] {
  const policy = { ...compiled, agents };
  const { found, note } = findings();
  claims(policy, note);
  openGroups(policy, note);
  unusableRecursion(policy, note);
  idleRules(policy, note);
  exposedCredentials(servers, note);
  const idle = new Set(found.map(({ path }) => path));
  const redundant = redundantRules(policy).filter(({ path }) => !idle.has(path));
  return [...found, ...redundant].toSorted((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}
