/** What one executor's policy says of one tool: what to read of a call, and the authorities that judge it. */
import {
  type Authority,
  type Bucket,
  type Meet,
  type Rule,
  type Verb,
  authorityOf,
  bucketOf,
  meet,
} from '../authority/index.js';
import type { ToolLimit } from '../ceiling/index.js';
import {
  type PlannedArgument,
  type PlannedKey,
  type ReadPlan,
  type ToolFrame,
  argumentName,
  defaultsOn,
  verbsOf,
} from '../connector/index.js';
import type { ExecutorId } from '../ground/index.js';
import type { ToolRule } from './boxes.js';
import type { LimitScope } from './document.js';

/** Compiled for one executor and one tool. Frozen. */
export interface ToolPolicy {
  readonly frame: ToolFrame;
  readonly plan: ReadPlan;
  /** Policy, then ceiling, then narrowing. */
  readonly authorities: Meet;
  /** Whether an allow rule of the tool has a budget. */
  readonly budgeted: boolean;
  /** The named limits whose regions calls of the tool may meet, in the order of the document. */
  readonly limits: readonly UseLimit[];
  /** Whether any call could be admitted, as far as that is known without looking at values. */
  readonly reachable: boolean;
}

/** A named limit as it stands for one tool. */
export interface UseLimit {
  readonly name: string;
  readonly uses: number;
  readonly per: LimitScope;
  /** Of what was delegated: the other executor whose limit it is; absent: whose calls they are. */
  readonly of?: ExecutorId;
  /** Its region, by verb: an access that meets the box of any of these rules charges the call. Their level means nothing. */
  readonly buckets: ReadonlyMap<Verb, readonly Rule[]>;
}

/** The rules that apply to one tool, by list. */
export interface ToolRules {
  readonly frame: ToolFrame;
  readonly allow: readonly ToolRule[];
  readonly ask: readonly ToolRule[];
  readonly deny: readonly ToolRule[];
  readonly limits: readonly (Omit<UseLimit, 'buckets'> & { readonly region: ToolRule })[];
}

/** Puts the pieces together. */
export function toolPolicy(rules: ToolRules, limits: readonly ToolLimit[]): ToolPolicy {
  const { frame } = rules;
  const verbs = verbsOf(frame.table);
  const buckets = bucketsOf(rules, verbs);
  const policy = authorityOf('policy', new Map([[frame.tool, buckets]]));
  const others = limits.map((limit) => limitAuthority(frame, limit, verbs));
  const regions = rules.limits.map(({ region }) => region);
  const parts = [...rules.allow, ...rules.ask, ...rules.deny, ...regions, ...limits];
  const keys = parts.flatMap((part) => part.keys);
  return Object.freeze({
    frame,
    plan: planOf(frame, keys),
    authorities: meet(policy, ...others),
    budgeted: rules.allow.some(({ uses }) => uses !== undefined),
    limits: Object.freeze(rules.limits.map((limit) => useLimit(limit, verbs))),
    reachable: isReachable(frame, buckets),
  });
}

/** Every access that each call makes needs a rule; a tool of which no call could have them all is not listed. */
function isReachable({ table }: ToolFrame, buckets: ReadonlyMap<Verb, Bucket>): boolean {
  const allowed = (verb: Verb): boolean => (buckets.get(verb)?.allow.length ?? 0) > 0;
  const needed = table.accesses.filter((row) => row.needed).map((row) => row.verb);
  return needed.length > 0 ? needed.every(allowed) : verbsOf(table).some(allowed);
}

function bucketsOf(
  rules: Pick<ToolRules, 'allow' | 'ask' | 'deny'>,
  verbs: readonly Verb[],
): ReadonlyMap<Verb, Bucket> {
  const buckets = new Map<Verb, Bucket>();
  for (const verb of verbs) {
    const [allow, ask, deny] = [rules.allow, rules.ask, rules.deny].map((list) => rulesFor(list, verb));
    if (allow !== undefined && allow.length > 0) buckets.set(verb, bucketOf(allow, ask, deny));
    else if (deny !== undefined && deny.length > 0) buckets.set(verb, bucketOf([], [], deny));
  }
  return buckets;
}

function rulesFor(list: readonly ToolRule[], verb: Verb): readonly Rule[] {
  return list
    .filter((rule) => rule.verbs.includes(verb))
    .flatMap(({ path, level, boxes, uses }) =>
      boxes.map((box) => ({ rule: path, level, box, ...(uses === undefined ? {} : { uses }) })),
    );
}

function useLimit(
  { name, uses, per, region }: ToolRules['limits'][number],
  verbs: readonly Verb[],
): UseLimit {
  const own = verbs.filter((verb) => region.verbs.includes(verb));
  const buckets = new Map(own.map((verb) => [verb, Object.freeze(rulesFor([region], verb))]));
  return Object.freeze({ name, uses, per, buckets });
}

