/** THE mediation point: every call of every agent runs through this sequence and through no other way. */
import type { Capability } from '../capability/index.js';
import { type DeadReason, type Denial, deepFreeze } from '../ground/index.js';
import type { Located } from '../handle/index.js';
import type { Snapshot } from '../policy/index.js';
import { type TurnEnd, post } from '../vat/send.js';
import type { Admitted } from './admit.js';
import type { CallOutcome, CallRequest, ToolCall } from './call.js';
import { CallLog } from './call-log.js';
import { InFlight } from './in-flight.js';
import { LastCheck } from './last-check.js';
import { Memory } from './memory.js';
import { type Obligations, oblige } from './obligation.js';
import type { DispatchPorts } from './ports.js';
import { auditGone, givenUp, nothingInForce, noSuchTool, quarantined } from './refusal.js';
import { sendAgain } from './resend.js';
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
  const inside: Inside = { ports, memory: new Memory(ports), flights: new InFlight(ports.revocations) };
  ports.revocations.subscribe(() => ports.exclusion.recheck?.());
  return Object.freeze({
    call: (request: CallRequest): Promise<CallOutcome> => dispatch(inside, request),
    inFlight: () => inside.flights.size,
    giveUp: (snapshot: Snapshot) => inside.flights.giveUp(snapshot),
  });
}

/** What the calls of one dispatcher share. */
interface Inside {
  readonly ports: DispatchPorts;
  readonly memory: Memory;
  readonly flights: InFlight;
}

async function dispatch(inside: Inside, request: CallRequest): Promise<CallOutcome> {
  const { ports } = inside;
  const log = new CallLog(ports, request);

  // locate: by handle, in this session only
  const located =
    request.handle === undefined ? 'unknown' : ports.locator.locate(request.session, request.handle);
  if (typeof located === 'string') {
    const was = ports.locator.remembered(request.session, request.handle);
    log.remembered(was);
    return log.refuse(gone(ports, located, was));
  }
  log.located(located);

  // load snapshot: one load of the pointer, held until the call is settled
  const pin = ports.current.pin();
  if (pin === undefined) return log.refuse(nothingInForce());
  try {
    return await mediate(inside, request, { log, located, snapshot: pin.snapshot });
  } finally {
    pin.release();
  }
}

/** A call that was found, under the snapshot that judges it. */
interface Found {
  readonly log: CallLog;
  readonly located: Located;
  readonly snapshot: Snapshot;
}

async function mediate(inside: Inside, request: CallRequest, found: Found): Promise<CallOutcome> {
  const { ports, memory } = inside;
  const { log, located, snapshot } = found;
  const check = new LastCheck(ports, request, located, snapshot);
  const dead = (): DeadReason | undefined => check.capability();
  const reason = dead();
  if (reason !== undefined) return log.refuse(noSuchTool(reason));
  const changed = check.standing();
  if (changed !== undefined) return log.refuse(changed);

  // the same call that was refused a moment ago, in the same state
  const attempt = memory.attempt(located, request.args, snapshot);
  const before = memory.recall(attempt, located);
  if (before !== undefined) return log.repeat(before, snapshot);

  // decode, read accesses, fill, admit (policy ∩ ceiling ∩ narrowing)
  const admission = check.admit(snapshot);
  log.judged(admission, snapshot);
  if (admission.kind === 'refused') {
    memory.refused(attempt, admission.denial);
    return log.refuse(admission.denial);
  }
  deepFreeze(admission.args);
  const call = memory.callOf(located, admission, log);
  const lost = memory.lost(call);
  if (lost !== undefined) return log.refuse(lost);

  // obligations: ask, limits, exclusion
  const obligations = await oblige(ports, { located, admission, snapshot, log, request, dead });
  if (obligations.kind === 'refused') {
    if (admission.charges === undefined) memory.refused(attempt, obligations.denial, obligations);
    return log.refuse(obligations.denial, obligations);
  }

  // intent record: durable before anything is handed over
  const intent = log.intend(admission, obligations);
  try {
    await intent.durable;
  } catch (error) {
    obligations.giveBack();
    obligations.release();
    return log.lost(auditGone(error));
  }

  // last check and hand-over; once more where the answer was lost and the connector says that this does no harm
  const handOver = (owed: Obligations): Promise<TurnEnd> =>
    handedOver(inside, request, found, { check, admission, obligations: owed });
  const sending = { admission, obligations, located, log, signal: request.signal };
  const end = await sendAgain(ports, sending, handOver);
  const outcome = settle({ log, check, obligations }, end);
  memory.ended(call, outcome);
  return outcome;
}

/** Why a handle leads nowhere. Only whoever held it learns that the tool waits, and only where nothing else has ended it. */
function gone(ports: DispatchPorts, reason: DeadReason, was: Capability | undefined): Denial {
  const waits =
    was !== undefined && reason === 'expired' && ports.standing?.(was.tool, was.executor) === 'waiting';
  return waits ? quarantined() : noSuchTool(reason);
}

/** What the last check of a call compares. */
interface Checked {
  readonly check: LastCheck;
  readonly admission: Admitted;
  readonly obligations: Obligations;
}

/** Last check and hand-over, in one synchronous step at the start of the actor's turn. */
async function handedOver(
  { ports, flights }: Inside,
  request: CallRequest,
  { log, located, snapshot }: Found,
  { check, admission, obligations }: Checked,
): Promise<TurnEnd> {
  const flight = flights.follow(located.mount.capability, snapshot, request.signal);
  const turn = post(located.ref, 'call', toolCall(admission, located, request), {
    context: { signal: flight.signal, call: log.call, lives: () => check.capability() },
    atTurn: () => {
      const passes = check.passes(admission, obligations);
      log.checked(ports.current.peek() ?? snapshot);
      if (passes) {
        flight.begin();
        log.handedOver();
      }
      return passes;
    },
  });
  const end = await Promise.race([turn.done, flight.givenUp.then(abandoned)]);
  flight.end();
  return end;
}

function abandoned(): TurnEnd {
  return { kind: 'returned', value: givenUp() };
}

function toolCall({ args }: Admitted, { session }: Located, { extras }: CallRequest): ToolCall {
  return { args, executor: session.executor, session: session.id, extras };
}
