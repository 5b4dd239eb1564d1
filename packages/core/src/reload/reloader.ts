/** The reloader: every change of what is in force after the start, one at a time. */
import { type Freezes, type FrozenName, isMeant } from '../capability/index.js';
import type { AuditLog } from '../audit/index.js';
import { type Digest, type ExecutorId, type Json, UsageError } from '../ground/index.js';
import type { Sessions } from '../handle/index.js';
import type { Generation, Snapshot } from '../policy/index.js';
import type { Skills } from '../skill/index.js';
import { type Activated, acceptedIn, activate, knownTo } from './activate.js';
import { Drain, type GiveUp, type LivingGeneration } from './drain.js';
import { type Judged, type Proposed, type ReloadRequest, type Reloaded, propose } from './propose.js';
import { openOf, reissue } from './reissue.js';
import { sourceBytes } from './source.js';
import type { StartPorts } from './start.js';
import type { FreezeStore, GenerationCause } from './store.js';

/** What the reloader needs from around it. */
export interface ReloadPorts extends StartPorts {
  readonly audit: Pick<AuditLog, 'note'>;
  readonly sessions: Pick<Sessions, 'all' | 'reissue'>;
  readonly freezes: Freezes;
  readonly freezeStore: FreezeStore;
  /** Loaded skills: held against each new snapshot in the very step in which it came into force. */
  readonly skills?: Pick<Skills, 'reintersect'> & {
    /** Works out beforehand, without stopping calls, what that policy leaves of them. */
    readonly foresee?: (policy: Snapshot['policy']) => Promise<void>;
  };
  /** Gives up the calls that were handed over under that snapshot, and says how many. */
  readonly giveUp: GiveUp;
}

/** What a thaw did. */
export type Thawed =
  | {
      readonly kind: 'thawed';
      readonly generation: Generation;
      readonly moved: readonly ExecutorId[];
      readonly reissued: number;
      /** Open sessions of those executors that have no tools until their credential is presented anew. */
      readonly emptied: number;
    }
  /** Exactly this was not frozen, or somebody froze it again meanwhile. */
  | { readonly kind: 'not-frozen' | 'frozen-again' };

/** Changes what is in force. All changes wait for each other: verdict and activation are one step for every other change. */
export interface Reloader {
  /** Never rejects for what a document, a prover or a store does. UsageError where a trigger that may not widen asks to. */
  reload(request: ReloadRequest): Promise<Reloaded>;
  /** What a reload without an operator act would come to; changes nothing, and is not recorded. */
  propose(make: ReloadRequest['propose']): Promise<Proposed>;
  /** In force when the call returns, before anything is stored; rejects when it could not be stored, and then still is in force. */
  freeze(name: FrozenName): Promise<boolean>;
  /** Operator act: epochs of everybody meant move, then the freeze is lifted. Rejects when the store refuses; then nothing changed. */
  thaw(name: FrozenName, options?: { readonly reissue?: boolean }): Promise<Thawed>;
  /** The generation in force and those that calls still hold, newest first. */
  living(): readonly LivingGeneration[];
  /** What is in force. */
  current(): Activated;
  /** Stops waiting for deadlines. */
  close(): void;
}

/** A reloader that goes on from what `start` put in force. */
export function reloader(ports: ReloadPorts, started: Activated): Reloader {
  return new Line(ports, started);
}

class Line implements Reloader {
  readonly #ports: ReloadPorts;
  readonly #drain: Drain;
  #inForce: Activated;
  #last: Promise<unknown> = Promise.resolve();
  /** The refusal that an operator was answered last, while nothing else came into force. */
  #shown: { readonly hash: Digest; readonly to: number | undefined } | undefined;

  constructor(ports: ReloadPorts, started: Activated) {
    this.#ports = ports;
    this.#inForce = started;
    this.#drain = new Drain({ ...ports, current: ports.cell.current });
    this.#drain.arrives(started.snapshot, sourceBytes(started.stored.source));
  }

  async reload(request: ReloadRequest): Promise<Reloaded> {
    const { trigger, act } = request;
    if (act !== undefined && trigger !== 'operator')
      throw new UsageError(`a reload by ${trigger} cannot widen: only an operator moves an epoch`);
    return this.#exclusively(() => this.#reload(request));
  }

