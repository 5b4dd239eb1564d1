/** The last check: what has to hold in the very step in which a call is handed over. */
import { lower } from '../authority/index.js';
import { deadReason } from '../capability/index.js';
import {
  type DeadReason,
  type Denial,
  type Fault,
  type ToolName,
  deepEqualJson,
  fault,
} from '../ground/index.js';
import type { Located } from '../handle/index.js';
import { type ExecutorPolicy, type Snapshot, policyOf } from '../policy/index.js';
import { type ShelfTool, toolOf } from '../skill/index.js';
import { type Admission, type Admitted, admit } from './admit.js';
import type { CallRequest } from './call.js';
import { sameCharges } from './charge.js';
import type { Obligations } from './obligation.js';
import type { DispatchPorts } from './ports.js';
import { attenuatedAway, changedMeanwhile, frozen, noSuchTool, quarantined } from './refusal.js';

/** The checks of one call that compare it with what is in force. */
export class LastCheck {
  readonly #ports: DispatchPorts;
  readonly #request: CallRequest;
  readonly #located: Located;
  readonly #admitted: Snapshot;
  #ofSkill = false;
  /** Set once {@link passes} has answered false. */
  refusal: Denial | Fault | undefined;

  constructor(ports: DispatchPorts, request: CallRequest, located: Located, admitted: Snapshot) {
    this.#ports = ports;
    this.#request = request;
    this.#located = located;
    this.#admitted = admitted;
  }

  /** Why the capability does not authorise under the snapshot in force, or undefined. */
  capability(): DeadReason | undefined {
    const snapshot = this.#ports.current.peek() ?? this.#admitted;
    return deadReason(this.#located.mount.capability, snapshot, {
      revocations: this.#ports.revocations,
      now: this.#ports.clock.monotonic(),
      expiresAt: this.#located.session.expiresAt,
    });
  }

  /** INVARIANT(P.pins.quarantine): no call reaches a tool that is not, now, what is in force under its name. */
  standing(): Denial | undefined {
    const { tool, capability } = this.#located.mount;
    const standing = this.#ports.standing?.(tool, capability.executor) ?? 'in-force';
    if (standing === 'waiting') return quarantined();
    return standing === 'absent' ? noSuchTool('expired') : undefined;
  }

  /** Admission under a snapshot: pure, so it may run again in the step of the hand-over. */
  admit(snapshot: Snapshot): Admission {
    const { mount, session } = this.#located;
    const stopped = this.#frozen();
    if (stopped !== undefined) return { kind: 'refused', denial: stopped, accesses: [] };
    const { agent, instance, child } = session;
    const executor = policyOf(snapshot.policy, { agent, instance, delegation: child?.delegation });
    if ('kind' in executor) return { kind: 'refused', denial: executor, accesses: [] };
    // What was delegated is a part of the policy's authority; a loaded skill is none.
    const own = child === undefined ? this.#ports.skills?.find(session.executor, mount.tool) : undefined;
    this.#ofSkill ||= own !== undefined;
    const masked = own && this.#ports.skills?.refuseMasked(own, mount.title);
    if (masked !== undefined) return { kind: 'refused', denial: masked, accesses: [] };
    return admit({
      executor: own === undefined ? executor : withSkillTool(executor, mount.tool, own),
      tool: mount.tool,
      shown: mount.title,
      args: this.#request.args,
      disclosure: snapshot.policy.settings.disclose,
    });
  }

  /**
   * Runs at the start of the turn, synchronously. INVARIANT(S000.recheck-before-hand-over): (a) a revoked, expired or
   * re-epoched capability refuses always; (b) under another generation than the admitting one, posture `recheck`, or having
   * waited for anything but the own intent record, admits afresh; (c) an admission afresh that says anything else refuses.
   */
  passes(admission: Admitted, obligations: Obligations): boolean {
    this.refusal = this.#reason(admission, obligations);
    return this.refusal === undefined;
  }

  /** Freezing attenuates to nothing whatever the snapshot says, so every check asks for it. */
  #frozen(): Denial | undefined {
    const { capability, title } = this.#located.mount;
    for (const executor of capability.epochs.keys())
      if (this.#ports.freezes?.covers(executor) !== undefined) return frozen({ shown: title });
    return undefined;
  }

  /** A skill is unloaded without any other generation. */
  #skillGone(): boolean {
    const { mount, session } = this.#located;
    return this.#ofSkill && this.#ports.skills?.find(session.executor, mount.tool) === undefined;
  }

  #reason(admission: Admitted, obligations: Obligations): Denial | Fault | undefined {
    if (this.#request.signal.aborted) return fault('internal', 'The call was cancelled before it was made.');
    const dead = this.capability();
    if (dead !== undefined) return noSuchTool(dead);
    const standing = this.standing();
    if (standing !== undefined) return standing;
    const stopped = this.#frozen();
    if (stopped !== undefined) return attenuatedAway({ shown: this.#located.mount.title }, stopped);
    if (this.#skillGone()) return noSuchTool('expired');
    const current = this.#ports.current.peek();
    if (current === undefined || current === this.#admitted) return undefined;
    const { posture } = current.policy.settings;
    if (posture === 'bind' && !obligations.waited) return undefined;
    return afresh(admission, this.admit(current), this.#located, obligations.level);
  }
}

/** The executor with one more tool, which it has because its skill was loaded; everything else stays. */
function withSkillTool(executor: ExecutorPolicy, tool: ToolName, own: ShelfTool): ExecutorPolicy {
  const policy = toolOf(own, tool);
  return { ...executor, forTool: (each) => (each === tool ? policy : executor.forTool(each)) };
}

/** The same call, counted the same way, and at a level at which what it holds is enough. */
function afresh(
  before: Admitted,
  now: Admission,
  located: Located,
  level: Obligations['level'],
): Denial | undefined {
  const about = { shown: located.mount.title };
  if (now.kind === 'refused') return attenuatedAway(about, now.denial);
  const same =
    deepEqualJson(before.args, now.args) &&
    lower(now.level, level) === level &&
    sameCharges(before.charges, now.charges);
  return same ? undefined : changedMeanwhile(about);
}
