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
  'power',
] as const;
/** One layer of mediation. */
export type Layer = (typeof layers)[number];

/**
 * Codes that a model may read on the wire, whether the same call may succeed later without a change of authority, and what
 * each means. `toCome`: nothing in this version gives it.
 */
export const denialCodes = {
  malformed_arguments: {
    retryable: false,
    help: 'The call or its arguments cannot be read: not by the schema, or not by the kind of a constrained value.',
  },
  surface_closed: {
    retryable: false,
    help: 'The MCP method is closed.',
  },
  no_such_cap: {
    retryable: false,
    help: 'No such tool in this session. Unknown, foreign, expired and revoked look the same; the audit tells them apart.',
  },
  no_agent: {
    retryable: false,
    help: 'No agent is named, or none of this name is in the policy.',
  },
  no_instance: {
    retryable: false,
    help: 'The agent acts through its instances only, or has none of this name.',
  },
  not_permitted: {
    retryable: false,
    help: 'No rule allows it.',
  },
  denied: {
    retryable: false,
    help: 'A rule of `deny` meets it.',
  },
  attenuated_away: {
    retryable: false,
    help: 'The policy changed while the call waited and no longer admits it.',
  },
  several_values: {
    retryable: true,
    help: 'An argument was left out that has more than one allowed value.',
  },
  out_of_scope: {
    retryable: false,
    help: 'Outside a ceiling, a narrowing, what a skill may use, or what a power was constructed with.',
  },
  unreadable_ceiling: {
    retryable: false,
    help: 'A stored ceiling or narrowing cannot be read, so nothing that it is for is permitted.',
  },
  masked: {
    retryable: false,
    help: 'A skill asked for more than it was granted, so this tool of it is masked.',
  },
  consent_required: {
    retryable: true,
    help: 'The call needs an approval: ask the operator, and call again once it is given.',
  },
  consent_refused: {
    retryable: false,
    help: 'A person refused.',
  },
  consent_expired: {
    retryable: true,
    help: 'Nobody approved in time, or the approval was not taken up in time.',
  },
  limit_used_up: {
    retryable: false,
    help: 'The number of calls that is allowed is used up.',
  },
  busy: {
    retryable: true,
    help: 'A conflicting call did not end in time.',
  },
  in_progress: {
    retryable: true,
    help: 'The answer of an identical call was lost, and whether it happened is unknown.',
  },
  changed_meanwhile: {
    retryable: true,
    help: 'The policy changed while the call waited, and the call would now be another one.',
  },
  quarantined: {
    retryable: false,
    help: 'The tool changed since this session listed it, and waits for an operator.',
  },
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
    message: shortened(init.message),
    retryable: denialCodes[init.code].retryable,
  });
}

/** A text for a model, cut at {@link maxMessageLength} and between characters. */
export function shortened(text: string): string {
  if (text.length <= maxMessageLength) return text;
  const end = maxMessageLength - 1;
  const unit = text.charCodeAt(end - 1);
  const splitsPair = unit >= 0xd800 && unit <= 0xdbff;
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
