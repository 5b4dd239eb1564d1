/** Sending: the door of this room that the mediation point alone opens. */
import { turnOfNobody } from './mailbox.js';
import { type Ref, mailboxOf } from './spawn.js';
import type { SendOptions, Turn } from './turn.js';

export type { SendOptions, Turn, TurnEnd } from './turn.js';

/**
 * Asks an actor for a turn. An actor with fewer turns running than it bears, and none waiting, starts it before this returns;
 * otherwise it waits its turn in the order of sending. Never throws; `args` is passed on as the very same object. A signal that is
 * aborted while the turn waits does not drop it: `atTurn` decides.
 */
export function send(ref: Ref, method: string, args: unknown, options: SendOptions): Turn {
  return mailboxOf(ref)?.post(method, args, options) ?? turnOfNobody();
}
