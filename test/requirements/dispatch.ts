/** Promises about one call, from its frame to its settlement. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const dispatch: readonly Requirement[] = [
  ...section('DESIGN 5.1', 'built', [
    ['P.decode.duplicate-keys', 'A frame with a duplicate key at any depth is refused.'],
    ['P.decode.proto', 'A frame with a __proto__ key at any depth is refused and pollutes nothing.'],
    ['P.decode.limits', 'A frame over 1 MiB, 64 levels or 4,096 elements of an array is refused.'],
    ['P.decode.not-a-request', 'Text that is no JSON, arrays and response-shaped messages are refused.'],
    ['P.decode.case-twin', 'A member that differs from a known one only in case is malformed.'],
    ['P.decode.numbers', 'A number literal that does not survive the round trip is refused.'],
    ['P.decode.header-body', 'A request whose headers disagree with its body is refused.'],
    [
      'P.decode.types',
      'Types, enum and const of present arguments are checked at every depth, required after fill; null arguments mean an empty object.',
    ],
    [
      'P.decode.unknown-argument',
      'An argument that the schema does not know is malformed unless the schema is open and the rules free it.',
    ],
    ['P.decode.judged-is-forwarded', 'The object that was judged is the object that is forwarded.'],
    ['P.decode.no-throw', 'No input makes decode throw, hang or grow without bound.'],
  ]),
  ...section('DESIGN 5.2', 'built', [
    ['P.capability.epochs', 'A capability whose executor moved to another epoch is refused.'],
  ]),
  ...section('DESIGN 5.3', 'built', [
    ['P.lastcheck.synchronous', 'Nothing can come between the last check and the hand-over.'],
    [
      'P.lastcheck.changed-meanwhile',
      'An admission afresh that yields other arguments or wants approval is refused changed_meanwhile, retryable.',
    ],
    ['P.dispatch.frozen-arguments', 'Arguments are deep-frozen at admission.'],
  ]),
  ...section('DESIGN 5.5', 'built', [
    ['P.ask.consent-required', 'A call at an ask level is answered consent_required and reaches no server.'],
    ['P.ask.out-of-scope-first', 'A call that is out of scope is refused, never asked.'],
  ]),
  ...section('DESIGN 5.6', 'built', [
    ['P.exclusion.fifo', 'Two calls of which one writes and whose accesses meet run one after the other.'],
    ['P.exclusion.parallel', 'Calls that only read, or whose accesses do not meet, run beside each other.'],
    [
      'P.exclusion.busy',
      'A call that waits for its turn for 10 s is refused as busy and charged to nothing.',
    ],
    [
      'P.exclusion.inherits',
      'A call made in the turn of another one does not wait for that one, nor for whoever waits for it.',
    ],
  ]),
  ...section('DESIGN 5.7', 'built', [
    [
      'P.audit.intent-first',
      'The intent record is durable before the hand-over and a settlement follows; a refusal before is one record.',
    ],
    [
      'P.audit.fields',
      'A record names generations, epoch, verdict, layer, rule, constraint, target and digests.',
    ],
    [
      'P.audit.payload-absent',
      'With audit.arguments at its default a record holds what rules can name and no payload.',
    ],
    ['P.audit.tamper-evident', 'Changing one byte of any stored record makes audit verify fail.'],
    ['P.audit.erasable', 'A body is erased without breaking the chain.'],
    ['P.audit.signed-head', 'Heads are signed, and an export verifies offline with the public half.'],
    [
      'P.audit.unwritable',
      'With an unwritable store a call that needs an intent is refused audit_unavailable before hand-over, and resumes when it heals.',
    ],
  ]),
  ...section('DESIGN 5.8', 'built', [
    [
      'P.refusal.shape',
      'A refusal is a code, a message of at most 200 characters that says what to do next, and retryable.',
    ],
    [
      'P.refusal.discloses-nothing',
      "Text for a model holds no handle, no secret and no other executor's data.",
    ],
    [
      'P.refusal.first-layer',
      'If several layers refuse, the first in the order of the design names the refusal.',
    ],
    ['P.refusal.codes-closed', 'Refusal and fault codes are closed unions, each documented once.'],
    [
      'P.refusal.memory',
      'An identical refused call is answered from memory, counted, and reported past a limit.',
    ],
  ]),
  ...section('DESIGN 5.9', 'built', [
    [
      'P.dispatch.never-resent',
      'Pawl never sends a call again after its hand-over, but once after an answer that never came, where the connector says idempotent; each sending is recorded before it.',
    ],
    ['P.dispatch.lost-answer', 'A lost answer is the fault outcome_unknown, not retryable.'],
    ['P.dispatch.in-progress', 'An identical call while one is unsettled is answered in_progress.'],
  ]),
];
