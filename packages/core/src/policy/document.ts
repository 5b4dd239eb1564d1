/** The policy document as read: closed vocabulary, positions kept, constraints still nodes (their meaning needs the tool). */
import type { Level, Verb } from '../authority/index.js';
import type { Limit } from '../ceiling/index.js';
import type { ConnectorTable, Field } from '../connector/index.js';
import type { AgentName, Json, JsonObject, Position, ServerName, ToolName } from '../ground/index.js';

/** A tool by name, or a pattern with `*` over the tools of one server. */
export interface ToolPattern {
  readonly at: Position;
  readonly server: ServerName;
  readonly tool: string;
  readonly glob: boolean;
}

/** A `where`: fields that all have to hold. */
export interface Where {
  readonly at: Position;
  readonly path: string;
  readonly fields: readonly Field[];
  /** `rest: any`: arguments that no field names are free. */
  readonly rest: boolean;
}

/** One item of `allow`, `ask` or `deny`. */
export interface RuleSource {
  readonly at: Position;
  /** `agents.a.allow[2]`. */
  readonly path: string;
  /** Undefined in deny and ask only: every tool that has the fields. */
  readonly tools: readonly ToolPattern[] | undefined;
  readonly verbs: readonly { readonly verb: Verb; readonly at: Position }[] | undefined;
  readonly where: Where | undefined;
  /** Of allow: the level given; of ask: the level to which it caps. */
  readonly level: Level;
  readonly reach: 'below' | 'named';
  /** Of allow: how many calls it admits in a session; undefined: any number. */
  readonly uses: number | undefined;
  /** Of a rule with `uses`: what it says besides, so that its budget is known again wherever it stands after a reload. */
  readonly budgetKey: string | undefined;
}

/** What a limit counts together: a session, the executor for good, or the executor in one day (UTC). */
export type LimitScope = 'session' | 'executor' | 'day';

/** A named limit of an agent: calls that meet its region are charged to it. */
export interface LimitSource {
  readonly name: string;
  /** The region. It is read as a denial is: a call is charged when any access of it meets. */
  readonly region: RuleSource;
  readonly uses: number;
  readonly per: LimitScope;
}

/** What happens to a skill that asks for more than it is granted: it is rejected, or the tools that need more are masked. */
export type OverReachMode = 'fail_closed' | 'fail_visible';

/** What a skill may do for an agent, at most. */
export interface SkillGrantSource {
  readonly name: string;
  readonly at: Position;
  readonly path: string;
  readonly grant: readonly RuleSource[];
  readonly mode: OverReachMode;
}

/** Who may answer an ask. */
export type Approver = 'operator' | 'approver' | 'client';

/** One agent. */
export interface AgentSource {
  readonly name: AgentName;
  readonly at: Position;
  readonly path: string;
  readonly description: string | undefined;
  readonly ceiling: readonly Limit[];
  readonly allow: readonly RuleSource[];
  readonly ask: readonly RuleSource[];
  readonly deny: readonly RuleSource[];
  readonly limits: readonly LimitSource[];
  /** How deep it may delegate; undefined without the key `delegate`. */
  readonly delegate: number | undefined;
  readonly skills: readonly SkillGrantSource[];
  readonly instances: 'required' | 'optional' | undefined;
}

/** One instance of an agent: `reporter/alice`. */
export interface InstanceSource {
  readonly agent: AgentName;
  readonly instance: string;
  readonly at: Position;
  readonly path: string;
  readonly narrow: readonly Limit[];
}

/** What the process of a server may reach; everything else is out of its reach. */
export interface SandboxSource {
  /** Folders and files, absolute or relative to the document. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** No network, or connections to these hosts through Pawl's own proxy. */
  readonly network: 'none' | { readonly hosts: readonly string[] };
}

/** A text that a server is given: as it stands in the document, or a stored secret by its name. */
export type GivenText = string | { readonly secret: string };

/** An issuer of OAuth tokens. */
export interface OAuthSource {
  /** An absolute https url, or http on this machine. */
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/** One server. */
export interface ServerSource {
  readonly name: ServerName;
  readonly at: Position;
  readonly path: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, GivenText>>;
  /** Where it is reached over HTTP: an absolute http or https url without user and fragment; then there is no command. */
  readonly url: string | undefined;
  /** Of every request to `url`, by lower-case name. */
  readonly headers: Readonly<Record<string, GivenText>>;
  /** Who issues the tokens with which it is asked; undefined where nobody does. */
  readonly auth: { readonly oauth: OAuthSource } | undefined;
  readonly connector: string | undefined;
  readonly root: string | undefined;
  readonly home: string | undefined;
  readonly case: 'sensitive' | 'insensitive';
  readonly platform: 'posix' | 'win32';
  /** Undefined: the process is not confined. */
  readonly sandbox: SandboxSource | undefined;
}

/** Everything else of the document that changes how Pawl behaves. */
export interface Settings {
  /** Milliseconds. */
  readonly sessionTtl: number;
  readonly exposure: 'readable' | 'opaque';
  readonly disclose: 'names' | 'values' | undefined;
  readonly auditArguments: 'digest' | 'authority' | 'full';
  readonly resultsMaxBytes: number;
  readonly posture: 'recheck' | 'bind';
  /** Milliseconds that an ask waits for its answer, and that an approval holds. */
  readonly consentExpires: number;
  /** At least one. */
  readonly approvers: readonly Approver[];
  /** Names that skills use for tools, with the tool that each means. */
  readonly skillNames: Readonly<Record<string, ToolName>>;
  /** Whether a skill that nobody signed is loaded. */
  readonly unsignedSkills: 'refuse' | 'sandbox';
  /** The trust file as it was read with the document; undefined: nobody is trusted. */
  readonly skillTrust: Json | undefined;
}

/** A whole document. */
export interface PolicyDocument {
  readonly servers: ReadonlyMap<ServerName, ServerSource>;
  readonly sets: ReadonlyMap<string, readonly Json[]>;
  /** Fact name to the file that it is read from, relative to the document. */
  readonly facts: ReadonlyMap<string, { readonly file: string; readonly at: Position }>;
  /** Declared connectors. */
  readonly connectors: ReadonlyMap<string, ConnectorTable>;
  readonly agents: ReadonlyMap<AgentName, AgentSource>;
  readonly instances: readonly InstanceSource[];
  readonly settings: Settings;
  /** The document as plain values, for the content hash; neutral keys included. */
  readonly plain: JsonObject;
}
