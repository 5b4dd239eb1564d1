/** The rooms of a storm: real sessions, dispatcher, reloader, approvals and counters; tools, store and audit are in memory. */
import {
  type AuditLog,
  type AuditRecord,
  type CallId,
  type CurrentCell,
  type Dispatcher,
  type ExecutorId,
  type ExclusionPort,
  type Handle,
  type IntentRecord,
  type JsonObject,
  type Locator,
  type Reloader,
  type Session,
  type Ticket,
  type ToolCall,
  type TurnContext,
  Approvals,
  Counter,
  Freezes,
  Registry,
  Revocations,
  Sessions,
  canonicalJson,
  currentCell,
  dispatcher,
  executorId,
  locatorOf,
  mintId,
  parseAgentName,
  parseServerName,
  parseToolName,
  reloader,
  sha256,
  spawn,
  start,
  systemAlarm,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import { KeptGenerations, fakeSource } from '../../test/fake-reload.js';
import { type Posture, comparisonOf, documentOf, policyOf, tools } from '../../test/race/documents.js';
import { type Books, outside } from '../../test/race/replay.js';

/** Resolves after whatever is ready now. */
export function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A log whose intents become durable together, at the next rest; a call's records are kept until they are taken. */
class StormAudit implements AuditLog {
  readonly #kept = new Map<CallId, AuditRecord[]>();
  #batch: Promise<void> | undefined;

  append(record: AuditRecord): Ticket {
    this.note(record);
    this.#batch ??= rest().then(() => {
      this.#batch = undefined;
    });
    return { durable: this.#batch };
  }

  note(record: AuditRecord): void {
    if (!('call' in record)) return;
    const records = this.#kept.get(record.call);
    if (records === undefined) this.#kept.set(record.call, [record]);
    else records.push(record);
  }

  healthy(): boolean {
    return true;
  }

  intent(call: CallId): IntentRecord | undefined {
    return this.#kept.get(call)?.find((record) => record.type === 'intent');
  }

  take(call: CallId): readonly AuditRecord[] {
    const records = this.#kept.get(call) ?? [];
    this.#kept.delete(call);
    return records;
  }
}

/** The rooms, and what is known of them apart from them. */
export class House implements Books {
  readonly audit = new StormAudit();
  readonly cell: CurrentCell = currentCell();
  readonly store = new KeptGenerations();
  readonly sent = new Map<CallId, JsonObject>();
  readonly mismatches: string[] = [];
  readonly everFrozen = false;
  readonly posture: Posture;
  readonly approvals: Approvals;
  proverFails = false;
  readonly #revocations = new Revocations();
  readonly #freezes = new Freezes();
  readonly #waited = new Set<CallId>();
  readonly #sessions: Sessions;
  readonly #locator: Locator;
  readonly #open = new Map<string, { readonly session: Session; readonly handle: Handle | undefined }>();
  readonly dispatcher: Dispatcher;
  #reloader: Reloader | undefined;

  constructor(posture: Posture) {
    this.posture = posture;
    const { current } = this.cell;
    const powers = { clock: systemClock, entropy: systemEntropy, current };
    const kept = { revocations: this.#revocations, freezes: this.#freezes };
    const registry = this.#registry();
    this.#sessions = new Sessions({ ...powers, ...kept, ttl: 1e9, registry });
    this.#locator = locatorOf(this.#sessions);
    this.approvals = new Approvals({
      ...powers,
      expires: () => current.peek()?.policy.settings.consentExpires ?? 0,
      isAlive: ({ session, executor, epoch }) =>
        this.#sessions.get(session) !== undefined && current.peek()?.epochs.get(executor) === epoch,
    });
    this.dispatcher = dispatcher({
      ...powers,
      ...kept,
      locator: this.#locator,
      sessions: this.#sessions,
      audit: this.audit,
      consent: this.approvals,
      limits: new Counter({ clock: systemClock, kept: [] }),
      exclusion: this.#exclusion(),
      argumentsDigest: sha256,
    });
  }

  /** Starts with a document, and opens the sessions. */
  async begin(text: string): Promise<void> {
    const { cell, store } = this;
    const prover = {
      compare: async (old: { document: string }, next: { document: string }) => {
        await rest();
        if (this.proverFails) throw new Error('the prover broke');
        return comparisonOf(old.document, next.document);
      },
    };
    const ports = { cell, store, prover, clock: systemClock, alarm: systemAlarm, credentials: () => [] };
    const first = { policy: policyOf(text), hash: sha256(text), source: fakeSource(text), bumpEpoch: false };
    const started = await start(ports, first);
    if (started.kind === 'refused') throw new Error('an empty store refuses nothing');
    store.before = rest;
    this.#reloader = reloader(
      {
        ...ports,
        audit: this.audit,
        sessions: this.#sessions,
        freezes: this.#freezes,
        freezeStore: store,
        giveUp: (snapshot) => this.dispatcher.giveUp(snapshot),
      },
      started,
    );
    for (const agent of ['a', 'b']) this.present(agent);
  }