  propose(make: ReloadRequest['propose']): Promise<Proposed> {
    return this.#exclusively(async () => {
      const judged = await propose(this.#ports, this.#inForce, { trigger: 'operator', propose: make });
      if (judged.kind !== 'judged') return judged;
      const { proposal, comparison, allowed } = judged;
      const { generation } = this.#inForce.snapshot;
      const hash = shownHash(proposal);
      return { kind: allowed ? 'acceptable' : 'refused', generation, comparison, hash };
    });
  }

  async freeze(name: FrozenName): Promise<boolean> {
    const fresh = this.#ports.freezes.freeze(name);
    // Waits for no reload that is being proved; a thaw that is under way sees that it was asked for, and stores it again.
    await this.#ports.freezeStore.freeze(name);
    return fresh;
  }

  thaw(name: FrozenName, options: { readonly reissue?: boolean } = {}): Promise<Thawed> {
    // As it was when the thaw was asked for: a freeze that comes in while it waits its turn is the later one.
    const asked = this.#ports.freezes.asked(name);
    return this.#exclusively(() => this.#thaw(name, asked, options.reissue === true));
  }

  living(): readonly LivingGeneration[] {
    return this.#drain.living();
  }

  current(): Activated {
    return this.#inForce;
  }

  close(): void {
    this.#drain.close();
  }

  /** INVARIANT(S000.monotone-reload): nobody else activates between the verdict and what follows from it. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #reload(request: ReloadRequest): Promise<Reloaded> {
    const judged = await propose(this.#ports, this.#inForce, request);
    if (judged.kind === 'same') this.#shown = undefined;
    if (judged.kind !== 'judged') return this.#noted(request, judged);
    const { comparison, moved, allowed } = judged;
    const { generation } = this.#inForce.snapshot;
    const expected = this.#expectedElse(request, judged);
    if (!allowed || expected !== undefined) return this.#refused(request, judged, expected);
    try {
      const snapshot = await this.#activate(request, judged);
      this.#shown = undefined;
      const reissued = request.act?.reissue === true ? reissue(this.#ports, moved) : 0;
      const emptied = openOf(this.#ports, moved) - reissued;
      return { kind: 'activated', generation: snapshot.generation, comparison, moved, reissued, emptied };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return this.#noted(request, { kind: 'failed', generation, why });
    }
  }

  /**
   * INVARIANT(P.reload.accepts-what-was-shown): an act is for the hash that it names, or else for what the operator was shown last
   * of this source. Gives that hash where something else is proposed by now.
   */
  #expectedElse(
    { act, to, declared, accepting }: ReloadRequest,
    { proposal, attenuates }: Judged,
  ): string | undefined {
    if (act === undefined) return undefined;
    const hash = shownHash(proposal);
    if (act.expect !== undefined) return hash.startsWith(act.expect) ? undefined : act.expect;
    // Who declares or accepts says in the act itself what is to be stored; the document is the one in force.
    const shown = declared === undefined && accepting !== true ? this.#shown : undefined;
    if (attenuates || shown === undefined || shown.to !== to || shown.hash === hash) return undefined;
    return shown.hash;
  }

  #refused(request: ReloadRequest, { proposal, comparison }: Judged, expected: string | undefined): Reloaded {
    const hash = shownHash(proposal);
    const { trigger, to, declared, accepting } = request;
    if (trigger === 'operator' && declared === undefined && accepting !== true) this.#shown = { hash, to };
    const { generation } = this.#inForce.snapshot;
    const meant = expected === undefined ? {} : { expected };
    return this.#noted(request, { kind: 'refused', generation, comparison, hash, ...meant });
  }

  #activate(
    { trigger, to, declared, inForce }: ReloadRequest,
    { proposal, comparison, moved }: Judged,
  ): Promise<Snapshot> {
    const about = { ...(to === undefined ? {} : { to }), ...(declared === undefined ? {} : { declared }) };
    const why = { ...about, ...acceptedIn(proposal) };
    const cause = { trigger, verdict: comparison.relation, moved, ...why };
    return this.#move(proposal, cause, inForce);
  }

  async #move(
    proposal: Judged['proposal'],
    cause: GenerationCause,
    inForce?: (snapshot: Snapshot) => void,
  ): Promise<Snapshot> {
    const { stored: before, snapshot } = this.#inForce;
    const { lineage } = snapshot;
    await this.#ports.skills?.foresee?.(proposal.policy);
    this.#inForce = await activate(this.#ports, {
      proposal,
      before,
      lineage,
      cause,
      inForce: (now) => {
        this.#drain.arrives(now, sourceBytes(proposal.source));
        inForce?.(now);
        this.#ports.skills?.reintersect(now);
      },
    });
    return this.#inForce.snapshot;
  }

  #noted<R extends Reloaded>(request: ReloadRequest, answer: R): R {
    const { trigger } = request;
    if (answer.kind === 'same') return answer;
    const data = { trigger, outcome: answer.kind, generation: this.#inForce.snapshot.generation.number };
    const more =
      answer.kind === 'refused' ? refusalFacts(answer) : answer.kind === 'failed' ? { why: answer.why } : {};
    this.#ports.audit.note({ type: 'event', event: 'reload_refused', data: { ...data, ...more } });
    return answer;
  }

  async #thaw(name: FrozenName, asked: number, fresh: boolean): Promise<Thawed> {
    const { freezes, freezeStore } = this.#ports;
    if (!freezes.has(name)) return { kind: 'not-frozen' };
    if (freezes.asked(name) !== asked) return { kind: 'frozen-again' };
    const { stored, snapshot } = this.#inForce;
    const moved = [...knownTo(stored, snapshot.policy)].filter((executor) => isMeant(name, executor));
    const { hash, source } = stored;
    const cause = { trigger: 'operator', verdict: 'thaw', moved, thawed: name } as const;
    const { generation } = await this.#move({ policy: snapshot.policy, hash, source }, cause);
    if (freezes.asked(name) !== asked) return { kind: 'frozen-again' };
    await freezeStore.lift(name);
    if (freezes.asked(name) !== asked) return this.#freezeAgain(name);
    freezes.lift(name);
    const reissued = fresh ? reissue(this.#ports, moved) : 0;
    return { kind: 'thawed', generation, moved, reissued, emptied: openOf(this.#ports, moved) - reissued };
  }

  /** Somebody froze while the thaw was being stored: the later freeze stands, in the store too. */
  async #freezeAgain(name: FrozenName): Promise<Thawed> {
    await this.#ports.freezeStore.freeze(name);
    return { kind: 'frozen-again' };
  }
}

function shownHash({ shownAs, hash }: Judged['proposal']): Digest {
  return shownAs ?? hash;
}

function refusalFacts(answer: Extract<Reloaded, { kind: 'refused' }>): { readonly [key: string]: Json } {
  const { hash, comparison, expected } = answer;
  const about = { hash, relation: comparison.relation, gained: gainedIn(answer) };
  return expected === undefined ? about : { ...about, expected };
}

function gainedIn({ comparison }: Extract<Reloaded, { kind: 'refused' }>): readonly string[] {
  return Object.entries(comparison.executors)
    .filter(([, { relation }]) => relation === 'widening' || relation === 'unknown')
    .map(([executor]) => executor);
}
