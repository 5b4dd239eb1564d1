/** The counter: budgets of rules in each session, and named limits of sessions, executors and days. */
import type { Clock, ExecutorId, SessionId } from '../ground/index.js';
import { choose } from './choose.js';
import {
  type BudgetBook,
  type Chargeable,
  type ChargedLevel,
  type Grantor,
  type KeptCount,
  type LimitPort,
  type LimitRequest,
  type NamedLimit,
  type Reservation,
  type UsedUp,
  levels,
} from './reserve.js';
import { SessionCounts } from './session-counts.js';
import { type Tally, Taken } from './taken.js';

/** What a counter is made from. */
export interface CounterOptions {
  readonly clock: Pick<Clock, 'wall'>;
  /** What earlier runs counted. */
  readonly kept?: readonly KeptCount[];
  /** Whether a session is still open; counts of others are forgotten. */
  readonly isOpen?: (session: SessionId) => boolean;
}

const dayMilliseconds = 86_400_000;

/**
 * Counts in one process. Synchronous: what it reserves is counted until it is given back, so calls in flight count. A count
 * goes down by giving back only.
 */
export class Counter implements LimitPort {
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #isOpen: (session: SessionId) => boolean;
  readonly #sessions = new Map<string, { readonly id: SessionId; readonly counts: SessionCounts }>();
  readonly #tallies = new Map<string, Tally>();

  constructor({ clock, kept = [], isOpen = () => true }: CounterOptions) {
    this.#clock = clock;
    this.#isOpen = isOpen;
    for (const { executor, limit, per, day, count } of kept)
      this.#tallies.set(tallyKey(executor, limit, per), { day, count });
  }

  reserve(request: LimitRequest): Reservation | UsedUp {
    const counts = this.#countsOf(request);
    counts.carry(request.budgets);
    const taken = new Taken();
    let level: ChargedLevel = 'permit';
    for (const call of request.calls) {
      const one = this.#take(request, counts, call, taken);
      if (typeof one !== 'string') {
        taken.undo();
        return one.level === undefined ? one : { ...one, level: lowest(level, one.level) };
      }
      level = lowest(level, one);
    }
    return reservation(level, taken);
  }

  /** Takes what one call is charged to, or nothing; the level at which it may go. */
  #take(
    { executor, budgets }: LimitRequest,
    counts: SessionCounts,
    call: Chargeable,
    taken: Taken,
  ): ChargedLevel | UsedUp {
    const left = leftIn(counts, budgets);
    const choice = choose(call.cap, call.footings, left);
    if (choice === undefined) {
      const rules = call.footings.flatMap(({ rules: some }) => some);
      return { kind: 'used-up', level: undefined, by: rules.find((rule) => left(rule) <= 0)?.rule };
    }
    const full = call.limits.find((limit) => this.#used(limit.of ?? executor, counts, limit) >= limit.uses);
    if (full !== undefined) return { kind: 'used-up', level: choice.level, by: full.name };
    for (const rule of choice.charged) taken.inSession(counts, keyOf(budgets, rule));
    for (const limit of call.limits) {
      const whose = limit.of ?? executor;
      if (limit.per === 'session') taken.inSession(counts, limitKey(limit));
      else taken.inTally(whose, limit, this.#tally(whose, limit));
    }
    return choice.level;
  }

  #used(executor: ExecutorId, counts: SessionCounts, limit: NamedLimit): number {
    return limit.per === 'session' ? counts.of(limitKey(limit)) : this.#tally(executor, limit).count;
  }

  /** The tally of today. A clock that goes back goes on with the day that was reached: it refills nothing. */
  #tally(executor: ExecutorId, { name, per }: NamedLimit): Tally {
    const key = tallyKey(executor, name, per);
    const today = per === 'day' ? Math.floor(this.#clock.wall() / dayMilliseconds) : 0;
    const found = this.#tallies.get(key) ?? { day: today, count: 0 };
    this.#tallies.set(key, found);
    if (today > found.day) {
      found.day = today;
      found.count = 0;
    }
    return found;
  }

  #countsOf({ session, executor }: LimitRequest): SessionCounts {
    const key = `${executor} ${session}`;
    const found = this.#sessions.get(key)?.counts;
    if (found !== undefined) return found;
    for (const [old, { id }] of this.#sessions) if (!this.#isOpen(id)) this.#sessions.delete(old);
    const counts = new SessionCounts();
    this.#sessions.set(key, { id: session, counts });
    return counts;
  }
}

function leftIn(counts: SessionCounts, budgets: BudgetBook): (rule: Grantor) => number {
  return ({ rule, uses }) => (uses === undefined ? Infinity : uses - counts.of(keyOf(budgets, rule)));
}

function keyOf({ keys }: BudgetBook, rule: string): string {
  return `rule ${keys.get(rule) ?? rule}`;
}

function limitKey({ name, of }: NamedLimit): string {
  return of === undefined ? `limit ${name}` : `limit ${of} ${name}`;
}

function tallyKey(executor: ExecutorId, limit: string, per: string): string {
  return `${per} ${executor} ${limit}`;
}

function lowest(a: ChargedLevel, b: ChargedLevel): ChargedLevel {
  return levels.indexOf(a) >= levels.indexOf(b) ? a : b;
}

function reservation(level: ChargedLevel, taken: Taken): Reservation {
  let isOpen = true;
  return {
    kind: 'reserved',
    level,
    kept: taken.kept(),
    spend: () => {
      isOpen = false;
    },
    giveBack: () => {
      if (!isOpen) return [];
      isOpen = false;
      taken.undo();
      return taken.kept();
    },
  };
}
