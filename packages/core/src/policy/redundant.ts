/** Rules that change nothing because other rules of their list say all that they say: worth knowing, and never an error. */
import {
  type Bucket,
  type Rule,
  OutOfSteps,
  Space,
  Steps,
  TooManyStates,
  bucketOf,
  lower,
  sideAt,
  subtract,
} from '../authority/index.js';
import { accessShapes } from '../connector/index.js';
import type { LoadProblem } from '../ground/index.js';
import type { ExecutorPolicy } from './compile-input.js';
import { boxesOf, verbsOn } from './compare/inclusion.js';
import type { RuleSource } from './document.js';
import type { LintedPolicy } from './lint/linted.js';
import type { ToolPolicy } from './tool-policy.js';

/** Steps that looking for redundant rules may take; what is not found by then is not told. */
const mostSteps = 200_000;

/** A finding for each redundant rule of every agent; of rules that say the same the later one is told. */
export function redundantRules(policy: LintedPolicy): readonly LoadProblem[] {
  const steps = new Steps(mostSteps);
  const found: LoadProblem[] = [];
  for (const agent of policy.agents.values()) {
    const executor = [...policy.executors.values()].find((each) => each.agent === agent.name);
    if (executor === undefined) continue;
    for (const list of ['allow', 'ask', 'deny'] as const) {
      const told = new Set<string>();
      for (const source of agent[list].toReversed()) {
        if (source.uses !== undefined || !isRedundant({ executor, list, told, steps }, source)) continue;
        told.add(source.path);
        found.push(finding(source));
      }
    }
  }
  return found.toReversed();
}

function finding({ at, path }: RuleSource): LoadProblem {
  const found = 'a rule that changes nothing: others say all of it';
  return { at, path, found, allowed: '', message: `${path}: ${found}` };
}

type ListName = 'allow' | 'ask' | 'deny';

interface Asked {
  readonly executor: ExecutorPolicy;
  readonly list: ListName;
  /** Rules that are redundant already: they cover nothing. */
  readonly told: ReadonlySet<string>;
  readonly steps: Steps;
}

function isRedundant(asked: Asked, { path }: RuleSource): boolean {
  let concerned = false;
  try {
    for (const tool of asked.executor.reachable) {
      const policy = asked.executor.forTool(tool);
      if (policy === undefined || !rulesIn(policy, asked.list).some(({ rule }) => rule === path)) continue;
      concerned = true;
      if (!isCovered(asked, policy, path)) return false;
    }
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates) return false;
    throw error;
  }
  return concerned;
}

function rulesIn(policy: ToolPolicy, list: ListName): readonly Rule[] {
  const [authority] = policy.authorities.factors;
  return verbsOn(policy).flatMap((verb) => authority?.bucket(policy.frame.tool, verb)?.[list] ?? []);
}

/** Whether others of the list cover a rule on one tool, at a level that is no less free (of asks: no freer). */
function isCovered({ list, told, steps }: Asked, policy: ToolPolicy, path: string): boolean {
  const plans = { next: policy.plan, old: policy.plan };
  return accessShapes(policy.frame, boxesOf(policy), plans).every(({ shape }) => {
    const bucket = policy.authorities.factors[0]?.bucket(policy.frame.tool, shape.verb);
    const own = (bucket?.[list] ?? []).filter(({ rule }) => rule === path);
    const [level] = own.map((rule) => rule.level);
    if (level === undefined) return true;
    const others = (bucket?.[list] ?? []).filter(
      (rule) => rule.rule !== path && !told.has(rule.rule) && rule.uses === undefined,
    );
    const fitting = others.filter(
      (rule) => lower(rule.level, level) === (list === 'ask' ? rule.level : level),
    );
    const space = new Space(shape);
    const [mine, theirs] = [own, fitting].map((rules) => entriesOf(space, only(list, rules)));
    return (mine ?? []).every(({ product, named }) => {
      const coverers = (theirs ?? []).filter((each) => named || !each.named);
      return product === undefined || subtract(space, product, coverers, steps).kind === 'covered';
    });
  });
}

/** The rules as a bucket in which they count whatever their level. */
function only(list: ListName, rules: readonly Rule[]): Bucket {
  return list === 'allow' ? bucketOf(rules) : bucketOf([], [], rules);
}

function entriesOf(space: Space, bucket: Bucket): ReturnType<typeof sideAt>[number]['allow'] {
  const [factor] = sideAt({ space, side: 'next' }, [bucket], 'once');
  return [...(factor?.allow ?? []), ...(factor?.takeaways ?? [])];
}
