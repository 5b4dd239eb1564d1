/** Sending a call once more: only where its connector declares it idempotent, and only after an answer that never came. */
import type { Fault } from '../ground/index.js';
import type { Located } from '../handle/index.js';
import { type TurnEnd, faultIn } from '../vat/send.js';
import type { Admitted } from './admit.js';
import type { CallLog } from './call-log.js';
import type { Obligations } from './obligation.js';
import type { DispatchPorts } from './ports.js';

/** A call that is about to be handed over. */
export interface Sending {
  readonly admission: Admitted;
  readonly obligations: Obligations;
  readonly located: Located;
  readonly log: CallLog;
  /** Of the caller. */
  readonly signal: AbortSignal;
}

/**
 * Hands a call over; `handOver` makes the last check each time. INVARIANT(P.dispatch.never-resent): a second time at most, and
 * not before it is durably recorded. What comes of the second one counts only if it was handed over: the first one was.
 */
export async function sendAgain(
  ports: Pick<DispatchPorts, 'recovered'>,
  { admission, obligations, located, log, signal }: Sending,
  handOver: (obligations: Obligations) => Promise<TurnEnd>,
): Promise<TurnEnd> {
  const first = await handOver(obligations);
  const lost = lostAnswer(first);
  if (lost === undefined || admission.frame.table.idempotent !== true) return first;
  await ports.recovered?.(located, signal);
  if (signal.aborted) return first;
  try {
    await log.resend(lost).durable;
  } catch {
    return first;
  }
  // More than its own record was awaited by now, so it is admitted afresh whatever the posture.
  const second = await handOver({ ...obligations, waited: true });
  return wasHandedOver(second) ? second : first;
}

function lostAnswer(end: TurnEnd): Fault | undefined {
  const fault = faultIn(end);
  return fault?.lost === true ? fault : undefined;
}

function wasHandedOver(end: TurnEnd): boolean {
  if (end.kind === 'not-started') return false;
  return faultIn(end)?.code !== 'upstream_gone';
}
