/** A turn as the method that takes it sees it: powers that die with it, a state to replace, and ways to send. */
import { type CallId, type DeadReason, CapError, UsageError } from '../ground/index.js';
import { frozenCopy } from './data.js';
import { type Letter, deadLetter } from './letter.js';
import type { WaitingTurn } from './mailbox.js';
import { leave } from './outbox.js';
import { type HeldPower, type TurnPort, guardedPowers } from './power.js';
import type { ArgsOf, Eventually, MethodOf, Promised, ResultOf } from './protocol.js';
import { type Ref, deliver, refTo } from './ref.js';
import { dead } from './refusals.js';
import { Dispatch, type Origin, Request } from './request.js';
import { receiverOf, refOf } from './slot.js';

/** What a method that only reads may do. Everything but `state` throws CapError once the turn is over, late, or revoked. */
export interface ReadTurn<P, S> {
  /** Exactly those of the definition. Each use asks whether the turn may still act. */
  readonly powers: Readonly<P>;
  /** As it was when the turn began. Frozen. */
  readonly state: S;
  /** The mediated call that it belongs to. */
  readonly id: CallId;
  /** Aborted when the turn may not act any more, or its outcome is not wanted. */
  readonly signal: AbortSignal;
  /** The actor itself, to be named by its protocol: `const self: Ref<Job> = turn.self`. It cannot be stopped by it. */
  readonly self: Ref<never>;
  /**
   * Sends once the turn has succeeded; a turn that fails sends nothing. Answers a reference to what the method will return,
   * where that is a reference, to which more can be sent at once. Throws TypeError for arguments that are neither plain data nor references.
   */
  send<M, K extends MethodOf<M>>(to: Ref<M>, method: K, args: ArgsOf<M, K>): Promised<ResultOf<M, K>>;
  /**
   * Calls now, for an answer that the turn needs; what was called is not undone if the turn fails. Rejects with CapError (`busy`)
   * where the chain of calls comes back to an actor that waits for it, as `send` of programs does for all else.
   */
  call<M, K extends MethodOf<M>>(to: Eventually<M>, method: K, args: ArgsOf<M, K>): Promise<ResultOf<M, K>>;
}

/** What a method may do that writes. */
export interface WriteTurn<P, S> extends ReadTurn<P, S> {
  /** The state from the next turn on, if this one succeeds. The last one counts. Throws TypeError for what is neither plain data nor a reference. */
  become(next: S): void;
}

/** What an actor is while it lives. */
export interface Cell {
  readonly self: Ref;
  readonly held: readonly HeldPower[];
  readonly now: () => number;
  /** Told of messages that failed and whose end nobody waits for. */
  readonly failed: (method: string, error: unknown) => void;
  /** Running turns that wait for calls of theirs. */
  readonly waiting: Set<LiveTurn>;
  state: unknown;
}

/** Begins one. `deadline` is on the actor's clock; from then on the turn is over. */
export let beginTurn: (cell: Cell, letter: Letter, writes: boolean, deadline: number) => LiveTurn;
/** On whom a turn waits. */
export let waitingTurn: (turn: LiveTurn) => WaitingTurn;
/** Whether it is past its deadline. */
export let isLate: (turn: LiveTurn) => boolean;
/** Ends it well: what it became is what the actor is, and what it sent leaves. False: it was over before, and nothing happens. */
export let commit: (turn: LiveTurn) => boolean;
/** Ends it badly: what it became is forgotten, and what it sent is not sent. False: it was over before. */
export let drop: (turn: LiveTurn, error: unknown) => boolean;

/**
 * One turn. A method gets it as {@link ReadTurn} or {@link WriteTurn}. INVARIANT(S001.actors-and-powers): it leads to nothing else: what this
 * room does with turns stands outside of the class, and the class is not to be found from an instance.
 */
class LiveTurn {
  readonly #cell: Cell;
  readonly #letter: Letter;
  readonly #writes: boolean;
  /** On the actor's clock: over from then on. */
  readonly #deadline: number;
  readonly state: unknown;
  #over = false;
  #next: { readonly state: unknown } | undefined;
  #outbox: { readonly to: Ref; readonly letter: Dispatch }[] | undefined;
  #powers: object | undefined;
  #abort: AbortController | undefined;
  #unlisten: (() => void)[] | undefined;
  #calls: Map<Request, Ref> | undefined;

