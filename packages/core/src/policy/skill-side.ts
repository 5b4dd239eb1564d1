/** What skills may do for one executor: their grants, and what lies wholly inside one. */
import { OutOfSteps, type Steps, TooManyStates } from '../authority/index.js';
import type { FieldContext, References, ToolFrame } from '../connector/index.js';
import { type ServerName, type ToolName, Expect, splitToolName } from '../ground/index.js';
import { type NotApplying, type ToolRule, ruleForTool } from './boxes.js';
import type { ExecutorPolicy, Holding, RuleFactor, SkillSide } from './compile-input.js';
import { compareTool } from './compare/inclusion.js';
import type { RuleSource, SkillGrantSource, ToolPattern } from './document.js';
import { matchesTool } from './rule-index.js';
import { type ServerFrame, schemalessTool } from './tool.js';
import {
  type ToolPolicy,
  deniedBy,
  readAlike,
  toolPolicy,
  withinSkill,
  withoutExceptions,
} from './tool-policy.js';

/** What the side of skills is made from; nothing of it is kept that a compiled policy does not keep anyway, but the grants. */
export interface SkillGrounds {
  readonly grants: readonly SkillGrantSource[];
  readonly servers: ReadonlyMap<ServerName, ServerFrame>;
  readonly references: References;
}

/** Steps for one question. */
const mostSteps = 100_000;
const noReferences: References = Object.freeze({ sets: new Map(), facts: new Map() });
const everyRule = (): boolean => true;
const counted = { next: everyRule, old: everyRule };

/** Of an executor for whom no skill is loaded: what was delegated holds no grants. */
export function withoutSkills(executor: Omit<ExecutorPolicy, 'skills'>): SkillSide {
  return new ExecutorSkills(executor, { grants: [], servers: new Map(), references: noReferences });
}

/** A rule that is none on a tool; broken: with why. */
type Unread =
  | Exclude<NotApplying, { readonly broken: true }>
  | { readonly broken: true; readonly why: string };

/** One question on one tool. */
interface Asked {
  readonly requested: RuleSource;
  readonly factors: readonly RuleFactor[];
  readonly steps: Steps;
}

/** The side of skills over a compiled agent. */
export class ExecutorSkills implements SkillSide {
  readonly grants: ReadonlyMap<string, SkillGrantSource>;
  readonly #executor: Omit<ExecutorPolicy, 'skills'>;
  readonly #grounds: SkillGrounds;
  readonly #granted = new WeakMap<readonly RuleFactor[], Map<ToolName, ToolPolicy>>();
  readonly #rules = new WeakMap<RuleFactor, Map<ToolName, readonly ToolRule[]>>();

  constructor(executor: Omit<ExecutorPolicy, 'skills'>, grounds: SkillGrounds) {
    this.grants = new Map(grounds.grants.map((grant) => [grant.name, grant]));
    this.#executor = executor;
    this.#grounds = grounds;
  }

