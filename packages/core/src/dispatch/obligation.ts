/** Obligations: what an admitted call still owes before it may be handed over: an approval, a limit, its turn. */
import { type Denial, splitToolName } from '../ground/index.js';
import type { Located } from '../handle/index.js';
import type { Admitted } from './admit.js';
import type { CallLog } from './call-log.js';
import type { DispatchPorts } from './ports.js';
import { busy, consentRefusal, limitUsedUp } from './refusal.js';

/** Everything owed is met. */
export interface Obligations {
  readonly kind: 'met';
  /** Whether meeting them took a wait: then the call is admitted afresh at the last check. */
  readonly waited: boolean;
  /** The call was handed over: reservations are spent, holds end with the call. */
  spend(): void;
  /** Nothing was handed over: reservations go back. */
  giveBack(): void;
  /** Ends the holds. */
  release(): void;
}

/** Something owed was not met. */
export interface Unmet {
  readonly kind: 'refused';
  readonly denial: Denial;
}

/** The call that owes. */
export interface Owing {
  readonly located: Located;
  readonly admission: Admitted;
  readonly log: CallLog;
  readonly signal: AbortSignal;
}

/** Asks for each obligation in order: ask, limit, exclusion. Never rejects. */
export async function oblige(ports: DispatchPorts, owing: Owing): Promise<Obligations | Unmet> {
  const about = { shown: owing.located.mount.title };
  const asked = ask(ports, owing);
  if (asked !== undefined) return { kind: 'refused', denial: consentRefusal(about, asked) };
  const { session, mount } = owing.located;
  const base = { session: session.id, executor: session.executor, tool: mount.tool, call: owing.log.call };
  const reservation = ports.limits.reserve({ ...base, budgets: [], limits: [] });
  if (reservation === 'used-up') return { kind: 'refused', denial: limitUsedUp(about) };
  const entering = ports.exclusion.enter({
    ...base,
    group: splitToolName(mount.tool).server,
    accesses: owing.admission.accesses,
    signal: owing.signal,
  });
  const waited = entering instanceof Promise;
  const hold = waited ? await entering : entering;
  if (hold === 'busy') {
    reservation.giveBack();
    return { kind: 'refused', denial: busy(about) };
  }
  return {
    kind: 'met',
    waited,
    spend: () => reservation.spend(),
    giveBack: () => reservation.giveBack(),
    release: () => hold.release(),
  };
}

/** Why the call may not go on unasked; undefined if it may. */
function ask(
  ports: DispatchPorts,
  { located, admission, log }: Owing,
): 'required' | 'refused' | 'expired' | undefined {
  if (admission.level === 'permit') return undefined;
  const { session, mount } = located;
  const answer = ports.consent.ask({
    session: session.id,
    executor: session.executor,
    tool: mount.tool,
    toolDigest: mount.digest,
    argumentsDigest: log.argumentsDigest(admission.args),
    level: admission.level,
  });
  if (answer.kind === 'approved') return undefined;
  return answer.kind === 'none-asked' ? 'required' : answer.kind;
}
