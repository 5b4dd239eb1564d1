/** Compiling one agent and its instances. */
import { type LimitSource, type ToolLimit, resolveLimits } from '../ceiling/index.js';
import type { FieldContext, ToolFrame } from '../connector/index.js';
import { type ToolName, executorId } from '../ground/index.js';
import { checkRule } from './check.js';
import { serversFor } from './command-frames.js';
import { checkCommands } from './check-commands.js';
import { checkDenied } from './check-denied.js';
import { checkLimits } from './check-limits.js';
import type { AgentInput, ExecutorPolicy } from './compile-input.js';
import { RuleCompiler } from './compile-rules.js';
import type { AgentSource, InstanceSource } from './document.js';
import { AgentParts } from './made.js';
import { delegateTool, serversWithin } from './own-tools.js';
import { RuleIndex } from './rule-index.js';
import { limitsPrint, mentionsReferences } from './rule-print.js';
import { ExecutorSkills } from './skill-side.js';
import { type DeclaredState, type StoredLimits, storedLimits } from './stored-limits.js';
import { type ServerFrame, schemalessTool } from './tool.js';
import { type ToolPolicy, type ToolRules, toolPolicy } from './tool-policy.js';
import { type Work, finish } from './work.js';

/** What compiling an agent gives. */
interface CompiledAgent {
  readonly executors: readonly ExecutorPolicy[];
  readonly parts: AgentParts;
  /** How what is stored of the agent and of its instances stands to the document. */
  readonly declared: readonly DeclaredState[];
}

/** Every executor of an agent; problems of its rules are noted on the way. What is equal to what was made before is that. */
export function* compileAgent(given: AgentInput, before: AgentParts | undefined): Work<CompiledAgent> {
  const parts = new AgentParts(before);
  const index = yield* RuleIndex.inSteps(given.agent);
  const { agent, framedBy } = given;
  const reading = framedBy === undefined ? index : yield* RuleIndex.inSteps(framedBy);
  const servers = yield* serversFor(reading, serversWithin(agent, given.servers), parts.framed);
  const compiler = new AgentCompiler({ ...given, servers }, index, parts);
  const executors = yield* compiler.executors();
  yield* parts.close();
  return { executors, parts, declared: compiler.declared };
}

/** An agent's rules, and the policies of its executors tool by tool; without schemas these are made when first asked for. */
class AgentCompiler {
  readonly #in: AgentInput;
  readonly #index: RuleIndex;
  readonly #parts: AgentParts;
  readonly #compiler: RuleCompiler;
  readonly #rules = new Map<ToolName, ToolRules | undefined>();
  readonly #budgets: ReadonlyMap<string, string>;
  readonly #stored: StoredLimits;

  constructor(agentInput: AgentInput, index: RuleIndex, parts: AgentParts) {
    this.#in = agentInput;
    this.#index = index;
    this.#parts = parts;
    this.#compiler = new RuleCompiler({ input: agentInput, index, parts });
    this.#budgets = budgetsOf(agentInput.agent.allow);
    this.#stored = storedLimits(agentInput);
  }

  /** How what is stored of the agent and of its instances stands to the document. */
  get declared(): readonly DeclaredState[] {
    return this.#stored.states;
  }

