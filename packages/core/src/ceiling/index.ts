/** Ceilings and narrowings: declared by creator and subscriber, met with everything that an executor may do. */
export { type Limit, readLimits } from './declare.js';
export { type ToolLimit, boundBy, checkLimit, limitForTool } from './narrow.js';
