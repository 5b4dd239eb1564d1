/** The closed table of what a client may send: every method that is not in it is refused (DESIGN section 8). */
import type { Era } from './era.js';

/**
 * What happens to a message: `sdk` is served by the official SDK (handshake and lists), `call` goes to the gate, `skills` reads what
 * is loaded for the session and is closed where nothing is, `cancel` aborts one of the sender's own calls, `closed` is refused,
 * `dropped` is a notification that nobody reads.
 */
export type Surface = 'sdk' | 'call' | 'skills' | 'cancel' | 'closed' | 'dropped';

/** What reads skills, in both eras. */
const skills: readonly (readonly [string, Surface])[] = [
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/directory/read',
  'skills/list',
  'skills/get',
].map((method) => [method, 'skills'] as const);

const requests: Readonly<Record<Era, ReadonlyMap<string, Surface>>> = {
  legacy: new Map([
    ['initialize', 'sdk'],
    ['ping', 'sdk'],
    ['tools/list', 'sdk'],
    ['tools/call', 'call'],
    ...skills,
  ]),
  modern: new Map([['server/discover', 'sdk'], ['tools/list', 'sdk'], ['tools/call', 'call'], ...skills]),
};

const notifications: Readonly<Record<Era, ReadonlyMap<string, Surface>>> = {
  legacy: new Map([
    ['notifications/initialized', 'sdk'],
    ['notifications/cancelled', 'cancel'],
  ]),
  modern: new Map([['notifications/cancelled', 'cancel']]),
};

/** What happens to a request of that method. */
export function requestSurface(era: Era, method: string): Surface {
  return requests[era].get(method) ?? 'closed';
}

/** What happens to a notification of that method. */
export function notificationSurface(era: Era, method: string): Surface {
  return notifications[era].get(method) ?? 'dropped';
}
