/** Compiling one agent and its instances. */
import { type LimitSource, type ToolLimit, resolveLimits } from '../ceiling/index.js';
import type { FieldContext, ToolFrame } from '../connector/index.js';
import { type ToolName, executorId, splitToolName } from '../ground/index.js';
import { type ListName, type ToolRule, protectedRules, ruleForTool } from './boxes.js';
import { checkRule } from './check.js';
import { serversFor } from './command-frames.js';
import { checkCommands } from './check-commands.js';
import { checkDenied } from './check-denied.js';
import { checkLimits } from './check-limits.js';
import type { AgentInput, ExecutorPolicy, SkillSide } from './compile-input.js';
import type { AgentSource, InstanceSource } from './document.js';
import { type RuleUse, RuleIndex } from './rule-index.js';
import { ExecutorSkills } from './skill-side.js';
import { type DeclaredState, type StoredLimits, storedLimits } from './stored-limits.js';
import { schemalessTool } from './tool.js';
import { type ToolPolicy, type ToolRules, toolPolicy } from './tool-policy.js';
import { type Work, finish } from './work.js';

/** An agent's rules, and the policies of its executors tool by tool; without schemas these are made when first asked for. */
export class AgentCompiler {
  readonly #in: AgentInput;
  readonly #index: RuleIndex;
  readonly #rules = new Map<ToolName, ToolRules | undefined>();
  readonly #budgets: ReadonlyMap<string, string>;
  readonly #stored: StoredLimits;

  constructor(agentInput: AgentInput) {
    this.#in = { ...agentInput, servers: serversFor(agentInput.agent, agentInput.servers) };
    this.#index = new RuleIndex(agentInput.agent);
    this.#budgets = budgetsOf(agentInput.agent.allow);
    this.#stored = storedLimits(this.#in);
  }

  /** How what is stored of the agent and of its instances stands to the document. */
  get declared(): readonly DeclaredState[] {
    return this.#stored.states;
  }

