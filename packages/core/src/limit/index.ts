/** Limit: how often and how much. */
export {
  type LimitPort,
  noLimits,
} from './reserve.js';
