/** What is written down of one call, gathered as it goes through the sequence. */
import type { AuditRecord, CallFacts, Count, RefusalRecord, Ticket } from '../audit/index.js';
import type { Level } from '../authority/index.js';
import type { Capability } from '../capability/index.js';
import {
  type CallId,
  type Denial,
  type Digest,
  type Fault,
  type Json,
  type JsonObject,
  base32,
  canonicalJson,
  isJsonObject,
  mintId,
} from '../ground/index.js';
import type { Located } from '../handle/index.js';
import type { Generation, Snapshot } from '../policy/index.js';
import { type AccessView, accessView } from './access-view.js';
import type { Admission, Admitted } from './admit.js';
import { bodyOf } from './body.js';
import type { CallOutcome, CallRequest } from './call.js';
import type { DispatchPorts } from './ports.js';
import type { Remembered } from './refused-before.js';

/** What the intent says of how the call's obligations were met. */
interface Promised {
  readonly level: Level;
  readonly approval: string | undefined;
  readonly counts: readonly Count[];
}

/** The log of one call: exactly one refusal, or one intent and one settlement. */
export class CallLog {
  readonly call: CallId;
  readonly #ports: DispatchPorts;
  readonly #started: number;
  #known: CallFacts;
  #snapshot: Snapshot | undefined;
  #checked: Generation | undefined;
  #sendings = 0;
  readonly #sent: Json | undefined;
  #judged: { readonly admission: Admission; readonly snapshot: Snapshot } | undefined;
  #digest: { readonly of: JsonObject; readonly is: Digest } | undefined;

