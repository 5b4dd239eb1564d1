/** Limit: how often. */
export { Counter, type CounterOptions } from './counter.js';
export {
  type BudgetBook,
  type Chargeable,
  type KeptCount,
  type LimitPort,
  type LimitRequest,
  type NamedLimit,
  type Reservation,
  type UsedUp,
  noLimits,
} from './reserve.js';