  acting(factors: readonly RuleFactor[]): ExecutorPolicy {
    const known = new Map<ToolName, ToolPolicy | undefined>();
    const forTool = (tool: ToolName): ToolPolicy | undefined => {
      if (!known.has(tool)) known.set(tool, this.#actingOn(tool, factors));
      return known.get(tool);
    };
    const reachable = this.#executor.reachable.filter((tool) => forTool(tool)?.reachable === true);
    return Object.freeze({ ...this.#executor, forTool, reachable: Object.freeze(reachable), skills: this });
  }

  holds(requested: RuleSource, factors: readonly RuleFactor[], steps: Steps): Holding {
    const frames = this.#framesOf(requested);
    if (frames.length === 0) return outside(this.#absentIn(requested));
    const answers = frames.map((frame) =>
      within(() => this.#holdsOn(frame, { requested, factors, steps: steps.share(mostSteps) })),
    );
    const told = answers.filter((answer) => answer !== 'absent');
    const none = outside('no call of a tool that it names can match it');
    return told.find(({ kind }) => kind === 'outside') ?? told[0] ?? none;
  }

  alone(factor: RuleFactor, tool: ToolName): ToolPolicy | undefined {
    const frame = this.#frameOf(tool);
    return frame && allowing(frame, this.#rulesOn(frame, factor));
  }

  fieldsOf(tool: ToolName): ToolFrame['fields'] | undefined {
    return this.#frameOf(tool)?.fields;
  }

  #actingOn(tool: ToolName, factors: readonly RuleFactor[]): ToolPolicy | undefined {
    const policy = this.#executor.forTool(tool);
    return policy && withinSkill(policy, this.#listsOn(policy.frame, factors));
  }

  #holdsOn(frame: ToolFrame, { requested, factors, steps }: Asked): Holding | 'absent' {
    const { tool } = frame;
    const own = this.#read(frame, requested, 'skill');
    const isExact = requested.tools?.some(
      (pattern) => !pattern.glob && `${pattern.server}/${pattern.tool}` === tool,
    );
    if ('missing' in own || 'noVerb' in own)
      return isExact === true ? outside(`${tool} does not have its fields and verbs`) : 'absent';
    if (!('boxes' in own)) return outside(own.why);
    const policy = this.#executor.forTool(tool);
    if (policy === undefined) return outside(`the executor may not use ${tool}`);
    const asked = allowing(frame, [own]);
    if (holdsNothing(asked, steps)) return 'absent';
    if (holdsNothing(deniedBy([own], policy), steps))
      return outside(`denials leave nothing of it on ${tool}`);
    const granted = this.#grantedOn(policy, factors);
    const { kind } = compareTool(readAlike(asked, granted), granted, counted, steps);
    return kind === 'included'
      ? { kind: 'inside' }
      : outside(`it is not wholly inside what is granted of ${tool}`);
  }

  /** Built once a tool for all that a skill asks for. */
  #grantedOn(policy: ToolPolicy, factors: readonly RuleFactor[]): ToolPolicy {
    const { frame } = policy;
    const byTool = this.#granted.get(factors) ?? new Map<ToolName, ToolPolicy>();
    this.#granted.set(factors, byTool);
    const granted =
      byTool.get(frame.tool) ?? withinSkill(withoutExceptions(policy), this.#listsOn(frame, factors));
    byTool.set(frame.tool, granted);
    return granted;
  }

  #listsOn(frame: ToolFrame, factors: readonly RuleFactor[]): readonly (readonly ToolRule[])[] {
    return factors.map((factor) => this.#rulesOn(frame, factor));
  }

  /** Read once a factor and tool: every capability of a skill is held against the same ones. */
  #rulesOn(frame: ToolFrame, factor: RuleFactor): readonly ToolRule[] {
    const byTool = this.#rules.get(factor) ?? new Map<ToolName, readonly ToolRule[]>();
    this.#rules.set(factor, byTool);
    const known = byTool.get(frame.tool) ?? this.#readAll(frame, factor);
    byTool.set(frame.tool, known);
    return known;
  }

  #readAll(frame: ToolFrame, { rules, by }: RuleFactor): readonly ToolRule[] {
    const { server, tool } = splitToolName(frame.tool);
    const own = rules.filter(({ tools }) => tools?.some((pattern) => matchesTool(pattern, server, tool)));
    return own.flatMap((source) => {
      const applied = this.#read(frame, source, by);
      return 'boxes' in applied ? [applied] : [];
    });
  }

  /** The rule on a tool. What is wrong with one of a skill is told, and grants nothing. */
  #read(frame: ToolFrame, source: RuleSource, by: RuleFactor['by']): ToolRule | Unread {
    const references = by === 'document' ? this.#grounds.references : noReferences;
    // What is wrong with the document was told when it was loaded.
    const expect = new Expect();
    const context: FieldContext = { expect, references, polarity: 'admit' };
    const applied = ruleForTool(context, 'allow', source, frame);
    const [problem] = expect.problems;
    if (problem !== undefined)
      return { broken: true, why: `found ${problem.found}; allowed: ${problem.allowed}` };
    return 'broken' in applied ? { ...applied, why: 'it cannot be read as a rule of the policy' } : applied;
  }

  #frameOf(tool: ToolName): ToolFrame | undefined {
    const { server, tool: name } = splitToolName(tool);
    const own = this.#grounds.servers.get(server);
    if (own === undefined) return undefined;
    const known = this.#executor.forTool(tool)?.frame;
    return known ?? (own.tools === undefined ? schemalessTool(own, name) : own.tools.get(name)?.frame);
  }

  /** The tools that a rule names; none where one of its names is that of no tool. */
  #framesOf({ tools = [] }: RuleSource): readonly ToolFrame[] {
    const found = tools.map((pattern) => this.#namedBy(pattern));
    return found.some((frames) => frames.length === 0) ? [] : [...new Set(found.flat())];
  }

  #namedBy(pattern: ToolPattern): readonly ToolFrame[] {
    const server = this.#grounds.servers.get(pattern.server);
    if (server === undefined) return [];
    if (server.tools === undefined) {
      const frame = pattern.glob ? undefined : schemalessTool(server, pattern.tool);
      return frame === undefined ? [] : [frame];
    }
    return [...server.tools.values()]
      .map(({ frame }) => frame)
      .filter(({ tool }) => matchesTool(pattern, server.name, splitToolName(tool).tool));
  }

  #absentIn({ tools = [] }: RuleSource): string {
    const pattern = tools.find((each) => this.#namedBy(each).length === 0);
    return pattern === undefined
      ? 'it names no tool'
      : `${pattern.server}/${pattern.tool} is no tool that is there`;
  }
}

function allowing(frame: ToolFrame, allow: readonly ToolRule[]): ToolPolicy {
  return toolPolicy({ frame, allow, ask: [], deny: [], limits: [] }, []);
}

/** Whether no call of the tool makes an access that the policy holds. */
function holdsNothing(policy: ToolPolicy, steps: Steps): boolean {
  return compareTool(policy, undefined, counted, steps).kind === 'included';
}

function outside(why: string): Holding {
  return { kind: 'outside', why };
}

function within(ask: () => Holding | 'absent'): Holding | 'absent' {
  try {
    return ask();
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates)
      return outside('it takes too many steps to see whether it is granted');
    throw error;
  }
}