  constructor(ports: DispatchPorts, request: CallRequest) {
    this.#ports = ports;
    this.#started = ports.clock.monotonic();
    this.call = mintId.call(`c_${base32(ports.entropy.bytes(10))}`);
    const { session, onBehalfOf, parent, args } = request;
    this.#sent = args;
    const opened = ports.sessions.get(session);
    const inForce = ports.current.peek();
    this.#known = {
      call: this.call,
      session,
      ...(inForce === undefined ? {} : { policyGeneration: refOf(inForce.generation) }),
      ...(opened === undefined ? {} : { executor: opened.executor, key: opened.key }),
      ...(opened?.child === undefined ? {} : { parentSession: opened.child.parent }),
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
      ...(parent === undefined ? {} : { parentCall: parent }),
    };
  }

  /** The tool and its capability are known. */
  located({ mount }: Located): void {
    this.remembered(mount.capability);
    const { digest, confinement, confinedBy } = mount;
    const by = confinedBy === undefined ? {} : { confinedBy };
    this.#known = { ...this.#known, toolDigest: digest, confinement, ...by };
  }

  /** The capability is known, though it may authorise nothing any more. */
  remembered(capability: Capability | undefined): void {
    if (capability === undefined) return;
    const { id, tool, generation, executor, key } = capability;
    this.#known = { ...this.#known, executor, key, tool, cap: id, capGeneration: refOf(generation) };
  }

  /** The call was judged under a snapshot. */
  judged(admission: Admission, snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#judged = { admission, snapshot };
    const target: readonly AccessView[] = admission.accesses.map(accessView);
    const { executor } = this.#known;
    this.#known = {
      ...this.#known,
      policyGeneration: refOf(snapshot.generation),
      epoch: executor === undefined ? 0 : (snapshot.epochs.get(executor) ?? 0),
      ...(target.length === 0 ? {} : { target }),
      ...(admission.kind === 'admitted' ? { argumentsDigest: this.argumentsDigest(admission.args) } : {}),
    };
  }

  /** One record, and the outcome that the caller gets. */
  refuse(
    refusal: Denial | Fault,
    { approval, repeated }: Pick<RefusalRecord, 'approval' | 'repeated'> = {},
  ): CallOutcome {
    const record: AuditRecord = {
      ...this.#known,
      type: 'refusal',
      ...refusalFacts(refusal),
      ...(approval === undefined ? {} : { approval }),
      ...(repeated === undefined ? {} : { repeated }),
    };
    this.#ports.audit.note(record, this.#refusedBody());
    const waits = refusal.code === 'consent_required' && approval !== undefined;
    return { kind: 'refused', call: this.call, refusal, ...(waits ? { ask: approval } : {}) };
  }

  /** The same refusal again, of a call that was not judged again. */
  repeat({ denial, approval, times }: Remembered, { generation, epochs }: Snapshot): CallOutcome {
    const { executor } = this.#known;
    this.#known = {
      ...this.#known,
      policyGeneration: refOf(generation),
      epoch: executor === undefined ? 0 : (epochs.get(executor) ?? 0),
    };
    return this.refuse(denial, { repeated: times, ...(approval === undefined ? {} : { approval }) });
  }

  /** The refusal of a call whose record could not be written: nothing is noted, for nothing can be. */
  lost(refusal: Fault): CallOutcome {
    return { kind: 'refused', call: this.call, refusal };
  }

  /** The intent: durable before the hand-over, or the call is not made. */
  intend(admission: Admitted, { level, approval, counts }: Promised): Ticket {
    const record: AuditRecord = {
      ...this.#known,
      type: 'intent',
      verdict: 'permit',
      level,
      rules: [...new Set(admission.rules.map((rule) => rule.rule))],
      ...(admission.filled.length === 0 ? {} : { filled: admission.filled }),
      ...(approval === undefined ? {} : { approval }),
      ...(counts.length === 0 ? {} : { counts }),
    };
    const keep = this.#snapshot?.policy.settings.auditArguments ?? 'digest';
    return this.#ports.audit.append(record, bodyOf(keep, admission));
  }

  /** What may be kept of a refused call; of one that could not be read nothing is known to be no payload. */
  #refusedBody(): Json | undefined {
    if (this.#judged === undefined) return undefined;
    const { admission, snapshot } = this.#judged;
    const { policy } = snapshot;
    const keep = policy.settings.auditArguments;
    if (admission.kind === 'admitted') return bodyOf(keep, admission);
    const { executor, tool } = this.#known;
    if (admission.denial.layer === 'decode' || executor === undefined || tool === undefined) return undefined;
    const frame = policy.executors.get(executor)?.forTool(tool)?.frame;
    const args = this.#sent ?? {};
    return frame === undefined || !isJsonObject(args) ? undefined : bodyOf(keep, { args, frame });
  }

  /** Keyed digest of canonical arguments; computed once for the same object. */
  argumentsDigest(args: JsonObject): Digest {
    if (this.#digest?.of !== args)
      this.#digest = { of: args, is: this.#ports.argumentsDigest(canonicalJson(args)) };
    return this.#digest.is;
  }

  /** The call was handed over. */
  handedOver(): void {
    this.#sendings += 1;
  }

  /** The answer was lost and the call is about to be handed over once more: durable before it is. */
  resend({ code, detail }: Fault): Ticket {
    const { call, session, executor, tool, argumentsDigest } = this.#known;
    const about = { call, session, executor, tool, argumentsDigest, code, detail };
    const data = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
    return this.#ports.audit.append({ type: 'event', event: 'resend', data });
  }

  /** The last check was made under another generation than the admission. */
  checked({ generation }: Snapshot): void {
    if (this.#snapshot?.generation !== generation) this.#checked = generation;
  }

  /** How the intent ended. */
  settled(
    outcome: Extract<AuditRecord, { type: 'settlement' }>['outcome'],
    refusal?: Denial | Fault,
    counts: readonly Count[] = [],
  ): void {
    this.#ports.audit.note({
      type: 'settlement',
      call: this.call,
      outcome,
      milliseconds: Math.round((this.#ports.clock.monotonic() - this.#started) * 1000) / 1000,
      ...(this.#sendings > 1 ? { sendings: this.#sendings } : {}),
      ...(this.#checked === undefined ? {} : { policyGeneration: refOf(this.#checked) }),
      ...(refusal === undefined ? {} : { code: refusal.code }),
      ...(refusal?.detail === undefined ? {} : { detail: refusal.detail }),
      ...(counts.length === 0 ? {} : { counts }),
    });
  }
}

function refOf({ number, hash }: Generation): { readonly number: number; readonly hash: Digest } {
  return { number, hash };
}

function refusalFacts(
  refusal: Denial | Fault,
): Omit<Extract<AuditRecord, { type: 'refusal' }>, keyof CallFacts | 'type'> {
  const { code, message, detail } = refusal;
  const told = detail === undefined ? {} : { detail };
  if (refusal.kind === 'fault') return { verdict: 'fault', code, message, ...told };
  const { layer, rule, constraint, reason } = refusal;
  return {
    verdict: code === 'consent_required' ? 'ask' : 'deny',
    code,
    layer,
    message,
    ...told,
    ...(rule === undefined ? {} : { rule }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(reason === undefined ? {} : { reason }),
  };
}
