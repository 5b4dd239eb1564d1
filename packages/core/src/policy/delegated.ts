/** The policy of what was delegated: the meet of everybody's authority on the way, under one compiled policy. */
import { type Denial, type Layer, type ToolName, Expect, denial, executorId } from '../ground/index.js';
import {
  type Authority,
  type Box,
  type Meet,
  type Verb,
  OutOfSteps,
  Steps,
  TooManyStates,
  areJoint,
  meet,
} from '../authority/index.js';
import { verbsOf } from '../connector/index.js';
import { compileAgent } from './compile-agent.js';
import type { CompileInput, ExecutorPolicy } from './compile-input.js';
import { type CompiledPolicy, executorPolicy, scalarSets } from './compile.js';
import { serversFor } from './command-frames.js';
import { compareTool } from './compare/inclusion.js';
import { type Principal, type Delegation, stepsOf } from './delegation.js';
import type { AgentSource } from './document.js';
import { Shelf } from './made.js';
import { delegateTool } from './own-tools.js';
import { RuleIndex } from './rule-index.js';
import { executorOf } from './snapshot.js';
import { withoutSkills } from './skill-side.js';
import { type ToolPolicy, planOf } from './tool-policy.js';
import { finish } from './work.js';

/** What a delegation is under one policy. */
interface Compiled {
  /** The meet; undefined where it admits nothing. */
  readonly policy: ExecutorPolicy | undefined;
  /** The rules of the last step alone. */
  readonly narrower: ExecutorPolicy | undefined;
}

const made = new WeakMap<CompiledPolicy, WeakMap<Delegation, Compiled>>();

/**
 * INVARIANT(P.delegate.meet): the factors of what was delegated are those of the executor that delegated, whole, then of every
 * agent that it is to act as, then the rules of every step. So it admits a call only if each of them does, at the lowest of their
 * levels. Undefined where it admits nothing any more: somebody on the way is gone or may not delegate so deep, or rules cannot
 * be compiled under this policy. The same answer each time.
 */
export function delegatedPolicy(policy: CompiledPolicy, delegation: Delegation): ExecutorPolicy | undefined {
  return compiledOnce(policy, delegation).policy;
}

function compiledOnce(policy: CompiledPolicy, delegation: Delegation): Compiled {
  const known = made.get(policy) ?? new WeakMap<Delegation, Compiled>();
  made.set(policy, known);
  const found = known.get(delegation) ?? compileDelegated(policy, delegation) ?? nothing;
  known.set(delegation, found);
  return found;
}

const nothing: Compiled = Object.freeze({ policy: undefined, narrower: undefined });

/** What judges the calls of an executor, or of what it delegated. The gate is never skipped: what cannot be found is a refusal. */
export function policyOf(
  policy: CompiledPolicy,
  { agent, instance, delegation }: Principal & { readonly delegation?: Delegation | undefined },
): ExecutorPolicy | Denial {
  if (delegation === undefined) return executorOf(policy, agent, instance);
  const found = delegatedPolicy(policy, delegation);
  if (found !== undefined) return found;
  const message = 'Nothing is left of what was delegated to this session. Ask whoever delegated it.';
  return denial({ code: 'not_permitted', layer: 'policy', message });
}

/** A tool of which a delegation names more than its parent holds: a part of it is granted, or nothing; or no proof was found in time. */
export interface NotGranted {
  readonly tool: ToolName;
  readonly left: 'part' | 'nothing' | 'unproved';
}

/** What the rules of the last step ask for in vain: it changes nothing, for only the meet holds, and is told. */
export function notGrantedBy(
  policy: CompiledPolicy,
  delegation: Delegation,
  parent: ExecutorPolicy,
): readonly NotGranted[] {
  const { policy: met, narrower } = compiledOnce(policy, delegation);
  return (narrower?.reachable ?? []).flatMap((tool): readonly NotGranted[] => {
    if (met?.forTool(tool)?.reachable !== true) return [{ tool, left: 'nothing' }];
    const asked = narrower?.forTool(tool);
    const held = asked && isHeld(asked, parent.forTool(tool));
    return held === true ? [] : [{ tool, left: held === false ? 'part' : 'unproved' }];
  });
}

/** Undefined where that takes too many steps. */
function isHeld(asked: ToolPolicy, parent: ToolPolicy | undefined): boolean | undefined {
  const every = (): boolean => true;
  try {
    return compareTool(asked, parent, { next: every, old: every }, new Steps(fewSteps)).kind === 'included';
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates) return undefined;
    throw error;
  }
}

/** A delegation waits for this, so it is no full comparison. */
const fewSteps = 20_000;

/** How much deeper the right to delegate goes: of an executor itself, or of what was delegated. 0 is none. */
export function depthLeft(policy: CompiledPolicy, of: Principal, delegation: Delegation | undefined): number {
  const right = ({ agent }: Principal): number => policy.agents.get(agent)?.delegate ?? 0;
  if (delegation === undefined) return right(of);
  const steps = stepsOf(delegation);
  const rights = steps.map(({ as }, at) =>
    as === undefined ? Infinity : right(as) - (steps.length - 1 - at),
  );
  return Math.min(delegation.depth, right(delegation.of) - steps.length, ...rights);
}

