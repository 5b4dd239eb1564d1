/** Messages of which the sender learns the end. */
import { CapError, ToolFailure, wordsOf } from '../ground/index.js';
import type { TurnContext } from './actor.js';
import type { Gate } from './gate.js';
import type { Letter, Waiting } from './letter.js';
import { nobodyThere } from './refusals.js';
import { Slot, slotOf } from './slot.js';
import type { NotStarted, TurnEnd } from './turn.js';

/** A turn failed by an error of its own. Whoever sends learns its message and nothing else of it. */
export class ActorError extends Error {
  override readonly name = 'ActorError';

  constructor(method: string, error: unknown) {
    super(`${method} failed: ${wordsOf(error)}`);
  }
}

/** From where a message is sent. */
export interface Origin {
  readonly context: TurnContext;
  readonly gates: readonly Gate[];
  readonly chain: Waiting | undefined;
}

abstract class Sending implements Letter {
  method: string;
  args: unknown;
  readonly context: TurnContext;
  gates: readonly Gate[];
  readonly chain: Waiting | undefined;
  started = false;

  constructor(method: string, args: unknown, { context, gates, chain }: Origin) {
    this.method = method;
    this.args = args;
    this.context = context;
    this.gates = gates;
    this.chain = chain;
  }

  abstract settle(end: TurnEnd): void;
}

/** A message whose end a promise tells. */
export class Request extends Sending {
  readonly promise: Promise<unknown>;
  #resolve: (value: unknown) => void = nothing;
  #reject: (error: unknown) => void = nothing;

  constructor(method: string, args: unknown, origin: Origin) {
    super(method, args, origin);
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** What waits for its result goes first, so that nothing that is sent to the result overtakes it. */
  settle(end: TurnEnd): void {
    const slot = slotOf(this.promise);
    if (end.kind === 'returned') {
      slot?.keep(end.value);
      this.#resolve(end.value);
      return;
    }
    const error = errorOf(this.method, end);
    slot?.break(error);
    this.#reject(error);
  }
}

/** A message whose end nobody waits for: more can be sent to what it brings. */
export class Dispatch extends Sending {
  readonly slot: Slot = new Slot();
  readonly #failed: (method: string, error: unknown) => void;

  constructor(
    method: string,
    args: unknown,
    origin: Origin,
    failed: (method: string, error: unknown) => void,
  ) {
    super(method, args, origin);
    this.#failed = failed;
  }

  settle(end: TurnEnd): void {
    if (end.kind === 'returned') return this.slot.keep(end.value);
    const error = errorOf(this.method, end);
    this.slot.break(error);
    this.#failed(this.method, error);
  }
}

function nothing(): void {
  // Replaced before anybody can call it.
}

function errorOf(method: string, end: Exclude<TurnEnd, { kind: 'returned' }>): unknown {
  if (end.kind === 'threw') return isForModels(end.error) ? end.error : new ActorError(method, end.error);
  return refusalError(end);
}

/** What a power said goes on as it is, through every actor that it passes. */
function isForModels(error: unknown): boolean {
  return CapError.refusalIn(error) !== undefined || ToolFailure.toldBy(error) !== undefined;
}

function refusalError({ refusal, broken }: NotStarted): unknown {
  return broken ?? new CapError(refusal ?? nobodyThere);
}
