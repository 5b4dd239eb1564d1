/** Ceilings and narrowings: declared by creator and subscriber, met with everything that an executor may do. */
export { type Limit, readLimits } from './declare.js';
export { type ToolLimit, boundBy, limitForTool } from './narrow.js';