/** Whether everybody on the way has a right to delegate that goes as deep as was delegated. */
function mayBe(policy: CompiledPolicy, delegation: Delegation): boolean {
  return depthLeft(policy, delegation.of, { ...delegation, depth: 0 }) >= 0;
}

function compileDelegated(policy: CompiledPolicy, delegation: Delegation): Compiled | undefined {
  const input = policy.from;
  const root = executorPolicy(policy, delegation.of.agent, delegation.of.instance);
  if (input === undefined || root === undefined || !mayBe(policy, delegation)) return undefined;
  const steps = stepsOf(delegation);
  const others = actorsOf(steps, root).map((actor) => executorPolicy(policy, actor.agent, actor.instance));
  if (!others.every((other) => other !== undefined)) return undefined;
  const sources = steps.map((step) => narrowerSource(root, step));
  const joint = jointSource(policy, input, [root, ...others], sources);
  const compiler = { policy, input, ...(joint === undefined ? {} : { joint }) };
  const full = [root, ...others].map((one) => (joint === undefined ? one : reframed(compiler, one)));
  const narrowers = sources.map((source) => compiledBy(compiler, source, narrowerInput(input)));
  const parts = [...full, ...narrowers];
  if (!parts.every((part) => part !== undefined)) return undefined;
  const met = joined(root, parts, {
    delegates: depthLeft(policy, delegation.of, delegation) > 0,
    books: new Map([root, ...others].map((one) => [one === root ? '' : one.id, budgetsOf(root, one)])),
    alsoUnder: joint === undefined ? [] : [root, ...others],
  });
  return { policy: met, narrower: narrowers.at(-1) };
}

/** Whose authority holds beside that of the executor that delegated, each once. */
function actorsOf(steps: readonly Delegation[], root: ExecutorPolicy): readonly Principal[] {
  const named = steps.flatMap(({ as }) => as ?? []);
  const byId = new Map(named.map((actor) => [executorId(actor.agent, actor.instance), actor]));
  byId.delete(root.id);
  return [...byId.values()];
}

function narrowerSource({ agent }: ExecutorPolicy, { allow, id }: Delegation): AgentSource {
  return {
    name: agent,
    at: { line: 1, column: 1 },
    path: `delegated.${id}`,
    description: undefined,
    ceiling: [],
    allow,
    ask: [],
    deny: [],
    limits: [],
    skills: [],
    delegate: 1,
    instances: 'optional',
  };
}

/** Rules of a step stand for themselves: nothing that is declared or stored for the agent is theirs. */
function narrowerInput(input: CompileInput): CompileInput {
  return { ...input, document: { ...input.document, instances: [] }, declared: [], vanishedTool: 'finding' };
}

interface Compiler {
  readonly policy: CompiledPolicy;
  readonly input: CompileInput;
  /** Present where any rule reads an argument as commands: then all have to read it so. */
  readonly joint?: AgentSource;
}

/** All rules of everybody, where some read arguments as commands and so calls have further accesses. */
function jointSource(
  { servers }: CompiledPolicy,
  { document }: CompileInput,
  executors: readonly ExecutorPolicy[],
  sources: readonly AgentSource[],
): AgentSource | undefined {
  const agents = [...executors.flatMap(({ agent }) => document.agents.get(agent) ?? []), ...sources];
  const [first] = agents;
  const readsNone = (agent: AgentSource): boolean =>
    finish(serversFor(RuleIndex.of(agent), servers, new Shelf(undefined))) === servers;
  if (first === undefined || agents.every(readsNone)) return undefined;
  return {
    ...first,
    allow: agents.flatMap(({ allow }) => allow),
    ask: agents.flatMap(({ ask }) => ask),
    deny: agents.flatMap(({ deny }) => deny),
    limits: agents.flatMap(({ limits }) => limits),
  };
}

function reframed(compiler: Compiler, { id, agent }: ExecutorPolicy): ExecutorPolicy | undefined {
  const source = compiler.input.document.agents.get(agent);
  return source && compiledBy(compiler, source, compiler.input, id);
}

function compiledBy(
  { policy, input, joint }: Compiler,
  agent: AgentSource,
  used: CompileInput,
  id: string = executorId(agent.name),
): ExecutorPolicy | undefined {
  const expect = new Expect();
  const references = { sets: scalarSets(input.document), facts: input.facts };
  const given = {
    expect,
    input: used,
    servers: policy.servers,
    references,
    agent,
    ...(joint === undefined ? {} : { framedBy: joint }),
  };
  const { executors } = finish(compileAgent(given, undefined));
  return expect.problems.length > 0 ? undefined : executors.find((executor) => executor.id === id);
}

