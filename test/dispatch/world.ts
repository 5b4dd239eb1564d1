/** A small world around the real dispatcher: real policy, sessions and actors, an audit log whose durability the test decides. */
import {
  type Access,
  type AuditLog,
  type AuditRecord,
  type CallId,
  type CallOutcome,
  type Capability,
  type CompiledPolicy,
  type Count,
  type CurrentCell,
  type DelegatedSession,
  type Declaration,
  type Denial,
  type ExclusionPort,
  type Fault,
  type Json,
  type JsonObject,
  type Proposal,
  type Reloader,
  type Session,
  type SessionRequest,
  type Snapshot,
  type Standing,
  type Ticket,
  type ToolCall,
  type ToolDefinition,
  type TurnContext,
  Freezes,
  Approvals,
  Counter,
  Registry,
  Revocations,
  Sessions,
  canonicalJson,
  currentCell,
  delegateSession,
  dispatcher,
  executorOf,
  locatorOf,
  mintId,
  noExclusion,
  parseServerName,
  parseToolName,
  reloader,
  sha256,
  spawn,
  systemEntropy,
  trustFact,
} from '@pawl/core';
import { FakeAlarm, FakeProver, KeptGenerations, fakeSource } from '../fake-reload.js';
import { LiveSkills, type SkillRunner, noRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { compileRead, readPolicyText } from '../../packages/gateway/src/config/index.js';

/** Tools by server: name to input schema. */
export type WorldTools = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** What a world is made from. */
export interface WorldOptions {
  readonly policy: string;
  readonly tools: WorldTools;
  /** What an actor answers; `ok` unless told. */
  readonly answer?: (tool: string, call: ToolCall, context: TurnContext) => unknown;
  readonly exclusion?: ExclusionPort<readonly Access[]>;
  /** Milliseconds that sessions live; 1,000 unless told. */
  readonly ttl?: number;
  /** Counts of earlier runs. */
  readonly kept?: readonly Count[];
  readonly protectedPaths?: readonly string[];
  /** Ceilings and narrowings that are stored beside the document. */
  readonly declared?: readonly Declaration[];
  /** Runs the tools of skills; nothing unless told. */
  readonly runner?: SkillRunner;
  /** The trust file. */
  readonly trust?: JsonObject;
  /** When an intent is durable; at once unless told. A log that is held knows nothing of it. */
  readonly durable?: (record: AuditRecord) => Promise<void>;
}

/** A message that reached an actor. */
export interface Arrival {
  readonly tool: string;
  readonly args: JsonObject;
  /** Generation in force in the step of the hand-over. */
  readonly generation: number;
}

/** An audit log under the test's hand: while held, nothing becomes durable. */
class ScriptedAudit implements AuditLog {
  readonly records: AuditRecord[] = [];
  /** Beside what was appended. */
  readonly bodies: (Json | undefined)[] = [];
  /** Beside what was noted. */
  readonly noted: (Json | undefined)[] = [];
  #waiting: (() => void)[] = [];
  #held = false;
  broken = false;
  readonly #durable: (record: AuditRecord) => Promise<void>;

  constructor(durable: (record: AuditRecord) => Promise<void> = () => Promise.resolve()) {
    this.#durable = durable;
  }

  append(record: AuditRecord, body?: Json): Ticket {
    if (this.broken) return { durable: Promise.reject(new Error('the disk is full')) };
    this.records.push(record);
    this.bodies.push(body);
    return {
      durable: this.#held ? new Promise((resolve) => this.#waiting.push(resolve)) : this.#durable(record),
    };
  }

  note(record: AuditRecord, body?: Json): void {
    this.records.push(record);
    this.noted.push(body);
  }

  healthy(): boolean {
    return !this.broken;
  }

  hold(): void {
    this.#held = true;
  }

  /** Everything appended so far, and later, becomes durable. */
  release(): void {
    this.#held = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The record of the oldest waiting append becomes durable. False when none waits. */
  releaseOne(): boolean {
    const next = this.#waiting.shift();
    next?.();
    return next !== undefined;
  }

  of<T extends AuditRecord['type']>(type: T): readonly Extract<AuditRecord, { type: T }>[] {
    return this.records.filter((record): record is Extract<AuditRecord, { type: T }> => record.type === type);
  }
}

/** Everything that a dispatch test touches. */
export class World {
  readonly audit: ScriptedAudit;
  readonly cell: CurrentCell = currentCell();
  readonly registry = new Registry();
  readonly revocations = new Revocations();
  readonly freezes = new Freezes();
  readonly alarm = new FakeAlarm();
  readonly prover = new FakeProver();
  readonly generations = new KeptGenerations();
  readonly arrivals: Arrival[] = [];
  readonly approvals: Approvals;
  /** How every tool stands to its definition in force. */
  standing: Standing = 'in-force';
  now = 0;
  /** As the generations to come have them. */
  declared: readonly Declaration[];
  /** For whom calls say that they are made. */
  onBehalfOf = 'somebody else';
  readonly #options: WorldOptions;
  readonly skills: LiveSkills;
  /** As the generations to come have it. */
  trust: JsonObject | undefined;
  readonly #sessions: Sessions;
  #reloader: Reloader | undefined;
  readonly #dispatcher: ReturnType<typeof dispatcher>;
  readonly #locator: ReturnType<typeof locatorOf>;
  #lineage = new Map<number, ReturnType<typeof sha256>>();
  #number = 0;
  #epoch = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.audit = new ScriptedAudit(options.durable);
    this.declared = options.declared ?? [];
    this.trust = options.trust;
    this.reload(options.policy);
    const clock = { monotonic: () => this.now, wall: () => this.now };
    const { current } = this.cell;
    const { registry, revocations, audit, freezes } = this;
    const runner = options.runner ?? noRunner;
    this.skills = new LiveSkills({ current, registry, clock, audit, freezes, runner });
    const skills = this.skills.shelf;
    this.#sessions = new Sessions({
      clock,
      entropy: systemEntropy,
      ttl: options.ttl ?? 1000,
      registry,
      current,
      revocations,
      freezes,
      skills,
    });
    this.#locator = locatorOf(this.#sessions);
    this.approvals = new Approvals({
      clock,
      entropy: systemEntropy,
      expires: () => current.peek()?.policy.settings.consentExpires ?? 0,
      isAlive: ({ session, executor, epoch }) =>
        this.#sessions.get(session) !== undefined && current.peek()?.epochs.get(executor) === epoch,
    });
    this.#mount();
    this.#dispatcher = dispatcher({
      standing: () => this.standing,
      clock,
      entropy: systemEntropy,
      current,
      locator: this.#locator,
      sessions: this.#sessions,
      revocations,
      freezes,
      skills,
      audit,
      consent: this.approvals,
      limits: new Counter({ clock, kept: options.kept ?? [] }),
      exclusion: options.exclusion ?? noExclusion,
      argumentsDigest: sha256,
    });
  }

  /**
   * The reloader over this world, which goes on from what is in force at its first use; {@link prover} says what each reload is.
   */
  get reloader(): Reloader {
    this.#reloader ??= this.#makeReloader();
    return this.#reloader;
  }

  /** A document as a reload proposes it. */
  proposal(policy: string): Proposal {
    return { policy: this.#compile(policy), hash: sha256(policy), source: fakeSource(policy) };
  }

  /** Calls that were handed over and are not settled. */
  inFlight(): number {
    return this.#dispatcher.inFlight();
  }

  #makeReloader(): Reloader {
    const snapshot = this.cell.current.peek();
    if (snapshot === undefined) throw new Error('nothing is in force');
    const { number, hash } = snapshot.generation;
    const epochs = Object.fromEntries(snapshot.epochs);
    const stored = { number, hash, epochs, source: fakeSource(this.#options.policy) };
    this.generations.puts.push(stored);
    return reloader(
      {
        store: this.generations,
        freezeStore: this.generations,
        cell: this.cell,
        prover: this.prover,
        alarm: this.alarm,
        clock: { monotonic: () => this.now, wall: () => this.now },
        audit: this.audit,
        sessions: this.#sessions,
        freezes: this.freezes,
        credentials: () => [],
        giveUp: (held) => this.#dispatcher.giveUp(held),
      },
      { snapshot, stored },
    );
  }

  #compile(policy: string): CompiledPolicy {
    const read = readPolicyText('policy.yaml', policy);
    if (!read.ok) throw new Error(read.problems.map((problem) => problem.message).join('; '));
    const facts = new Map([...read.policy.facts, ...(this.trust ? [[trustFact, this.trust] as const] : [])]);
    const compiled = compileRead(
      { ...read.policy, facts },
      {
        tools: catalog(this.#options.tools),
        vanishedTool: 'problem',
        protectedPaths: this.#options.protectedPaths ?? [],
        declared: this.declared,
      },
    );
    if (!compiled.ok) throw new Error(compiled.problems.map((problem) => problem.message).join('; '));
    return compiled.policy;
  }

  /** Puts a document in force as the next generation, past every guard; `bump` moves every epoch. */
  reload(policy: string, bump = false): Snapshot {
    const compiled = this.#compile(policy);
    this.#number += 1;
    if (bump) this.#epoch += 1;
    const hash = sha256(policy);
    this.#lineage = new Map([...this.#lineage, [this.#number, hash]]);
    const snapshot: Snapshot = Object.freeze({
      generation: { number: this.#number, hash, store: mintId.store('store') },
      policy: compiled,
      epochs: new Map([...compiled.executors.keys()].map((id) => [id, this.#epoch])),
      lineage: this.#lineage,
    });
    this.cell.set(snapshot);
    this.skills?.shelf.reintersect(snapshot);
    return snapshot;
  }

  /** Opens the session of an agent (or instance `agent/instance`). */
  open(who: string): Session {
    return opened(who, this.#sessions.open(this.#opening(who)));
  }

  /** As when its credential is presented anew. */
  openAnew(who: string): Session {
    return opened(who, this.#sessions.openAnew(this.#opening(who)));
  }

  #opening(who: string): Parameters<Sessions['open']>[0] {
    const [agent = '', instance] = who.split('/');
    const snapshot = this.cell.current.peek();
    const executor = snapshot && executorOf(snapshot.policy, agent, instance);
    if (executor === undefined || 'kind' in executor) throw new Error(`no executor ${who}`);
    return { key: mintId.key(who), executor: executor.id, agent: executor.agent, instance };
  }

  /** Calls a tool by its readable name in the session of `who`. */
  call(
    who: string,
    name: string,
    args: Json,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<CallOutcome> {
    const session = this.open(who);
    const handle = this.#locator.find(session.id, name);
    return this.#dispatcher.call({ session: session.id, handle, args, signal, onBehalfOf: this.onBehalfOf });
  }

  /** Calls from within the turn of another call. */
  callFrom(parent: CallId, who: string, name: string, args: Json): Promise<CallOutcome> {
    const session = this.open(who).id;
    const handle = this.#locator.find(session, name);
    return this.#dispatcher.call({ session, handle, args, parent, signal: new AbortController().signal });
  }

  /** Calls in a session that was opened before, whatever became of it; by `handle` where its name stands for nothing any more. */
  callIn(
    session: Session['id'],
    name: string,
    args: Json,
    former?: ReturnType<World['handle']>,
  ): Promise<CallOutcome> {
    const handle = this.#locator.find(session, name) ?? former;
    return this.#dispatcher.call({ session, handle, args, signal: new AbortController().signal });
  }

  /** Delegates in a session. */
  delegate(parent: Session['id'], request: SessionRequest): Promise<DelegatedSession | Denial | Fault> {
    const { audit, cell } = this;
    const ports = { sessions: this.#sessions, current: cell.current, audit, entropy: systemEntropy };
    return delegateSession(ports, parent, request);
  }

  /** The names of a session's tools. */
  names(session: Session['id']): readonly string[] {
    return this.#locator.list(session).map(({ name }) => name);
  }

  /** The definitions of a session's tools, as they stand before a model's view of them. */
  definitions(session: Session['id']): readonly JsonObject[] {
    return this.#locator.list(session).map(({ definition }) => definition);
  }

  /** The capability of a tool in a session. */
  capability(session: Session['id'], name: string): Capability | undefined {
    return this.#locator.list(session).find((mount) => mount.name === name)?.capability;
  }

  /** For what is asked of sessions themselves. */
  get sessions(): Sessions {
    return this.#sessions;
  }

  /** The handle of a tool in the session of `who`. */
  handle(who: string, name: string): ReturnType<ReturnType<typeof locatorOf>['find']> {
    return this.#locator.find(this.open(who).id, name);
  }

  /** Calls by a handle of any session. */
  callBy(who: string, handle: ReturnType<World['handle']>, args: Json): Promise<CallOutcome> {
    return this.#dispatcher.call({
      session: this.open(who).id,
      handle,
      args,
      signal: new AbortController().signal,
    });
  }

  #mount(): void {
    for (const [server, tools] of Object.entries(this.#options.tools)) {
      const name = parseServerName(server);
      if (name === undefined) throw new Error(`no server name: ${server}`);
      this.registry.refresh(
        name,
        Object.entries(tools).flatMap(([tool, inputSchema]) => {
          const full = parseToolName(`${server}/${tool}`);
          if (full === undefined) return [];
          const definition: JsonObject = { name: tool, inputSchema };
          return [
            { tool: full, definition, digest: sha256(canonicalJson(definition)), ref: this.#actor(full) },
          ];
        }),
      );
    }
  }

  #actor(tool: string): ReturnType<typeof spawn> {
    return spawn({
      parallel: Infinity,
      turn: (_method, message, context) => {
        const call = message as ToolCall;
        const generation = this.cell.current.peek()?.generation.number ?? 0;
        this.arrivals.push({ tool, args: call.args, generation });
        return this.#options.answer?.(tool, call, context) ?? 'ok';
      },
    });
  }
}

function opened(who: string, session: Session | undefined): Session {
  if (session === undefined) throw new Error(`no session for ${who}`);
  return session;
}

/** The refusal of an outcome, or undefined for a result. */
export function refusalOf(outcome: CallOutcome): Denial | Fault | undefined {
  return outcome.kind === 'refused' ? outcome.refusal : undefined;
}

function catalog(
  tools: WorldTools,
): ReadonlyMap<NonNullable<ReturnType<typeof parseServerName>>, readonly ToolDefinition[]> {
  return new Map(
    Object.entries(tools).flatMap(([server, list]) => {
      const name = parseServerName(server);
      const definitions = Object.entries(list).map(([tool, inputSchema]) => ({
        name: tool,
        definition: { name: tool, inputSchema },
      }));
      return name === undefined ? [] : [[name, definitions] as const];
    }),
  );
}
