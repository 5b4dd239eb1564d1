/** Ceiling: what creators and subscribers declare, as one more factor of authority. */
export { type Declaration, layerOf, limitOf, placeOf } from './declaration.js';
export { type Limit, readLimits } from './declare.js';
export { type ToolLimit, checkLimit, isWhole } from './narrow.js';
export { type Beyond, beyond } from './beyond.js';
export { type LimitSource, resolveLimits } from './resolve.js';
export { type Sanitised, sanitise } from './sanitise.js';
export type { LimitGround, LimitTarget, LimitTargets } from './target.js';