interface JoinedWith {
  readonly delegates: boolean;
  readonly books: NonNullable<ExecutorPolicy['books']>;
  /** Those that count by their own reading; none where all read alike. */
  readonly alsoUnder: readonly ExecutorPolicy[];
}

function joined(
  root: ExecutorPolicy,
  parts: readonly ExecutorPolicy[],
  { delegates, books, alsoUnder }: JoinedWith,
): ExecutorPolicy {
  const policies = new Map<ToolName, ToolPolicy | undefined>();
  const forTool = (tool: ToolName): ToolPolicy | undefined => {
    if (!policies.has(tool)) {
      const own = parts.map((part) => toolIn(part, root, tool));
      const isIdle = tool === delegateTool && !delegates;
      policies.set(tool, metTool(isIdle ? [] : alsoUnder.length === 0 ? own : own.map(uncounted)));
    }
    return policies.get(tool);
  };
  const held = {
    id: root.id,
    agent: root.agent,
    instance: root.instance,
    forTool,
    budgets: budgetsIn(root, parts),
    books,
    ...(alsoUnder.length === 0 ? {} : { alsoUnder: alsoUnder.map((one) => countedFor(root, one)) }),
    reachable: Object.freeze(root.reachable.filter((tool) => forTool(tool)?.reachable === true)),
  };
  return Object.freeze({ ...held, skills: withoutSkills(held) });
}

/** Limits are counted by those who read the call in their own way. */
function uncounted(policy: ToolPolicy | undefined): ToolPolicy | undefined {
  return policy && { ...policy, limits: [] };
}

function countedFor(root: ExecutorPolicy, other: ExecutorPolicy): ExecutorPolicy {
  return Object.freeze({ ...other, forTool: (tool: ToolName) => toolIn(other, root, tool) });
}

/** Limits of another executor stay its own. */
function toolIn(part: ExecutorPolicy, root: ExecutorPolicy, tool: ToolName): ToolPolicy | undefined {
  const policy = part.forTool(tool);
  if (policy === undefined || part.id === root.id || policy.limits.length === 0) return policy;
  return { ...policy, limits: policy.limits.map((limit) => ({ ...limit, of: part.id })) };
}

/** Budgets of the executor that delegated are the very same as its own; those of another are its, in this session. */
function budgetsIn(root: ExecutorPolicy, parts: readonly ExecutorPolicy[]): ReadonlyMap<string, string> {
  return new Map(parts.flatMap((part) => [...budgetsOf(root, part)]));
}

function budgetsOf(root: ExecutorPolicy, part: ExecutorPolicy): ReadonlyMap<string, string> {
  const prefix = part.id === root.id ? '' : `${part.id} `;
  return new Map(
    [...part.budgets].map(([path, key]) => [
      path,
      path.startsWith('delegated.') ? `${path} ${key}` : `${prefix}${key}`,
    ]),
  );
}

function metTool(parts: readonly (ToolPolicy | undefined)[]): ToolPolicy | undefined {
  const [first] = parts;
  if (first === undefined || !parts.every((part) => part !== undefined)) return undefined;
  const { frame } = first;
  const keys = parts.flatMap(({ plan }) => [
    ...plan.raw,
    ...[...plan.fields].map((key) => ({ key, path: undefined, view: 'raw' as const, constrained: true })),
  ]);
  return Object.freeze({
    frame,
    plan: planOf(frame, keys),
    authorities: byLayer(meet(...parts.map(({ authorities }) => authorities))),
    budgeted: parts.some(({ budgeted }) => budgeted),
    limits: Object.freeze(parts.flatMap(({ limits }) => limits)),
    reachable: parts.every(({ reachable }) => reachable) && mayMeet(parts),
  });
}

const order: readonly Layer[] = ['policy', 'ceiling', 'narrowing'];

/** The order in which layers name a refusal. */
function byLayer({ factors }: Meet): Meet {
  return meet(...[...factors].sort((a, b) => order.indexOf(a.layer) - order.indexOf(b.layer)));
}

/** False only where no access of any verb is in all of them: then no call is. */
function mayMeet(parts: readonly ToolPolicy[]): boolean {
  const [first] = parts;
  if (first === undefined) return false;
  const factors = parts.flatMap(({ authorities }) => authorities.factors);
  return [...verbsIn(first)].some((verb) => {
    const lists = factors.map((factor) => boxesIn(factor, first, verb));
    return lists.every((list, at) =>
      lists.slice(at + 1).every((other) => list.some((a) => other.some((b) => areJoint(a, b)))),
    );
  });
}

function verbsIn({ frame }: ToolPolicy): ReadonlySet<Verb> {
  return new Set([frame.table.verb, ...verbsOf(frame.table)]);
}

function boxesIn(factor: Authority, { frame }: ToolPolicy, verb: Verb): readonly Box[] {
  return factor.bucket(frame.tool, verb)?.allow.map(({ box }) => box) ?? [];
}
