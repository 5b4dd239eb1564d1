/** Whose calls they are where a line does not say it. */
import type { CompiledPolicy } from '@pawl/core';
import type { CommandInput } from './command.js';

/** The agent of lines that name none: the option `--agent`, else the only one there is; and the option `--instance`. */
export function executorDefaults(
  input: CommandInput,
  policy: CompiledPolicy,
): { readonly agent?: string; readonly instance?: string } {
  const [only, second] = policy.agents.keys();
  const agent = input.text('agent') ?? (second === undefined ? only : undefined);
  const instance = input.text('instance');
  return { ...(agent === undefined ? {} : { agent }), ...(instance === undefined ? {} : { instance }) };
}
