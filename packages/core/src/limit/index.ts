/** Limit: how often. */
export { Counter, type CounterOptions } from './counter.js';
export {
  type BudgetBook,
  type Chargeable,
  type ChargedLevel,
  type Footing,
  type Grantor,
  type KeptCount,
  type LimitPort,
  type LimitRequest,
  type NamedLimit,
  type Reservation,
  type UsedUp,
  noLimits,
} from './reserve.js';
