/** Handle: tools as a session knows them, by unguessable names. */
export { type ActorMount, type ActorTools, actorTools } from './actor-tools.js';
export {
  type DelegatedSession,
  type DelegatingPorts,
  type SessionRequest,
  delegateSession,
} from './delegate-session.js';
export { type Located, type Locator, locatorOf, noSuchCapMessage } from './locator.js';
export { handleHash, mintHandle } from './mint.js';
export { readableName } from './name.js';
export type { Child, Mount, Opening, Session } from './opening.js';
export { type ConfinedBy, type Entry, Registry } from './registry.js';
export { type ChildOpened, Sessions } from './session.js';
export { type ToolView, shownMounts, toolViews } from './view.js';