  /** Every executor of the agent. */
  *executors(): Work<readonly ExecutorPolicy[]> {
    const { agent, input } = this.#in;
    for (const use of this.#index.uses) {
      checkRule({ context: this.#in, use, apply: (frame) => this.#compiler.apply(use, frame) });
      yield;
    }
    const instances = input.document.instances.filter((instance) => instance.agent === agent.name);
    checkLimits(this.#in, this.#context(true), agent.ceiling);
    for (const instance of instances) checkLimits(this.#in, this.#context(false), instance.narrow);
    const bare = (agent.instances ?? (instances.length > 0 ? 'required' : 'optional')) === 'optional';
    const executors: ExecutorPolicy[] = [];
    for (const instance of [...(bare ? [undefined] : []), ...instances])
      executors.push(yield* this.#executor(instance));
    const rules = this.#namedRules();
    yield;
    yield* checkCommands(this.#in, rules);
    if (input.tools !== undefined) yield* checkDenied(this.#in, rules);
    return executors;
  }

  /** The rules of every tool that is known; without schemas of those that the rules name exactly. */
  #namedRules(): readonly ToolRules[] {
    const { servers, input } = this.#in;
    if (input.tools === undefined) {
      for (const { server, tool, glob } of this.#index.uses.flatMap(({ source }) => source.tools ?? [])) {
        const own = servers.get(server);
        const frame = own === undefined || glob ? undefined : schemalessTool(own, tool);
        if (frame !== undefined) this.#toolRules(frame);
      }
    }
    return [...this.#rules.values()].filter((rules) => rules !== undefined);
  }

  *#executor(instance: InstanceSource | undefined): Work<ExecutorPolicy> {
    const { agent, servers, input } = this.#in;
    const policies = new Map<ToolName, ToolPolicy | undefined>();
    const reachable: ToolName[] = [];
    const limits = this.#limits(instance);
    for (const server of servers.values()) {
      for (const { frame } of server.tools?.values() ?? []) {
        yield* this.#prepare(frame);
        const isIdle = frame.tool === delegateTool && agent.delegate === 0;
        const policy = isIdle ? undefined : this.#toolPolicy(server, frame, limits);
        policies.set(frame.tool, policy);
        yield;
        if (policy?.reachable === true) reachable.push(frame.tool);
      }
    }
    const executor = {
      id: executorId(agent.name, instance?.instance),
      agent: agent.name,
      instance: instance?.instance,
      forTool: input.tools === undefined ? this.#later(policies, limits) : among(policies),
      budgets: this.#budgets,
      reachable: Object.freeze(reachable),
    };
    const grounds = { grants: agent.skills, servers, references: this.#in.references };
    return Object.freeze({ ...executor, skills: new ExecutorSkills(executor, grounds) });
  }

  #later(policies: Map<ToolName, ToolPolicy | undefined>, limits: ExecutorLimits): ExecutorPolicy['forTool'] {
    return (tool) => {
      if (!policies.has(tool)) policies.set(tool, this.#schemaless(tool, limits));
      return policies.get(tool);
    };
  }

  #schemaless(tool: ToolName, limits: ExecutorLimits): ToolPolicy | undefined {
    const cut = tool.indexOf('/');
    for (const server of this.#in.servers.values()) {
      if (server.name !== tool.slice(0, cut)) continue;
      const frame = schemalessTool(server, tool.slice(cut + 1));
      return frame && this.#toolPolicy(server, frame, limits);
    }
    return undefined;
  }

  #toolPolicy(server: ServerFrame, frame: ToolFrame, limits: ExecutorLimits): ToolPolicy | undefined {
    const rules = this.#toolRules(frame);
    if (rules === undefined) return undefined;
    const resolved = this.#resolved(server, frame, limits);
    return this.#parts.policies.take(frame, limits.instance, [rules, resolved], () =>
      toolPolicy(rules, resolved),
    );
  }

  /** What the document and the store say for an executor. */
  #limits(instance: InstanceSource | undefined): ExecutorLimits {
    const { agent } = this.#in;
    const stored = [
      agent.name,
      ...(instance === undefined ? [] : [executorId(agent.name, instance.instance)]),
    ];
    const sources: readonly LimitSource[] = [
      { layer: 'ceiling', limits: agent.ceiling },
      { layer: 'narrowing', limits: instance?.narrow ?? [] },
      ...stored.flatMap((of) => this.#stored.sources.get(of) ?? []),
    ];
    const own = sources.filter(({ limits, unreadable }) => limits.length > 0 || unreadable !== undefined);
    return { instance: instance?.instance ?? '', sources: own };
  }

  /** What ceilings and narrowings ask of a tool. What was told of them is told again. */
  #resolved(
    server: ServerFrame,
    frame: ToolFrame,
    { instance, sources }: ExecutorLimits,
  ): readonly ToolLimit[] {
    if (sources.length === 0) return noLimits;
    const names = [server.name, ...(server.connector === undefined ? [] : [server.connector.name])];
    const print = limitsPrint(names, sources);
    const given = [print, mentionsReferences(print) ? this.#in.references : undefined];
    const known = this.#parts.limits.find(frame, instance, given);
    if (known !== undefined) return known.made;
    const { problems, findings } = this.#in.expect;
    const told = problems.length + findings.length;
    const made = resolveLimits({ frame, names, context: this.#context(false) }, sources);
    if (problems.length + findings.length > told) return made;
    return this.#parts.limits.keep(frame, instance, given, made.length === 0 ? noLimits : made);
  }

  /** Undefined for a tool that no allow rule and no denial mentions. */
  #toolRules(frame: ToolFrame): ToolRules | undefined {
    finish(this.#prepare(frame));
    return this.#rules.get(frame.tool);
  }

  *#prepare(frame: ToolFrame): Work<void> {
    if (!this.#rules.has(frame.tool)) this.#rules.set(frame.tool, yield* this.#compiler.rulesOf(frame));
  }

  #context(mayBeUnbound: boolean): FieldContext {
    return { expect: this.#in.expect, references: this.#in.references, polarity: 'admit', mayBeUnbound };
  }
}

/** Everything that narrows one executor; `instance` is empty for the bare agent. */
interface ExecutorLimits {
  readonly instance: string;
  readonly sources: readonly LimitSource[];
}

const noLimits: readonly ToolLimit[] = Object.freeze([]);

/** Made apart from the compiler, so that a policy does not hold it with all that it read. */
function among(policies: ReadonlyMap<ToolName, ToolPolicy | undefined>): ExecutorPolicy['forTool'] {
  return (tool) => policies.get(tool);
}

/** Rules with a budget by path, each with a key; those that say the very same are told apart by their order. */
function budgetsOf(allow: AgentSource['allow']): ReadonlyMap<string, string> {
  const seen = new Map<string, number>();
  const keys = new Map<string, string>();
  for (const { path, budgetKey } of allow) {
    if (budgetKey === undefined) continue;
    const before = seen.get(budgetKey) ?? 0;
    seen.set(budgetKey, before + 1);
    keys.set(path, `${before} ${budgetKey}`);
  }
  return keys;
}
