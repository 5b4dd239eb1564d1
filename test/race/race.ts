/** A world under a scheduler: everything that may wait waits for it, and every hand-over is checked in its own step. */
import {
  type AuditRecord,
  type CallId,
  type CallOutcome,
  type Entry,
  type ExclusionPort,
  type ExecutorId,
  type IntentRecord,
  type JsonObject,
  type Reloaded,
  type ReloadRequest,
  type Revocation,
  type Session,
  type SessionId,
  type ToolCall,
  type TurnContext,
  sha256,
} from '@pawl/core';
import type * as fc from 'fast-check';
import { World } from '../dispatch/world.js';
import { fakeSource } from '../fake-reload.js';
import { type Posture, type Shape, comparisonOf, documentOf, policyOf, tools } from './documents.js';
import { judgeHandOver } from './hand-over.js';
import type { Books } from './replay.js';

/** A call that a test made. */
export interface Made {
  readonly agent: string;
  readonly session: SessionId;
  readonly args: JsonObject;
  /** Whether its tool was mounted when it was made. */
  readonly mounted: boolean;
  outcome: CallOutcome | undefined;
}

/** A turn that an actor was given. */
export interface HandedOver {
  readonly intent: IntentRecord;
  readonly args: JsonObject;
  /** Generation in force in that step. */
  readonly inForce: number;
}

/** The race, with what the test itself knows to be true. */
export class Race implements Books {
  readonly posture: Posture;
  readonly world: World;
  readonly made: Made[] = [];
  readonly handedOver: HandedOver[] = [];
  readonly reloads: { readonly act: boolean; readonly reloaded: Reloaded }[] = [];
  /** Whatever was seen that must not be. */
  readonly wrongs: string[] = [];
  /** Calls whose intent is durable. */
  readonly durable = new Set<CallId>();
  /** Calls that waited for their turn. */
  readonly waited = new Set<CallId>();
  /** What was revoked, as soon as `revoke` has returned. */
  readonly revoked = new Set<string>();
  /** What is frozen for certain: from when `freeze` has returned to when a thaw is asked for. */
  readonly frozen = new Map<string, number>();
  /** Whether anything was ever frozen. */
  everFrozen = false;
  /** Ids of asks that got a yes. */
  readonly approved = new Set<string>();
  proverFails = false;
  thaws = 0;
  readonly #scheduler: fc.Scheduler;
  readonly #running: Promise<unknown>[] = [];
  readonly #unmounted: Entry[] = [];
  /** The session by which an agent calls. */
  readonly #sessions = new Map<string, Session>();
  readonly #handles = new Map<SessionId, ReturnType<World['handle']>>();

  constructor(scheduler: fc.Scheduler, posture: Posture, first: Shape = 'wide') {
    this.#scheduler = scheduler;
    this.posture = posture;
    this.world = new World({
      policy: documentOf(first, posture),
      tools,
      ttl: 1_000_000,
      answer: (_tool, call, context) => this.#turn(call, context),
      exclusion: this.#exclusion(),
      durable: (record) => this.#stored(record),
    });
    const { generations, prover, reloader } = this.world;
    if (reloader.living().length !== 1) throw new Error('a race begins with one generation');
    generations.before = async () => void (await this.#await('store'));
    prover.compare = async (old, next) => {
      await this.#await('prover');
      if (this.proverFails) throw new Error('the prover broke');
      return comparisonOf(old.document, next.document);
    };
    for (const agent of ['a', 'b']) this.#enter(agent, this.world.open(agent));
  }

  /** Runs all acts, in the order that the scheduler likes, and everything that follows from them. */
  async run(acts: readonly (readonly [name: string, act: () => unknown])[]): Promise<void> {
    for (const [name, act] of acts) void this.#await(name).then(act);
    await this.#scheduler.waitIdle();
    await Promise.all(this.#running);
    this.world.reloader.close();
  }

  /** Calls `s__t` in the session of an agent. */
  call(agent: string, args: JsonObject): void {
    const { id: session } = this.#session(agent);
    const mounted = this.world.registry.table().size > 0;
    const made: Made = { agent, session, args, mounted, outcome: undefined };
    this.made.push(made);
    this.#follow(
      this.world.callIn(session, 's__t', args, this.#handles.get(session)).then((outcome) => {
        made.outcome = outcome;
      }),
    );
  }

  /** Reloads to a document, or to what cannot be read. */
  reload(text: string | undefined, more: Partial<ReloadRequest> = {}): void {
    const propose: ReloadRequest['propose'] = async () => {
      await this.#await('propose');
      if (text === undefined) return { kind: 'invalid', file: 'policy.yaml', problems: [] };
      return { policy: policyOf(text), hash: sha256(text), source: fakeSource(text) };
    };
    const reloading = this.world.reloader.reload({ trigger: 'operator', ...more, propose });
    const act = more.act !== undefined;
    this.#follow(reloading.then((reloaded) => this.reloads.push({ act, reloaded })));
  }

