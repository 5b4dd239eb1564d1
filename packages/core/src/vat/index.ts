/** Vat: actors and their turns. Sending is behind a door of its own, send.ts. */
export type { Behaviour, TurnContext } from './actor.js';
export { type ExclusionPort, noExclusion } from './exclusion.js';
export { type Ref, spawn, stop } from './spawn.js';
