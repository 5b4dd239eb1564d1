/** Comparing two policies: per executor, whether NEW attenuates OLD, with proofs or with what shows that it does not. */
import { Steps, usualSteps } from '../../authority/index.js';
import type { ExecutorId, ServerName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type {
  ChangeWitness,
  Comparison,
  ExecutorComparison,
  ExecutorRelation,
  Relation,
} from '../comparison.js';
import type { CompiledPolicy } from '../compile.js';
import { certificateOf } from './certificate.js';
import { serverGrowth } from './changes.js';
import { type ExecutorAnswer, compareExecutor, gainsNothing } from './executor.js';
import type { Judge } from './judge.js';
import { type OutrightQuestion, outrightGrowth } from './outright.js';
import { toolsToCompare } from './tools.js';

/** What is compared, and how. */
export interface CompareRequest {
  readonly old: CompiledPolicy;
  readonly next: CompiledPolicy;
  /** The production matcher. */
  readonly judge: Judge;
  /** Steps for each executor and direction; 400,000 unless told. */
  readonly steps?: number;
  /** Executors that are not in OLD and yet were known before: what they gain is no news. */
  readonly known?: ReadonlySet<ExecutorId>;
}

/** Compares. Exact within its steps; pure; never throws. */
export function comparePolicies(request: CompareRequest): Comparison {
  const { old, next } = request;
  const executors: Record<ExecutorId, ExecutorComparison> = {};
  const proofs = new Map<ExecutorId, ExecutorAnswer['proofs']>();
  const grown = serversGrowth(old, next);
  const told = new Set<ServerName>();
  for (const [id, now] of next.executors) {
    const before = old.executors.get(id);
    if (before === undefined) {
      executors[id] = newcomer(request, id, now);
      continue;
    }
    const forth = oneWay(request, { now, before, grown });
    for (const name of forth.servers) told.add(name);
    proofs.set(id, forth.proofs);
    executors[id] = { ...verdictOf(forth, () => isBack(request, { now, before }, forth)) };
  }
  for (const id of old.executors.keys())
    if (!next.executors.has(id)) executors[id] = { relation: 'removed', witnesses: [] };
  const witnesses = [...grown].flatMap(([name, changes]) => (told.has(name) ? [] : changes));
  const relation = wholeRelation(executors, witnesses, removedServers(old, next));
  const proved = relation === 'equal' || relation === 'attenuation';
  return { relation, executors, witnesses, ...(proved ? { certificate: certificateOf(proofs) } : {}) };
}

type Pair = Pick<OutrightQuestion, 'now' | 'before' | 'grown'>;

interface OneWay extends ExecutorAnswer {
  /** Servers whose change concerns the executor. */
  readonly servers: readonly ServerName[];
}

/** NEW against OLD in everything that concerns one executor. */
function oneWay(request: CompareRequest, pair: Pair): OneWay {
  const { old, next, judge, steps = usualSteps } = request;
  const { now, before } = pair;
  const tools = toolsToCompare(old, next, now.agent);
  const budget = new Steps(steps);
  const answer = compareExecutor({ next: now, old: before, judge, tools, steps: budget });
  const outright = outrightGrowth(request, { ...pair, tools: tools ?? [], steps: budget });
  return {
    proofs: answer.proofs,
    witnesses: [...answer.witnesses, ...outright.witnesses],
    undecided: [...answer.undecided, ...outright.undecided],
    servers: outright.servers,
  };
}

/** Whether OLD attenuates NEW as well: then both are equal. Asked only where NEW attenuates OLD. */
function isBack(request: CompareRequest, pair: Omit<Pair, 'grown'>, { proofs }: OneWay): boolean {
  const { old, next, judge, steps = usualSteps } = request;
  const [now, before] = [pair.before, pair.now];
  const tools = toolsToCompare(next, old, now.agent);
  if (tools === undefined) return false;
  const same = new Set([...proofs].flatMap(([tool, proof]) => (proof === 'same' ? [tool] : [])));
  const budget = new Steps(steps);
  if (!gainsNothing({ next: now, old: before, judge, tools, steps: budget, same })) return false;
  const grown = serversGrowth(next, old);
  const both = { old: next, next: old, judge };
  const outright = outrightGrowth(both, { now, before, grown, tools, steps: budget });
  return outright.witnesses.length === 0 && outright.undecided.length === 0;
}

function serversGrowth(
  old: CompiledPolicy,
  next: CompiledPolicy,
): ReadonlyMap<ServerName, readonly ChangeWitness[]> {
  return new Map(
    [...next.servers].map(([name, frame]) => [name, serverGrowth(old.servers.get(name), frame)]),
  );
}

function verdictOf({ witnesses, undecided }: ExecutorAnswer, isEqual: () => boolean): ExecutorComparison {
  if (witnesses.length > 0)
    return { relation: 'widening', witnesses, ...(undecided.length > 0 ? { undecided } : {}) };
  if (undecided.length > 0) return { relation: 'unknown', witnesses, undecided };
  return { relation: isEqual() ? 'equal' : 'attenuation', witnesses };
}

/** An executor that only NEW has: news, unless it was known before. */
function newcomer({ known }: CompareRequest, id: ExecutorId, now: ExecutorPolicy): ExecutorComparison {
  if (known?.has(id) !== true) return { relation: 'new', witnesses: [] };
  const path = `agents.${now.agent}`;
  return {
    relation: 'widening',
    witnesses: [{ kind: 'change', what: 'executor', path, old: null, new: id }],
  };
}

function removedServers(old: CompiledPolicy, next: CompiledPolicy): boolean {
  return [...old.servers.keys()].some((name) => !next.servers.has(name));
}

const counted: Readonly<Record<ExecutorRelation, Relation>> = {
  equal: 'equal',
  attenuation: 'attenuation',
  new: 'attenuation',
  removed: 'attenuation',
  widening: 'widening',
  unknown: 'unknown',
};
const worst: readonly Relation[] = ['widening', 'unknown', 'attenuation', 'equal'];

function wholeRelation(
  executors: Readonly<Record<ExecutorId, ExecutorComparison>>,
  witnesses: readonly ChangeWitness[],
  fewerServers: boolean,
): Relation {
  const all = new Set(Object.values(executors).map(({ relation }) => counted[relation]));
  if (witnesses.length > 0) all.add('widening');
  if (fewerServers) all.add('attenuation');
  return worst.find((relation) => all.has(relation)) ?? 'equal';
}
