/** Ceilings and narrowings: names that are no connector and no server, and fields that nothing has. */
import { type Limit, type LimitTarget, checkLimit } from '../ceiling/index.js';
import type { Field, FieldContext } from '../connector/index.js';
import type { AgentInput } from './compile-input.js';
import { anywhere, limitTargets } from './limit-targets.js';

/** Notes what is wrong with where limits point. A connector of which there is no tool here is silent. */
export function checkLimits(
  { servers, input }: Pick<AgentInput, 'servers' | 'input'>,
  context: FieldContext,
  limits: readonly Limit[],
): void {
  if (limits.length === 0) return;
  const targets = limitTargets({ servers, connectors: input.document.connectors });
  for (const limit of limits) {
    const target = targets.at(limit.on);
    if (target !== undefined) for (const field of limit.fields) checkField(context, limit, field, target);
    else {
      const found = `${limit.on}, which is no connector and no server`;
      context.expect.problem(limit.at, limit.path, found, targets.names);
    }
  }
}

/**
 * The constraint on its own, for every server that it concerns, or for its connector where there is none. A root or home that
 * a server does not have is missed only by a tool of it that the agent has.
 */
function checkField(context: FieldContext, limit: Limit, field: Field, target: LimitTarget): void {
  if (!target.has(field)) {
    context.expect.problem(field.at, limit.path, `field ${field.name}`, target.fields);
    return;
  }
  for (const { frame } of target.grounds)
    checkLimit(context, { ...frame, paths: { ...anywhere, ...frame.paths } }, field);
}