  /** Revokes; from when this returns nothing may go by it. */
  revoke(kind: Revocation['kind'], agent: string): void {
    const { id: session, executor, key } = this.#session(agent);
    const intents = this.world.audit.of('intent').filter((record) => record.executor === executor);
    const ids = { session, executor, key, capability: intents.at(-1)?.cap };
    const id = ids[kind];
    if (id === undefined) return;
    this.world.revocations.revoke({ kind, id } as Revocation);
    this.revoked.add(id);
  }

  /** Freezes; from when this returns nothing may go. */
  freeze(name: string): void {
    this.#follow(this.world.reloader.freeze(name).catch(() => undefined));
    this.everFrozen = true;
    this.frozen.set(name, (this.frozen.get(name) ?? 0) + 1);
  }

  /** Thaws; what was frozen before this is uncertain from here on. */
  thaw(name: string, reissue: boolean): void {
    const before = this.frozen.get(name);
    this.frozen.delete(name);
    const thawing = this.world.reloader.thaw(name, { reissue }).then(
      ({ kind }) => kind === 'thawed',
      () => false,
    );
    this.#follow(
      thawing.then((isThawed) => {
        this.thaws += isThawed ? 1 : 0;
        if (!isThawed && before !== undefined && this.world.freezes.has(name)) this.frozen.set(name, before);
        if (this.frozen.has(name) && !this.world.freezes.has(name))
          this.wrongs.push(`a thaw lifted a freeze of ${name} that came after it`);
      }),
    );
  }

  /** Answers the ask that waits longest. */
  answer(says: 'yes' | 'no'): void {
    const [ask] = this.world.approvals.waiting();
    if (ask === undefined) return;
    const answered = this.world.approvals.answer(ask.id, says);
    if (says === 'yes' && answered.kind === 'answered') this.approved.add(ask.id);
  }

  /** Unmounts the tool, or mounts it again. */
  toggleMount(): void {
    const { registry } = this.world;
    const [mounted] = registry.table().values();
    if (mounted === undefined) registry.mount(this.#unmounted.splice(0));
    else {
      const { tool, ref, definition, digest } = mounted;
      this.#unmounted.push({ tool, ref, definition, digest });
      registry.unmount([tool]);
    }
  }

  /** Presents the credential of an agent anew: a session whose capabilities died is replaced. */
  present(agent: string): void {
    const { key } = this.#session(agent);
    if (this.revoked.has(agent) || this.revoked.has(key)) return;
    this.#enter(agent, this.world.openAnew(agent));
  }

  /** Text of the document of a generation. */
  documentOf(number: number): string {
    const found = this.world.generations.puts.find((put) => put.number === number);
    if (found === undefined) throw new Error(`no generation ${number} was stored`);
    return found.source.document;
  }

  /** Epoch of an executor in a generation, as stored. */
  epochOf(number: number, executor: ExecutorId): number {
    return this.world.generations.puts.find((put) => put.number === number)?.epochs[executor] ?? 0;
  }

  /** Everything that an actor is given comes by here, in the step of its hand-over. */
  async #turn({ args }: ToolCall, { call }: TurnContext): Promise<unknown> {
    const intent = this.world.audit.of('intent').find((record) => record.call === call);
    const inForce = this.world.cell.current.peek()?.generation.number ?? 0;
    if (intent === undefined) this.wrongs.push(`call ${call} has no intent`);
    else {
      const handed = { intent, args, inForce };
      this.handedOver.push(handed);
      this.wrongs.push(...judgeHandOver(this, handed));
    }
    await this.#await('tool');
    return 'ok';
  }

  /** Every second call waits for its turn. */
  #exclusion(): ExclusionPort {
    let entered = 0;
    const hold = { release: (): void => undefined };
    return {
      enter: ({ call }) => {
        entered += 1;
        if (entered % 2 === 0) return hold;
        this.waited.add(call);
        return this.#await('turn').then(() => hold);
      },
    };
  }

  async #stored(record: AuditRecord): Promise<void> {
    await this.#await('audit');
    if (record.type === 'intent') this.durable.add(record.call);
  }

  #enter(agent: string, session: Session): void {
    this.#sessions.set(agent, session);
    this.#handles.set(session.id, this.world.handle(agent, 's__t') ?? this.#handles.get(session.id));
  }

  #session(agent: string): Session {
    const session = this.#sessions.get(agent);
    if (session === undefined) throw new Error(`nobody opened a session for ${agent}`);
    return session;
  }

  #await(label: string): Promise<unknown> {
    return this.#scheduler.schedule(Promise.resolve(), label);
  }

  #follow(work: Promise<unknown>): void {
    this.#running.push(work);
  }
}