  /** Every executor of the agent; problems of its rules are noted on the way. */
  *executors(): Work<readonly ExecutorPolicy[]> {
    const { agent, input } = this.#in;
    for (const use of this.#index.uses) {
      checkRule({ context: this.#in, use, apply: (frame) => this.#apply(use, frame) });
      yield;
    }
    const instances = input.document.instances.filter((instance) => instance.agent === agent.name);
    checkLimits(this.#in, this.#ceilingContext(), agent.ceiling);
    for (const instance of instances) checkLimits(this.#in, this.#context('admit'), instance.narrow);
    const bare = (agent.instances ?? (instances.length > 0 ? 'required' : 'optional')) === 'optional';
    const executors: ExecutorPolicy[] = [];
    for (const instance of [...(bare ? [undefined] : []), ...instances])
      executors.push(yield* this.#executor(instance));
    const rules = this.#namedRules();
    yield;
    checkCommands(this.#in, rules);
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
    const { agent, servers } = this.#in;
    const policies = new Map<ToolName, ToolPolicy | undefined>();
    const reachable: ToolName[] = [];
    const limits = this.#limits(instance);
    for (const server of servers.values()) {
      for (const { frame } of server.tools?.values() ?? []) {
        yield* this.#prepare(frame);
        const policy = this.#toolPolicy(frame, limits);
        policies.set(frame.tool, policy);
        yield;
        if (policy?.reachable === true) reachable.push(frame.tool);
      }
    }
    const later = (tool: ToolName): ToolPolicy | undefined => {
      if (!policies.has(tool)) policies.set(tool, this.#schemaless(tool, limits));
      return policies.get(tool);
    };
    const executor = {
      id: executorId(agent.name, instance?.instance),
      agent: agent.name,
      instance: instance?.instance,
      forTool: this.#in.input.tools === undefined ? later : (tool: ToolName) => policies.get(tool),
      budgets: this.#budgets,
      reachable: Object.freeze(reachable),
    };
    return Object.freeze({ ...executor, skills: this.#skills(executor, limits) });
  }

  #schemaless(tool: ToolName, limits: readonly LimitSource[]): ToolPolicy | undefined {
    const cut = tool.indexOf('/');
    for (const server of this.#in.servers.values()) {
      if (server.name !== tool.slice(0, cut)) continue;
      const frame = schemalessTool(server, tool.slice(cut + 1));
      return frame && this.#toolPolicy(frame, limits);
    }
    return undefined;
  }

  #toolPolicy(frame: ToolFrame, limits: readonly LimitSource[]): ToolPolicy | undefined {
    const rules = this.#toolRules(frame);
    if (rules === undefined) return undefined;
    return toolPolicy(rules, this.#limitsOn(frame, limits));
  }

  #limitsOn(frame: ToolFrame, limits: readonly LimitSource[]): readonly ToolLimit[] {
    const { name, connector } = this.#in.servers.get(splitToolName(frame.tool).server) ?? {};
    const names = [name, connector?.name].filter((each) => each !== undefined);
    return resolveLimits({ frame, names, context: this.#context('admit') }, limits);
  }

  /** What the document and the store say for an executor. */
  #limits(instance: InstanceSource | undefined): readonly LimitSource[] {
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
    return sources.filter(({ limits, unreadable }) => limits.length > 0 || unreadable !== undefined);
  }

  /** Undefined for a tool that no allow rule and no denial mentions. */
  #toolRules(frame: ToolFrame): ToolRules | undefined {
    finish(this.#prepare(frame));
    return this.#rules.get(frame.tool);
  }

  *#prepare(frame: ToolFrame): Work<void> {
    if (!this.#rules.has(frame.tool)) this.#rules.set(frame.tool, yield* this.#compileRules(frame));
  }

  *#compileRules(frame: ToolFrame): Work<ToolRules | undefined> {
    const found: Record<ListName, ToolRule[]> = { allow: [], ask: [], deny: [], limit: [], grant: [] };
    for (const use of this.#index.for(frame.tool)) {
      const applied = this.#apply(use, frame);
      if ('boxes' in applied) found[use.list].push(applied);
      // Without schemas this may come after the load: what takes away and cannot be read takes everything away.
      else if ('broken' in applied && use.list !== 'allow' && use.list !== 'grant') return undefined;
      yield;
    }
    if (found.allow.length + found.ask.length + found.deny.length === 0) return undefined;
    const judged = found.allow.flatMap((rule) => rule.keys);
    const guards = protectedRules(this.#in.input.protectedPaths, frame, judged);
    const { allow, ask, deny } = found;
    return { allow, ask, deny: [...deny, ...guards], limits: this.#limitsOf(found.limit), frame };
  }

  #limitsOf(regions: readonly ToolRule[]): ToolRules['limits'] {
    return this.#in.agent.limits.flatMap(({ name, uses, per, region: { path } }) => {
      const region = regions.find((each) => each.path === path);
      return region === undefined ? [] : [{ name, uses, per, region }];
    });
  }

  #apply({ list, source }: RuleUse, frame: ToolFrame): ReturnType<typeof ruleForTool> {
    const meant = list === 'grant' ? 'allow' : list;
    return ruleForTool(this.#context(meant === 'allow' ? 'admit' : 'refuse'), meant, source, frame);
  }

  /** What skills may do for an executor of the agent. */
  #skills(executor: Omit<ExecutorPolicy, 'skills'>, limits: readonly LimitSource[]): SkillSide {
    const { agent, servers, references } = this.#in;
    return new ExecutorSkills(executor, {
      grants: agent.skills,
      servers,
      references,
      rules: (frame) => this.#toolRules(frame),
      limits: (frame) => this.#limitsOn(frame, limits),
    });
  }

  #ceilingContext(): FieldContext {
    return { ...this.#context('admit'), mayBeUnbound: true };
  }

  #context(polarity: FieldContext['polarity']): FieldContext {
    return { expect: this.#in.expect, references: this.#in.references, polarity };
  }
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
