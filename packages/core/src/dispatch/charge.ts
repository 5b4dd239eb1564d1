/** What an admitted call is charged to: budgets of rules, and the named limits whose regions it meets. */
import { type Access, type Level, groundsOf } from '../authority/index.js';
import { type Json, type SessionId, canonicalJson } from '../ground/index.js';
import type { Chargeable, LimitRequest, NamedLimit } from '../limit/index.js';
import type { ExecutorPolicy, Snapshot, ToolPolicy } from '../policy/index.js';

/** What one call is charged to, without those inside its arguments; undefined where there is nothing to count. */
export function chargeOf(
  policy: ToolPolicy,
  accesses: readonly Access[],
  level: Level,
): Chargeable | undefined {
  if (!policy.budgeted && policy.limits.length === 0) return undefined;
  const limits = policy.limits.filter(({ buckets }) =>
    accesses.some((access) => buckets.get(access.verb)?.some(({ box }) => box.meets(access)) === true),
  );
  if (!policy.budgeted && limits.length === 0) return undefined;
  const { cap, grounds } = policy.budgeted
    ? groundsOf(policy.authorities, accesses)
    : { cap: level, grounds: [] };
  return { cap, footings: grounds, limits: limits.map(namedLimit) };
}

function namedLimit({ name, uses, per, of }: NamedLimit): NamedLimit {
  return { name, uses, per, ...(of === undefined ? {} : { of }) };
}

/** The request for a reservation. */
export function limitRequest(
  charges: readonly Chargeable[],
  executor: ExecutorPolicy,
  session: SessionId,
  { hash, number }: Pick<Snapshot['generation'], 'hash' | 'number'>,
): LimitRequest {
  const { budgets: keys, books } = executor;
  const budgets = { generation: `${number} ${hash}`, keys, ...(books === undefined ? {} : { books }) };
  return { session, executor: executor.id, budgets, calls: charges };
}

/** Whether two admissions of a call are counted the same way: then what was reserved for one holds for the other. */
export function sameCharges(
  before: readonly Chargeable[] | undefined,
  now: readonly Chargeable[] | undefined,
): boolean {
  if (before === undefined || now === undefined) return before === now;
  return canonicalJson(before.map(plainCharge)) === canonicalJson(now.map(plainCharge));
}

function plainCharge({ cap, footings, limits }: Chargeable): Json {
  return {
    cap,
    limits: limits.map(({ name, uses, per, of = null }) => ({ name, uses, per, of })),
    footings: footings.map(({ cap: own, rules }) => ({
      cap: own,
      rules: rules.map(({ rule, level, uses = null }) => ({ rule, level, uses })),
    })),
  };
}
