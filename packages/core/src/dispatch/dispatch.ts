/** THE mediation point: every call of every agent runs through this sequence and through no other way. */
import {
  type CallId,
  type Denial,
  type ExecutorId,
  type Fault,
  type Handle,
  type Json,
  type JsonObject,
  type SessionId,
  deepFreeze,
} from '../ground/index.js';
import type { Located } from '../handle/index.js';
import { send } from '../vat/send.js';
import type { Admitted } from './admit.js';
import { CallLog } from './call-log.js';
import { LastCheck } from './last-check.js';
import { oblige } from './obligation.js';
import type { DispatchPorts } from './ports.js';
import { auditGone, nothingInForce, noSuchTool } from './refusal.js';
import { settle } from './settle.js';

/** One call as it arrives. The dispatcher takes `args` over and freezes them at admission. It has no name parameter. */
export interface CallRequest {
  readonly session: SessionId;
  /** Undefined when the session has no such tool. */
  readonly handle: Handle | undefined;
  readonly args: Json | undefined;
  /** Recorded, never consulted. */
  readonly onBehalfOf?: string;
  readonly signal: AbortSignal;
  /** Handed to the actor beside the arguments: progress, trace context. Carries no authority. */
  readonly extras?: unknown;
}

/** What an actor's turn takes as the arguments of method `call`. */
export interface ToolCall {
  readonly args: JsonObject;
  /** The principal on whose behalf a shared server keeps a process. */
  readonly executor: ExecutorId;
  readonly extras: unknown;
}

/** What becomes of a call; a value, never a thrown error. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly call: CallId; readonly value: unknown }
  | { readonly kind: 'refused'; readonly call: CallId; readonly refusal: Denial | Fault };

/** The dispatcher. */
export interface Dispatcher {
  /** Mediates one call. Never rejects. */
  call(request: CallRequest): Promise<CallOutcome>;
}

/** A dispatcher over its ports. */
export function dispatcher(ports: DispatchPorts): Dispatcher {
  return Object.freeze({ call: (request: CallRequest): Promise<CallOutcome> => dispatch(ports, request) });
}

async function dispatch(ports: DispatchPorts, request: CallRequest): Promise<CallOutcome> {
  const log = new CallLog(ports, request);

  // locate: by handle, in this session only
  const located = request.handle === undefined ? 'unknown' : ports.locator.locate(request.session, request.handle);
  if (typeof located === 'string') return log.refuse(noSuchTool(located));
  log.located(located);

  // load snapshot: one load of the pointer, held until the call is settled
  const pin = ports.current.pin();
  if (pin === undefined) return log.refuse(nothingInForce());
  try {
    const check = new LastCheck(ports, request, located, pin.snapshot);
    const dead = check.capability();
    if (dead !== undefined) return log.refuse(noSuchTool(dead));

    // decode, read accesses, fill, admit (policy ∩ ceiling ∩ narrowing)
    const admission = check.admit(pin.snapshot);
    log.judged(admission, pin.snapshot);
    if (admission.kind === 'refused') return log.refuse(admission.denial);
    deepFreeze(admission.args);

    // obligations: ask, limits, exclusion
    const obligations = await oblige(ports, { located, admission, log, signal: request.signal });
    if (obligations.kind === 'refused') return log.refuse(obligations.denial);

    // intent record: durable before anything is handed over
    const intent = log.intend(admission);
    try {
      await intent.durable;
    } catch (error) {
      obligations.giveBack();
      return log.lost(auditGone(error));
    }

    // last check and hand-over, in one synchronous step at the start of the actor's turn
    const turn = send(located.ref, 'call', toolCall(admission, located, request), {
      context: { signal: request.signal, call: log.call },
      atTurn: () => check.passes(admission, obligations),
    });
    return settle({ log, check, obligations }, await turn.done);
  } finally {
    pin.release();
  }
}

function toolCall({ args }: Admitted, { session }: Located, { extras }: CallRequest): ToolCall {
  return { args, executor: session.executor, extras };
}
