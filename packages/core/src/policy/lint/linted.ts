/** What lint looks at: a compiled policy, and the rules as its document states them. */
import type { CompiledPolicy } from '../compile.js';
import type { PolicyDocument } from '../document.js';

/** A compiled policy with the agents of the document that it was compiled from. */
export interface LintedPolicy extends Omit<CompiledPolicy, 'agents'> {
  readonly agents: PolicyDocument['agents'];
}
