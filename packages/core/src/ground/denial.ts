/** Every refusal code, once: a denial is an expected value, audited, and crosses the wire as a tool result. */

/** Layers in the order in which they name a refusal when several refuse (DESIGN section 5). */
export const layers = [
  'decode',
  'handle',
  'agent',
  'capability',
  'policy',
  'ceiling',
  'narrowing',
  'skill',
  'ask',
  'limit',
  'exclusion',
  'dispatch',
] as const;
/** One layer of mediation. */
export type Layer = (typeof layers)[number];

/** Codes that a model may read on the wire, and whether the same call may succeed later without a change of authority. */
export const denialCodes = {
  malformed_arguments: { retryable: false },
  surface_closed: { retryable: false },
  no_such_cap: { retryable: false },
  no_agent: { retryable: false },
  no_instance: { retryable: false },
  not_permitted: { retryable: false },
  denied: { retryable: false },
  attenuated_away: { retryable: false },
  several_values: { retryable: true },
  out_of_scope: { retryable: false },
  unreadable_ceiling: { retryable: false },
  masked: { retryable: false },
  consent_required: { retryable: true },
  consent_refused: { retryable: false },
  consent_expired: { retryable: true },
  limit_used_up: { retryable: false },
  busy: { retryable: true },
  in_progress: { retryable: true },
  changed_meanwhile: { retryable: true },
  quarantined: { retryable: false },
} as const;
/** Closed union of refusal codes. */
export type DenialCode = keyof typeof denialCodes;

/** Why a capability does not authorise; on the wire all of them are `no_such_cap`. */
export type DeadReason =
  | 'unknown'
  | 'foreign'
  | 'expired'
  | 'revoked'
  | 'generation_not_pinned'
  | 'generation_widened';

/** A refusal. `message` is what a model may read (at most 200 characters); `detail` goes to the audit only. */
export interface Denial {
  readonly kind: 'denial';
  readonly code: DenialCode;
  readonly layer: Layer;
  readonly message: string;
  readonly retryable: boolean;
  /** Field that refused, as `path`, `args.x`, or for ceilings `connector.field (values)`. */
  readonly constraint?: string;
  /** Path of the refusing rule in the document: `agents.a.deny[0]`. */
  readonly rule?: string;
  /** Why a capability is dead; never on the wire. */
  readonly reason?: DeadReason;
  /** For the audit only. */
  readonly detail?: string;
}

/** Longest text of a refusal that a model reads, in UTF-16 units. */
export const maxMessageLength = 200;

/** What a refusal is made from. */
export type DenialInit = Omit<Denial, 'kind' | 'retryable'>;

/** Makes a denial; cuts the message at {@link maxMessageLength}. */
export function denial(init: DenialInit): Denial {
  return Object.freeze({
    kind: 'denial' as const,
    ...init,
    message: cut(init.message),
    retryable: denialCodes[init.code].retryable,
  });
}

function cut(text: string): string {
  if (text.length <= maxMessageLength) return text;
  const end = maxMessageLength - 1;
  const unit = text.charCodeAt(end - 1);
  const splitsPair = unit >= 0xd800 && unit <= 0xdbff;
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
