/** Everything joined for a program that has no gateway: a policy, actors as tools, sessions, and the mediation point, in one process. */
import type { AuditLog, AuditRecord, Ticket } from '../audit/index.js';
import { type DelegationCertificate, Revocations } from '../capability/index.js';
import { Approvals, type ConsentPort } from '../consent/index.js';
import {
  type CallOptions,
  type CallOutcome,
  type Dispatcher,
  type WordedCall,
  accessExclusion,
  dispatcher,
  translator,
} from '../dispatch/index.js';
import {
  type Alarm,
  type Clock,
  type Denial,
  type Entropy,
  type Fault,
  type JsonObject,
  type LoadProblem,
  UsageError,
  base32,
  canonicalJson,
  hmacSha256,
  mintId,
  nodeOf,
  sha256,
  systemAlarm,
  systemClock,
  systemEntropy,
} from '../ground/index.js';
import {
  type ActorTools,
  type Locator,
  type Session,
  type SessionRequest,
  type ToolView,
  Registry,
  Sessions,
  delegateSession,
  locatorOf,
  shownMounts,
  toolViews,
} from '../handle/index.js';
import { Counter } from '../limit/index.js';
import {
  type CompiledPolicy,
  type Current,
  type Snapshot,
  compilePolicy,
  executorOf,
  generationHash,
  readDocument,
} from '../policy/index.js';
import { currentCell } from '../policy/set-current.js';

/** What a program is made from. Time and randomness are the system's unless told. */
export interface ProgramOptions {
  /** A policy document, as JSON. Its servers are the names under which actors are tools. */
  readonly policy: JsonObject;
  readonly tools: readonly ActorTools[];
  /**
   * Takes every record; an intent is awaited before its call is handed over, and a call whose intent cannot be taken is not made. What it
   * does is the program's: a file, a database, a list.
   */
  readonly record: (record: AuditRecord) => void | Promise<void>;
  /** Facts of the document, by name. */
  readonly facts?: Readonly<Record<string, JsonObject>>;
  readonly clock?: Clock;
  readonly alarm?: Alarm;
  readonly entropy?: Entropy;
}

/** A session of a program: one agent's table of tools. */
export interface ProgramSession {
  readonly id: Session['id'];
  /** What the model is shown: name, schema and handle of each tool that it may call in some way. */
  tools(): readonly ToolView[];
  /** Mediates one call, by a name or a handle of this session. Never rejects for anything that a model can say. */
  call(worded: WordedCall, options?: CallOptions): Promise<CallOutcome>;
  /** Opens a child session for what is left of this one's authority: for a subagent. It ends with this session. */
  delegate(request: SessionRequest): Promise<DelegatedProgramSession | Denial | Fault>;
  /** Gives every tool another handle; the old ones are dead. */
  rotate(): void;
  /** Ends it with all its handles, and the authority of everything that its calls set going. */
  close(): void;
}

/** A child session of a program, and what was granted. */
export interface DelegatedProgramSession {
  readonly kind: 'delegated';
  readonly session: ProgramSession;
  readonly certificate: DelegationCertificate;
}

/** A running program. */
export interface Program {
  /** Opens a session of an agent, or of its instance. Throws UsageError for one that the policy does not know. */
  readonly open: (agent: string, instance?: string) => ProgramSession;
  /** Mounts, unmounts and replaces: each one step for whoever reads the table. Tools that the policy does not name are listed nowhere. */
  readonly registry: Registry;
  readonly revocations: Revocations;
  /** Asks that wait, and the answers of people. */
  readonly approvals: Approvals;
  readonly locator: Locator;
  readonly dispatcher: Dispatcher;
  /** What is legal in the document and the author should know. */
  readonly findings: readonly LoadProblem[];
}

