/** What the dispatcher remembers of calls that are over: refusals of the last minute, and calls whose answer was lost. */
import type { Denial, Json } from '../ground/index.js';
import type { Located } from '../handle/index.js';
import type { Snapshot } from '../policy/index.js';
import type { Admitted } from './admit.js';
import type { CallLog } from './call-log.js';
import type { CallOutcome } from './call.js';
import type { DispatchPorts } from './ports.js';
import { inProgress } from './refusal.js';
import { type Attempt, type Remembered, RefusedBefore, repeatsReported } from './refused-before.js';
import { Unsettled, isRepeatable } from './unsettled.js';

/** A call by its canonical arguments, as far as it may be lost. */
export interface LosableCall {
  readonly key: string;
  readonly shown: string;
}

/** The memory of one dispatcher. */
export class Memory {
  readonly #ports: Pick<DispatchPorts, 'audit' | 'clock' | 'consent' | 'skills'>;
  readonly #refused = new RefusedBefore();
  readonly #unsettled = new Unsettled();

  constructor(ports: Pick<DispatchPorts, 'audit' | 'clock' | 'consent' | 'skills'>) {
    this.#ports = ports;
  }

  /** The call as it arrived, and the state in which a refusal of it would stand. */
  attempt({ session, mount }: Located, args: Json | undefined, snapshot: Snapshot): Attempt {
    const { number, hash } = snapshot.generation;
    const epoch = snapshot.epochs.get(session.executor) ?? 0;
    const state = `${mount.tool} ${mount.digest} ${number} ${hash} ${epoch} ${this.#ports.consent.version()} ${this.#ports.skills?.changes ?? 0}`;
    return { session: session.id, state, args };
  }

  /** The refusal that the attempt got before, if it still stands. The operator is told once of many. */
  recall(attempt: Attempt, { session, mount }: Located): Remembered | undefined {
    const found = this.#refused.recall(attempt, this.#ports.clock.monotonic());
    if (found?.times === repeatsReported) {
      const { executor, id } = session;
      const data = { executor, session: id, tool: mount.tool, code: found.denial.code, times: found.times };
      this.#ports.audit.note({ type: 'event', event: 'repeated_refusal', data });
    }
    return found;
  }

  /** Remembers a refusal. `until` and `approval` are those of an ask. */
  refused(
    attempt: Attempt,
    denial: Denial,
    { until, approval }: { readonly until?: number; readonly approval?: string } = {},
  ): void {
    this.#refused.remember(attempt, denial, {
      now: this.#ports.clock.monotonic(),
      ...(until === undefined ? {} : { until }),
      ...(approval === undefined ? {} : { approval }),
    });
  }

  /** The admitted call; undefined where making it twice does no harm. */
  callOf({ session, mount }: Located, admission: Admitted, log: CallLog): LosableCall | undefined {
    if (isRepeatable(admission)) return undefined;
    const key = `${session.id} ${mount.tool} ${log.argumentsDigest(admission.args)}`;
    return { key, shown: mount.title };
  }

  /** The refusal of a call of which an identical one was lost and may still happen. */
  lost(call: LosableCall | undefined): Denial | undefined {
    if (call === undefined || !this.#unsettled.has(call.key, this.#ports.clock.monotonic())) return undefined;
    return inProgress(call);
  }

  /** Takes note of how a call ended. */
  ended(call: LosableCall | undefined, outcome: CallOutcome): void {
    if (call === undefined || outcome.kind !== 'refused' || outcome.refusal.kind !== 'fault') return;
    this.#unsettled.ended(call.key, outcome.refusal, this.#ports.clock.monotonic());
  }
}
