/** Reissue: fresh capabilities for open sessions whose old ones died with an epoch. An operator's act, recorded. */
import type { AuditLog } from '../audit/index.js';
import type { ExecutorId } from '../ground/index.js';
import type { Sessions } from '../handle/index.js';

/** What a reissue needs. */
export interface ReissuePorts {
  readonly audit: Pick<AuditLog, 'note'>;
  readonly sessions: Pick<Sessions, 'all' | 'reissue'>;
}

/** How many sessions of these executors are open. */
export function openOf(
  { sessions }: Pick<ReissuePorts, 'sessions'>,
  executors: readonly ExecutorId[],
): number {
  const wanted = new Set(executors);
  return sessions.all().filter(({ executor }) => wanted.has(executor)).length;
}

/** Lets fresh capabilities be minted into the open sessions of these executors, and says into how many. Gives back nothing that was revoked. */
export function reissue({ audit, sessions }: ReissuePorts, executors: readonly ExecutorId[]): number {
  const wanted = new Set(executors);
  const open = sessions.all().filter(({ executor }) => wanted.has(executor));
  const done = open.filter(({ id }) => sessions.reissue(id));
  audit.note({
    type: 'event',
    event: 'reissued',
    data: { executors: [...wanted], sessions: done.map(({ id }) => id) },
  });
  return done.length;
}