function limitAuthority(frame: ToolFrame, limit: ToolLimit, verbs: readonly Verb[]): Authority {
  const byVerb = new Map(verbs.map((verb) => [verb, limit.bucket]));
  return authorityOf(limit.layer, new Map([[frame.tool, byVerb]]), limit.unreadable);
}

/**
 * The policy within lists of rules of a skill, of each of which one has to hold as well. They come after all else, and name what
 * they refuse by the layer of skills.
 */
export function withinSkill(policy: ToolPolicy, lists: readonly (readonly ToolRule[])[]): ToolPolicy {
  const { frame, authorities } = policy;
  const verbs = verbsOf(frame.table);
  const buckets = lists.map((allow) => bucketsOf({ allow, ask: [], deny: [] }, verbs));
  const skill = buckets.map((list) => authorityOf('skill', new Map([[frame.tool, list]])));
  return Object.freeze({
    ...policy,
    plan: planOf(frame, [...keysIn(policy.plan), ...lists.flat().flatMap(({ keys }) => keys)]),
    authorities: meet(authorities, ...skill),
    reachable: policy.reachable && buckets.every((list) => isReachable(frame, list)),
  });
}

/** What the policy allows and its limits leave, whatever it denies, asks for or counts: what an exception is made from. */
export function withoutExceptions(policy: ToolPolicy): ToolPolicy {
  const { frame, authorities } = policy;
  const [own, ...limits] = authorities.factors;
  const free = ({ rule, box }: Rule): Rule => ({ rule, level: 'permit', box });
  const buckets = verbsOf(frame.table).flatMap((verb): readonly (readonly [Verb, Bucket])[] => {
    const allow = own?.bucket(frame.tool, verb)?.allow ?? [];
    return allow.length === 0 ? [] : [[verb, bucketOf(allow.map(free))]];
  });
  const allowed = authorityOf('policy', new Map([[frame.tool, new Map(buckets)]]));
  return Object.freeze({ ...policy, authorities: meet(allowed, ...limits) });
}

/** The rules of one list alone, less what the policy denies. */
export function deniedBy(list: readonly ToolRule[], policy: ToolPolicy): ToolPolicy {
  const { frame, authorities } = policy;
  const alone = toolPolicy({ frame, allow: list, ask: [], deny: [], limits: [] }, []);
  const [own] = authorities.factors;
  const buckets = verbsOf(frame.table).flatMap((verb): readonly (readonly [Verb, Bucket])[] => {
    const allow = alone.authorities.factors[0]?.bucket(frame.tool, verb)?.allow ?? [];
    const deny = own?.bucket(frame.tool, verb)?.deny ?? [];
    return allow.length === 0 ? [] : [[verb, bucketOf(allow, [], deny)]];
  });
  const left = authorityOf('policy', new Map([[frame.tool, new Map(buckets)]]));
  return Object.freeze({ ...readAlike(alone, policy), authorities: meet(left) });
}

/**
 * The policy, reading calls as the other does too: what either cannot read is no call of it. So a question whether one lies inside
 * the other is one about accesses alone.
 */
export function readAlike(policy: ToolPolicy, other: ToolPolicy): ToolPolicy {
  const keys = [policy, other].flatMap(({ plan }) => keysIn(plan));
  return Object.freeze({ ...policy, plan: planOf(policy.frame, keys) });
}

function keysIn(plan: ReadPlan): readonly PlannedKey[] {
  const fields = [...plan.fields].map(
    (key): PlannedKey => ({ key, path: undefined, view: 'path', constrained: true }),
  );
  return [...plan.raw, ...fields];
}

/** One entry a key; an argument is constrained in every view if any list constrains it in any. */
export function planOf(frame: ToolFrame, keys: readonly PlannedKey[]): ReadPlan {
  const constrained = new Set(keys.filter((each) => each.constrained).map(place));
  const raw = new Map<string, PlannedArgument>();
  const fields = new Set<string>();
  for (const each of keys) {
    const { key, path, view } = each;
    const isConstrained = constrained.has(place(each));
    if (path === undefined) {
      if (isConstrained) fields.add(key);
    } else {
      const defaults = isConstrained ? defaultsOn(frame, path) : [];
      raw.set(key, { key, path, view, constrained: isConstrained, defaults });
    }
  }
  return Object.freeze({
    raw: Object.freeze([...raw.values()].sort((a, b) => (a.key < b.key ? -1 : 1))),
    fields,
  });
}

function place({ key, path }: PlannedKey): string {
  return path === undefined ? key : argumentName(path);
}
