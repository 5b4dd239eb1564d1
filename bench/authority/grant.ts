/** What somebody may do with the tools of a suite: the plain description from which a policy is written and by which calls are judged apart from Pawl. */
import type { Json } from '@pawl/core';

/** What one argument may be. */
export interface Binding {
  /** Names from the argument inwards; a list on the way means each of its elements. */
  readonly path: readonly [string, ...string[]];
  /** What it, or each of its elements, may be; none: it has to be absent, or a list without elements. */
  readonly values: readonly Json[];
  /** Whether it may be left out. */
  readonly optional: boolean;
  /** Whether it is a list of such values. */
  readonly list: boolean;
}

/** What one tool may be called with: unbound arguments are free. */
export interface ToolGrant {
  readonly tool: string;
  readonly bindings: readonly Binding[];
  /** Calls in one session; unlimited when absent. */
  readonly uses?: number;
}

/** Every tool that is granted, once. */
export type Grant = readonly ToolGrant[];