/** Puts the policy in force as the first generation and mounts the tools. Throws UsageError that lists what is wrong with the policy. */
export function openProgram(options: ProgramOptions): Program {
  const { clock = systemClock, alarm = systemAlarm, entropy = systemEntropy } = options;
  const { policy, findings } = compiled(options);
  const cell = currentCell();
  cell.set(firstSnapshot(policy, options, entropy));
  const { current } = cell;
  const registry = new Registry();
  registry.mount(options.tools.flatMap(({ entries }) => entries));
  const revocations = new Revocations();
  const powers = { clock, entropy, current, revocations };
  const sessions = new Sessions({ ...powers, registry, ttl: policy.settings.sessionTtl });
  const locator = locatorOf(sessions);
  const approvals = new Approvals({
    clock,
    entropy,
    expires: () => policy.settings.consentExpires,
    isAlive: ({ session }) => sessions.get(session) !== undefined,
  });
  const salt = entropy.bytes(32);
  const audit = auditOf(options.record);
  const mediation = dispatcher({
    ...powers,
    locator,
    sessions,
    audit,
    consent: approvals satisfies ConsentPort,
    limits: new Counter({ clock, kept: [], isOpen: (session) => sessions.get(session) !== undefined }),
    exclusion: accessExclusion(alarm),
    argumentsDigest: (text) => hmacSha256(salt, text),
  });
  const open = (agent: string, instance?: string): ProgramSession =>
    opened({ ...powers, audit, sessions, locator, dispatcher: mediation, policy }, agent, instance);
  return Object.freeze({ open, registry, revocations, approvals, locator, dispatcher: mediation, findings });
}

interface Joined {
  readonly current: Current;
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly locator: Locator;
  readonly revocations: Revocations;
  readonly dispatcher: Dispatcher;
  readonly policy: CompiledPolicy;
  readonly entropy: Entropy;
}

function opened(joined: Joined, agent: string, instance: string | undefined): ProgramSession {
  const { sessions, policy, entropy } = joined;
  const executor = executorOf(policy, agent, instance);
  if ('kind' in executor) throw new UsageError(executor.message);
  const key = mintId.key(`program ${base32(entropy.bytes(10))}`);
  const session = sessions.open({ key, executor: executor.id, agent: executor.agent, instance });
  if (session === undefined) throw new UsageError(`${executor.id} was revoked`);
  return sessionOf(joined, session.id);
}

function sessionOf(joined: Joined, id: Session['id']): ProgramSession {
  const { sessions, locator, revocations } = joined;
  const translate = translator(locator, joined.dispatcher);
  return Object.freeze({
    id,
    tools: () => {
      const session = sessions.get(id);
      return session === undefined ? [] : toolViews(shownMounts(joined.policy, session, locator.list(id)));
    },
    call: (worded: WordedCall, options?: CallOptions) => translate.call(id, worded, options),
    delegate: async (request: SessionRequest) => {
      const made = await delegateSession(joined, id, request);
      if (made.kind !== 'delegated') return made;
      const { kind, session, certificate } = made;
      return Object.freeze({ kind, session: sessionOf(joined, session.id), certificate });
    },
    rotate: () => sessions.rotate(id),
    close: () => {
      sessions.close(id);
      revocations.revoke({ kind: 'session', id });
    },
  });
}

function compiled({ policy, tools, facts = {} }: ProgramOptions): {
  readonly policy: CompiledPolicy;
  readonly findings: readonly LoadProblem[];
} {
  const read = readDocument(nodeOf(policy, { line: 1, column: 1 }));
  if (read.document === undefined) throw new UsageError(inWords(read.problems));
  const made = compilePolicy({
    document: read.document,
    tools: new Map(tools.map(({ server, definitions }) => [server, definitions])),
    facts: new Map(Object.entries(facts)),
    protectedPaths: [],
    vanishedTool: 'problem',
  });
  if (made.policy === undefined) throw new UsageError(inWords(made.problems));
  return { policy: made.policy, findings: [...read.findings, ...made.findings] };
}

function inWords(problems: readonly LoadProblem[]): string {
  return `the policy: ${problems.map(({ message }) => message).join('; ')}`;
}

function firstSnapshot(
  policy: CompiledPolicy,
  { policy: document, tools }: ProgramOptions,
  entropy: Entropy,
): Snapshot {
  const definitions = tools.flatMap((one) => one.definitions.map(({ definition }) => definition));
  const hash = generationHash({ document: sha256(canonicalJson(document)), definitions });
  return Object.freeze({
    generation: { number: 1, hash, store: mintId.store(`program ${base32(entropy.bytes(10))}`) },
    policy,
    epochs: new Map([...policy.executors.keys()].map((executor) => [executor, 0])),
    lineage: new Map([[1, hash]]),
  });
}

/** A log that hands every record to the program. After one that could not be taken it is not healthy until the next one is. */
function auditOf(record: ProgramOptions['record']): AuditLog {
  let healthy = true;
  const take = async (one: AuditRecord): Promise<void> => {
    try {
      await record(one);
      healthy = true;
    } catch (error) {
      healthy = false;
      throw error;
    }
  };
  return {
    append: (one): Ticket => ({ durable: take(one) }),
    note: (one) => void take(one).catch(() => undefined),
    healthy: () => healthy,
  };
}