  get reloader(): Reloader {
    if (this.#reloader === undefined) throw new Error('the house has not begun');
    return this.#reloader;
  }

  /** Presents the credential of an agent anew. */
  present(agent: string): void {
    const name = parseAgentName(agent);
    const session =
      name && this.#sessions.openAnew({ key: mintId.key(agent), executor: executorId(name), agent: name });
    if (session === undefined) throw new Error(`no session for ${agent}`);
    const before = this.#open.get(agent);
    const found = this.#locator.find(session.id, 's__t');
    const handle = found ?? (before?.session.id === session.id ? before.handle : undefined);
    this.#open.set(agent, { session, handle });
  }

  /** The session and the handle by which an agent calls; the handle of a tool that is not listed any more is its last one. */
  opened(agent: string): { readonly session: Session; readonly handle: Handle | undefined } {
    const open = this.#open.get(agent);
    if (open === undefined) throw new Error(`${agent} has no session`);
    if (open.handle === undefined) this.present(agent);
    return this.#open.get(agent) ?? open;
  }

  documentOf(generation: number): string {
    const found = this.store.puts[generation - 1];
    if (found?.number !== generation) throw new Error(`no generation ${generation} was stored`);
    return found.source.document;
  }

  epochOf(generation: number, executor: ExecutorId): number {
    return this.store.puts[generation - 1]?.epochs[executor] ?? 0;
  }

  /** The text of a shape in the posture of this house. */
  text(
    ...[shape, b]: readonly [Parameters<typeof documentOf>[0], Parameters<typeof documentOf>[2]?]
  ): string {
    return documentOf(shape, this.posture, b);
  }

  #registry(): Registry {
    const registry = new Registry();
    const [server, tool] = [parseServerName('s'), parseToolName('s/t')];
    if (server === undefined || tool === undefined) throw new Error('no name');
    const definition: JsonObject = { name: 't', inputSchema: tools.s.t };
    const digest = sha256(canonicalJson(definition));
    const ref = spawn({
      parallel: Infinity,
      turn: (_method, message, context) => this.#turn(message as ToolCall, context),
    });
    registry.refresh(server, [{ tool, definition, digest, ref }]);
    return registry;
  }

  /** What is handed over is checked in that very step; every eighth call takes its time. */
  #turn({ args }: ToolCall, { call }: TurnContext): unknown {
    const intent = this.audit.intent(call);
    this.sent.set(call, args);
    if (intent === undefined) this.mismatches.push(`${call} has no intent`);
    else this.#check(intent, args);
    this.#waited.delete(call);
    return this.sent.size % 8 === 0 ? rest().then(() => 'ok') : 'ok';
  }

  #check(intent: IntentRecord, args: JsonObject): void {
    const { call, executor, capGeneration, policyGeneration } = intent;
    const inForce = this.cell.current.peek()?.generation.number ?? 0;
    const pinned = capGeneration?.number ?? 0;
    if (executor === undefined || this.epochOf(pinned, executor) !== this.epochOf(inForce, executor))
      this.mismatches.push(`${call} outlived its epoch`);
    const afresh = this.posture === 'recheck' || this.#waited.has(call);
    for (const number of [policyGeneration?.number ?? 0, ...(afresh ? [inForce] : [])])
      this.mismatches.push(...outside(this, { intent, args }, number));
  }

  /** Every eighth call waits for its turn. */
  #exclusion(): ExclusionPort {
    let entered = 0;
    const hold = { release: (): void => undefined };
    return {
      enter: ({ call }) => {
        entered += 1;
        if (entered % 8 !== 0) return hold;
        this.#waited.add(call);
        return rest().then(() => hold);
      },
    };
  }
}
