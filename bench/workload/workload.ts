/** The workload of the decision benchmark: allow rules, and calls with the verdict that is expected. */

/** Constraints on arguments; one that is declared fails where the argument is missing. */
export interface RuleArguments {
  readonly mode?: { readonly enum: readonly string[] };
  readonly size?: { readonly min: number; readonly max: number };
  readonly host?: { readonly suffix: string };
  readonly ref?: { readonly prefix: string };
}

/** One allow rule. In `resource`, `**` means one segment or more at the end and none or more inside. */
export interface WorkloadRule {
  readonly id: string;
  readonly tool: string;
  readonly verb: string;
  readonly resource: string;
  readonly args: RuleArguments;
}

/** Arguments of a call. */
export interface CallArguments {
  mode?: string;
  size?: number;
  host?: string;
  ref?: string;
}

/** One call. */
export interface WorkloadCall {
  readonly tool: string;
  readonly verb: string;
  readonly resource: string;
  readonly args: CallArguments;
  readonly allow: boolean;
}

/** Numbers of rules that are measured, each with its number of tools. */
export const sizes = [
  { rules: 20, tools: 5 },
  { rules: 200, tools: 25 },
  { rules: 2000, tools: 100 },
] as const;
