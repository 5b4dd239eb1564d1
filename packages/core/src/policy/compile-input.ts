/** What compiling takes, and what it gives for one executor. */
import type { Steps } from '../authority/index.js';
import type { Declaration } from '../ceiling/index.js';
import type { References, ToolFrame } from '../connector/index.js';
import type { AgentName, ExecutorId, Expect, Json, ServerName, ToolName } from '../ground/index.js';
import type {
  AgentSource,
  LimitSource,
  PolicyDocument,
  RuleSource,
  SkillGrantSource,
  ToolPattern,
} from './document.js';
import type { ServerFrame, ToolCatalog } from './tool.js';
import type { ToolPolicy } from './tool-policy.js';

/** What a document is compiled with. */
export interface CompileInput {
  readonly document: PolicyDocument;
  readonly tools: ToolCatalog;
  /** Captured facts: name to the JSON of its file. */
  readonly facts: ReadonlyMap<string, Json>;
  /** Canonical paths denied to every executor, each with all beneath it; no document can lift them. */
  readonly protectedPaths: readonly string[];
  /** Folder of the document, canonical: what a relative root or home is meant from. */
  readonly folder?: string;
  /** Entries of ceilings and narrowings that are stored beside the document; none unless told. */
  readonly declared?: readonly Declaration[];
  /** What a rule that names a tool which is not there is: an error offline, a finding in a running gateway. */
  readonly vanishedTool: 'problem' | 'finding';
  /** An earlier policy: what of it is made of the very same is taken over, and not made again. Changes no answer. */
  readonly before?: Before;
}

/** What compiling takes over from an earlier policy; every compiled policy is one. */
export interface Before {
  readonly servers: ReadonlyMap<ServerName, ServerFrame>;
  readonly agents: ReadonlyMap<AgentName, AgentOutline>;
}

/** What is kept of an agent beside its executors. The rules themselves are not: a policy is kept for as long as a call needs it. */
export interface AgentOutline {
  readonly name: AgentName;
  readonly limits: readonly Pick<LimitSource, 'name' | 'uses' | 'per'>[];
  /** Every tool, or pattern of tools, that a rule names, once each. */
  readonly tools: readonly Pick<ToolPattern, 'server' | 'tool'>[];
  /** How deep it may delegate; absent without the key `delegate`. */
  readonly delegate?: number;
}

/** A list of rules of which one has to hold. */
export interface RuleFactor {
  readonly rules: readonly RuleSource[];
  /** Whose words they are: those of a skill do not know the sets and facts of the document. */
  readonly by: 'document' | 'skill';
}

/** Whether what is asked for lies wholly inside; `why` says in words for people where it does not. */
export type Holding = { readonly kind: 'inside' } | { readonly kind: 'outside'; readonly why: string };

/** What skills may do for one executor. Pure. */
export interface SkillSide {
  /** By the name of the skill. */
  readonly grants: ReadonlyMap<string, SkillGrantSource>;
  /** The executor while it acts within every one of the factors; nothing of it reaches further than the executor. */
  acting(factors: readonly RuleFactor[]): ExecutorPolicy;
  /**
   * Whether every access that the rule asks for is allowed to the executor, inside its ceilings, and inside each factor, and its
   * denials leave something of it. Denials and asks beside that are exceptions: they go on to judge each call. Unknown is outside.
   * All questions of one skill share `steps`.
   */
  holds(requested: RuleSource, factors: readonly RuleFactor[], steps: Steps): Holding;
  /** What a list of rules says of a tool, by itself. */
  alone(factor: RuleFactor, tool: ToolName): ToolPolicy | undefined;
  /** Fields of a tool by kind; undefined for a tool that is not there. */
  fieldsOf(tool: ToolName): ToolFrame['fields'] | undefined;
}

/** What one executor may do. */
export interface ExecutorPolicy {
  readonly id: ExecutorId;
  readonly agent: AgentName;
  readonly instance: string | undefined;
  /** Undefined for a tool that does not exist or that no rule mentions. The same answer each time. */
  forTool(tool: ToolName): ToolPolicy | undefined;
  /** Rules with a budget: path in the document to what stays the same when the rule moves. */
  readonly budgets: ReadonlyMap<string, string>;
  /** Of what was delegated: the budgets of everybody whose rules they are, by executor; the one who delegated is ''. */
  readonly books?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /**
   * Of what was delegated, where rules of some read arguments as commands and those of others do not: everybody whose policy has to
   * admit the call as it is forwarded, read in its own way, as well. They count the call.
   */
  readonly alsoUnder?: readonly ExecutorPolicy[];
  /** Tools that some allow rule reaches, in the order of servers and their lists. Empty where no schema is known. */
  readonly reachable: readonly ToolName[];
  /** What skills may do for it. */
  readonly skills: SkillSide;
}

/** What compiling an agent needs. */
export interface AgentInput {
  readonly expect: Expect;
  readonly input: CompileInput;
  readonly servers: ReadonlyMap<ServerName, ServerFrame>;
  readonly references: References;
  readonly agent: AgentSource;
  /** Whose rules say which arguments are read as commands; the agent's own unless told. */
  readonly framedBy?: AgentSource;
}
