/** Limit: how often and how much. */
export {
  type Budget,
  type LimitPort,
  type LimitRequest,
  type NamedLimit,
  type Reservation,
  noLimits,
} from './reserve.js';
