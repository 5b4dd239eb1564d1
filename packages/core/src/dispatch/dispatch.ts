/** THE mediation point: every call of every agent runs through this sequence and through no other way. */
import { deepFreeze } from '../ground/index.js';
import type { Located } from '../handle/index.js';
import type { Snapshot } from '../policy/index.js';
import { type TurnEnd, send } from '../vat/send.js';
import type { Admitted } from './admit.js';
import type { CallOutcome, CallRequest, ToolCall } from './call.js';
import { CallLog } from './call-log.js';
import { InFlight } from './in-flight.js';
import { LastCheck } from './last-check.js';
import { oblige } from './obligation.js';
import type { DispatchPorts } from './ports.js';
import { auditGone, givenUp, nothingInForce, noSuchTool } from './refusal.js';
import { settle } from './settle.js';

/** The dispatcher. */
export interface Dispatcher {
  /** Mediates one call. Never rejects. */
  call(request: CallRequest): Promise<CallOutcome>;
  /** Calls that were handed over and are not settled. */
  inFlight(): number;
  /** Cancels every call that was handed over under that snapshot, settles it as `outcome_unknown`, and says how many there were. */
  giveUp(snapshot: Snapshot): number;
}

/** A dispatcher over its ports. */
export function dispatcher(ports: DispatchPorts): Dispatcher {
  const flights = new InFlight(ports.revocations);
  return Object.freeze({
    call: (request: CallRequest): Promise<CallOutcome> => dispatch(ports, flights, request),
    inFlight: () => flights.size,
    giveUp: (snapshot: Snapshot) => flights.giveUp(snapshot),
  });
}

async function dispatch(ports: DispatchPorts, flights: InFlight, request: CallRequest): Promise<CallOutcome> {
  const log = new CallLog(ports, request);

  // locate: by handle, in this session only
  const located =
    request.handle === undefined ? 'unknown' : ports.locator.locate(request.session, request.handle);
  if (typeof located === 'string') {
    log.remembered(ports.locator.remembered(request.session, request.handle));
    return log.refuse(noSuchTool(located));
  }
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
      obligations.release();
      return log.lost(auditGone(error));
    }

    // last check and hand-over, in one synchronous step at the start of the actor's turn
    const flight = flights.follow(located.mount.capability, pin.snapshot, request.signal);
    const turn = send(located.ref, 'call', toolCall(admission, located, request), {
      context: { signal: flight.signal, call: log.call },
      atTurn: () => {
        const passes = check.passes(admission, obligations);
        log.checked(ports.current.peek() ?? pin.snapshot);
        if (passes) flight.begin();
        return passes;
      },
    });
    const end = await Promise.race([turn.done, flight.givenUp.then(abandoned)]);
    flight.end();
    return settle({ log, check, obligations }, end);
  } finally {
    pin.release();
  }
}

function abandoned(): TurnEnd {
  return { kind: 'returned', value: givenUp() };
}

function toolCall({ args }: Admitted, { session }: Located, { extras }: CallRequest): ToolCall {
  return { args, executor: session.executor, extras };
}
