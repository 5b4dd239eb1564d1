/** What references and turns say when they refuse. */
import { type DeadReason, type Denial, type Fault, denial, fault } from '../ground/index.js';

/** The actor is not there, or not any more. */
export const nobodyThere: Denial = denial({
  code: 'no_such_cap',
  layer: 'handle',
  message: 'The reference leads nowhere: its actor was stopped, or never was. Get another reference.',
  reason: 'unknown',
});

/** The reference, or what the message came by, authorises nothing any more. */
export function dead(reason: DeadReason): Denial {
  const words =
    reason === 'expired' ? 'its turn or its session is over' : 'it was revoked, or what it came from was';
  return denial({
    code: 'no_such_cap',
    layer: 'capability',
    message: `The reference or power authorises nothing any more: ${words}. Do not try again.`,
    reason,
  });
}

/** The reference has no such method: the actor has none, or the reference was narrowed. */
export function noSuchMethod(method: string): Denial {
  return denial({
    code: 'not_permitted',
    layer: 'capability',
    message: `This reference has no method ${JSON.stringify(method.slice(0, 60))}. Use one that it has.`,
  });
}

/** The arguments are not what the method takes. */
export function badArguments(method: string, problem: string): Denial {
  return denial({
    code: 'malformed_arguments',
    layer: 'decode',
    message: `${method.slice(0, 60)}: ${problem}. Correct the arguments and send again.`,
  });
}

/** The chain of calls comes back to an actor that waits for it. */
export const comesBack: Denial = denial({
  code: 'busy',
  layer: 'exclusion',
  message:
    'The chain of calls comes back to an actor that waits for its end. Send instead of calling, or return first.',
});

/** The turn did not end in time. */
export const late: Fault = fault(
  'outcome_unknown',
  'The turn did not end before its deadline; it may or may not have acted. Check before you repeat it.',
);