  static {
    Object.defineProperty(this.prototype, 'constructor', { value: Object });
    Object.freeze(this.prototype);
    beginTurn = (...made) => new LiveTurn(...made);
    waitingTurn = (turn) => {
      const refs = [...(turn.#calls?.values() ?? [])];
      return { turn, on: refs.map(receiverOf).filter((receiver) => receiver !== undefined) };
    };
    isLate = (turn) => turn.#isLate();
    commit = (turn) => turn.#commit();
    drop = (turn, error) => turn.#drop(error);
  }

  constructor(cell: Cell, letter: Letter, writes: boolean, deadline: number) {
    this.#cell = cell;
    this.#letter = letter;
    this.#writes = writes;
    this.#deadline = deadline;
    this.state = cell.state;
  }

  get powers(): object {
    this.#powers ??= guardedPowers(this.#cell.held, this.#port());
    return this.#powers;
  }

  get id(): CallId {
    return this.#letter.context.call;
  }

  get self(): Ref {
    return this.#cell.self;
  }

  get signal(): AbortSignal {
    this.#abort ??= this.#listen(new AbortController());
    return this.#abort.signal;
  }

  become(next: unknown): void {
    this.#assertAlive();
    if (!this.#writes)
      throw new UsageError('a method that only reads cannot become anything; define it by write()');
    this.#next = { state: frozenCopy(next) };
  }

  send(to: Ref, method: string, args: unknown): Ref {
    this.#assertAlive();
    const letter = new Dispatch(method, frozenCopy(args), this.#origin(false), this.#cell.failed);
    this.#outbox ??= [];
    this.#outbox.push({ to, letter });
    return refTo({ to: letter.slot, gates: [] });
  }

  async call(to: Eventually<unknown>, method: string, args: unknown): Promise<unknown> {
    this.#assertAlive();
    const ref = refOf(to);
    const request = new Request(method, frozenCopy(args), this.#origin(true));
    this.#calls ??= new Map();
    this.#calls.set(request, ref);
    this.#cell.waiting.add(this);
    deliver(ref, request);
    try {
      return await request.promise;
    } finally {
      this.#calls.delete(request);
      if (this.#calls.size === 0) this.#cell.waiting.delete(this);
    }
  }

  #commit(): boolean {
    if (this.#over) return false;
    if (this.#next !== undefined) this.#cell.state = this.#next.state;
    if (this.#outbox !== undefined) leave(this.#outbox);
    this.#end();
    this.#abort?.abort(new CapError(dead('expired')));
    return true;
  }

  #drop(error: unknown): boolean {
    if (this.#over) return false;
    for (const { letter } of this.#outbox ?? []) letter.slot.break(error);
    this.#end();
    this.#abort?.abort(error);
    return true;
  }

  #end(): void {
    this.#over = true;
    if (this.#calls !== undefined) this.#cell.waiting.delete(this);
    if (this.#unlisten !== undefined) for (const unlisten of this.#unlisten) unlisten();
  }

  #origin(waits: boolean): Origin {
    const { context, gates, chain } = this.#letter;
    return { context, gates, chain: waits ? { turn: this, up: chain } : undefined };
  }

  #dead(): DeadReason | undefined {
    return this.#over || this.#isLate() ? 'expired' : deadLetter(this.#letter);
  }

  #isLate(): boolean {
    return this.#deadline !== Infinity && this.#cell.now() >= this.#deadline;
  }

  #port(): TurnPort {
    const signal = (): AbortSignal => this.signal;
    return Object.freeze({
      call: this.id,
      guard: () => this.#assertAlive(),
      get signal(): AbortSignal {
        return signal();
      },
    });
  }

  #assertAlive(): void {
    const reason = this.#dead();
    if (reason !== undefined) throw new CapError(dead(reason));
  }

  #listen(controller: AbortController): AbortController {
    const { signal } = this.#letter.context;
    const abort = (): void => controller.abort(signal.reason);
    const end = (): void => controller.abort(new CapError(dead(this.#dead() ?? 'revoked')));
    if (signal.aborted) abort();
    else if (this.#dead() !== undefined) end();
    signal.addEventListener('abort', abort);
    this.#unlisten = this.#letter.gates.map((gate) => gate.onRevoke(end));
    this.#unlisten.push(() => signal.removeEventListener('abort', abort));
    return controller;
  }
}

export type { LiveTurn };
