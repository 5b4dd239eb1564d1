/** Obligations: what an admitted call still owes before it may be handed over: an approval, a limit, its turn. */
import type { Level } from '../authority/index.js';
import type { ConsentAnswer, HeldApproval } from '../consent/index.js';
import { type DeadReason, type Denial, splitToolName } from '../ground/index.js';
import type { Located } from '../handle/index.js';
import type { KeptCount, Reservation, UsedUp } from '../limit/index.js';
import { type Snapshot, policyOf } from '../policy/index.js';
import type { Admitted } from './admit.js';
import type { CallLog } from './call-log.js';
import type { CallRequest } from './call.js';
import { limitRequest } from './charge.js';
import { writes } from './exclusion.js';
import type { DispatchPorts } from './ports.js';
import { busy, consentRefusal, limitUsedUp, noSuchTool } from './refusal.js';
import { shownCall } from './shown.js';

/** Everything owed is met. */
export interface Obligations {
  readonly kind: 'met';
  /** Whether meeting them took a wait: then the call is admitted afresh at the last check. */
  readonly waited: boolean;
  /** The level at which it goes, with what is left of budgets; never freer than that of its admission. */
  readonly level: Level;
  /** The approval under which it goes. */
  readonly approval: string | undefined;
  /** To be stored with the intent. */
  readonly counts: readonly KeptCount[];
  /** The call was handed over: reservations are spent, holds end with the call. */
  spend(): void;
  /** Nothing was handed over: reservations go back. Answers the counts to be stored. */
  giveBack(): readonly KeptCount[];
  /** Ends the holds. */
  release(): void;
}

/** Something owed was not met. */
export interface Unmet {
  readonly kind: 'refused';
  readonly denial: Denial;
  /** The ask that waits, or that was answered. */
  readonly approval?: string;
  /** Monotonic, milliseconds: until when the same call would be refused so, as far as time decides it. */
  readonly until?: number;
}

/** The call that owes. */
export interface Owing {
  readonly located: Located;
  readonly admission: Admitted;
  /** Under which it was admitted. */
  readonly snapshot: Snapshot;
  readonly log: CallLog;
  readonly request: Pick<CallRequest, 'signal' | 'parent'>;
  /** Why its capability does not authorise any more. */
  dead(): DeadReason | undefined;
}

/**
 * Asks for each obligation in order: ask, limit, exclusion. Never rejects. Ask and limit are one synchronous step: budgets say at
 * which level the call may go, the level says whether it asks, and what is refused is charged to nothing.
 */
export async function oblige(ports: DispatchPorts, owing: Owing): Promise<Obligations | Unmet> {
  const about = { shown: owing.located.mount.title };
  const reserved = reserve(ports, owing);
  const consent = asked(ports, owing, reserved.level);
  if (consent !== undefined && consent.kind !== 'approved') {
    if (reserved.kind === 'reserved') reserved.giveBack();
    const { kind, id, until } = consent;
    const denial = consentRefusal(about, kind, id);
    return { kind: 'refused', denial, until, ...(id === undefined ? {} : { approval: id }) };
  }
  if (reserved.kind === 'used-up') {
    consent?.giveBack();
    return { kind: 'refused', denial: limitUsedUp(about, reserved.by) };
  }
  const entering = enter(ports, owing);
  const waited = entering instanceof Promise;
  const hold = waited ? await entering : entering;
  if (hold === 'busy') {
    reserved.giveBack();
    consent?.giveBack();
    const reason = owing.dead();
    return { kind: 'refused', denial: reason === undefined ? busy(about) : noSuchTool(reason) };
  }
  return met(reserved, consent, { waited, release: () => hold.release() });
}

/** Its place among the calls that it must not run beside. */
function enter(ports: DispatchPorts, owing: Owing): ReturnType<DispatchPorts['exclusion']['enter']> {
  const { located, log, admission, request } = owing;
  const { signal, parent } = request;
  return ports.exclusion.enter({
    session: located.session.id,
    group: splitToolName(located.mount.tool).server,
    call: log.call,
    accesses: admission.accesses,
    writes: !located.reads && writes(admission.accesses),
    signal,
    lives: () => owing.dead() === undefined,
    ...(parent === undefined ? {} : { parent }),
  });
}

function met(
  reserved: Reservation,
  consent: HeldApproval | undefined,
  turn: Pick<Obligations, 'waited' | 'release'>,
): Obligations {
  return {
    kind: 'met',
    ...turn,
    level: reserved.level,
    approval: consent?.id,
    counts: reserved.kept,
    spend: () => {
      reserved.spend();
      consent?.spend();
    },
    giveBack: () => {
      consent?.giveBack();
      return reserved.giveBack();
    },
  };
}

/** A share of everything that the call is charged to; a call that nothing counts goes as it was admitted. */
function reserve(ports: DispatchPorts, { located, admission, snapshot }: Owing): Reservation | UsedUp {
  const { session } = located;
  const { agent, instance, child, id } = session;
  const executor = policyOf(snapshot.policy, { agent, instance, delegation: child?.delegation });
  if (admission.charges === undefined || 'kind' in executor) return uncounted(admission.level);
  return ports.limits.reserve(
    limitRequest(admission.charges, executor, child?.root ?? id, snapshot.generation),
  );
}

function uncounted(level: Level): Reservation {
  return { kind: 'reserved', level, kept: nothing, spend: (): void => {}, giveBack: () => nothing };
}

const nothing: readonly KeptCount[] = Object.freeze([]);

/** What people say of the call; undefined where it needs no approval. */
function asked(
  ports: DispatchPorts,
  { located, admission, snapshot, log }: Owing,
  level: Level | undefined,
): ConsentAnswer | undefined {
  if (level === undefined || level === 'permit') return undefined;
  const { session, mount } = located;
  return ports.consent.ask({
    session: session.id,
    executor: session.executor,
    epoch: snapshot.epochs.get(session.executor) ?? 0,
    tool: mount.tool,
    toolDigest: mount.digest,
    argumentsDigest: log.argumentsDigest(admission.args),
    shown: shownCall(mount.title, admission.args),
    level,
  });
}
