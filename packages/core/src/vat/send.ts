/** Sending from outside of actors: the door of this room that the mediation point opens, and programs by core's own door. */
import { type CallId, type DeadReason, mintId } from '../ground/index.js';
import type { TurnContext } from './actor.js';
import { frozenCopy } from './data.js';
import type { Gate } from './gate.js';
import type { Letter } from './letter.js';
import type { ArgsOf, Eventually, MethodOf, ResultOf } from './protocol.js';
import { type Ref, deliver } from './ref.js';
import { Request } from './request.js';
import { refOf } from './slot.js';
import type { SendOptions, Turn, TurnEnd } from './turn.js';

export { type NotStarted, type SendOptions, type Turn, type TurnEnd, faultIn } from './turn.js';

/** What may go with a message of a program. */
export interface SendWith {
  /** Aborted: the message is not wanted any more; its turn does not start, or loses its powers. */
  readonly signal?: AbortSignal;
  /** Why what the message is sent by authorises nothing any more; asked when the turn starts and at each use of a power. */
  readonly lives?: () => DeadReason | undefined;
  /** What the turn's id is to be. */
  readonly id?: CallId;
}

const noGates: readonly Gate[] = Object.freeze([]);
const usual: TurnContext = Object.freeze({
  signal: new AbortController().signal,
  call: mintId.call('c_program'),
});

/**
 * Sends a message to an actor, or to one that is promised, and brings what the method returns. A free actor starts the turn before this
 * returns; otherwise it waits, in the order of sending. Rejects with CapError where the message was refused, by its reference, by the actor,
 * or by a power; with ActorError where the turn failed otherwise. Throws TypeError for arguments that are neither plain data nor references;
 * they are copied.
 */
export function send<P, K extends MethodOf<P>>(
  to: Eventually<P>,
  method: K,
  args: ArgsOf<P, K>,
  options?: SendWith,
): Promise<ResultOf<P, K>>;
export function send(
  to: Eventually<unknown>,
  method: string,
  args: unknown,
  options?: SendWith,
): Promise<unknown> {
  const context = options === undefined ? usual : contextOf(options);
  const request = new Request(method, frozenCopy(args), { context, gates: noGates, chain: undefined });
  deliver(refOf(to), request);
  return request.promise;
}

function contextOf({ signal = usual.signal, lives, id = usual.call }: SendWith): TurnContext {
  return lives === undefined ? { signal, call: id } : { signal, call: id, lives };
}

/**
 * Asks an actor for a turn. An actor with fewer turns running than it bears, and none waiting, starts it before this returns;
 * otherwise it waits its turn in the order of sending. Never throws; `args` is passed on as the very same object. A signal that is
 * aborted while the turn waits does not drop it: `atTurn` decides.
 */
export function post(ref: Ref, method: string, args: unknown, options: SendOptions): Turn {
  const letter = new Posted(method, args, options);
  deliver(ref, letter);
  return letter.turn;
}

class Posted implements Letter {
  method: string;
  args: unknown;
  readonly context: TurnContext;
  gates: readonly Gate[] = noGates;
  readonly chain: undefined;
  readonly atTurn: () => boolean;
  started = false;
  readonly turn: Turn;
  #settle: (end: TurnEnd) => void = () => undefined;

  constructor(method: string, args: unknown, options: SendOptions) {
    this.method = method;
    this.args = args;
    this.context = options.context;
    this.atTurn = () => options.atTurn();
    const done = new Promise<TurnEnd>((settle) => {
      this.#settle = settle;
    });
    const isStarted = (): boolean => this.started;
    this.turn = Object.freeze({
      get started(): boolean {
        return isStarted();
      },
      done,
    });
  }

  settle(end: TurnEnd): void {
    this.#settle(end);
  }
}
