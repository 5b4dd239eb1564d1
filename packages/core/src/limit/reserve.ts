/** Limits as a port: reserved before the hand-over, spent unless nothing was handed over. */
import type { ExecutorId, SessionId } from '../ground/index.js';

/** How freely a call may go, as rules say it: the freest first. */
export const levels = ['permit', 'session', 'once'] as const;
/** One level. */
export type ChargedLevel = (typeof levels)[number];

/** A rule as far as it is counted. Rules of one path in the document share one budget. */
export interface Grantor {
  /** Path in the document: `agents.a.allow[2]`. */
  readonly rule: string;
  readonly level: ChargedLevel;
  /** How many calls it admits in a session; absent: any number. */
  readonly uses?: number;
}

/** What one access of a call may rest on. */
export interface Footing {
  /** The freest level that is left to it, whatever its rules say. */
  readonly cap: ChargedLevel;
  readonly rules: readonly Grantor[];
  /** Whether these, of its rules, hold it together. */
  heldBy(rules: readonly Grantor[]): boolean;
}

/** A named limit. */
export interface NamedLimit {
  readonly name: string;
  readonly uses: number;
  readonly per: 'session' | 'executor' | 'day';
  /** Whose it is, where that is another executor than the one who is charged for the call. */
  readonly of?: ExecutorId;
}

/** The rules with budgets of the policy in force, by which a counter knows them again after a reload. */
export interface BudgetBook {
  /** Another value for another generation. */
  readonly generation: string;
  /** Path in the document to what stays the same when the rule moves in the document. */
  readonly keys: ReadonlyMap<string, string>;
  /** The keys by whose rules they are, where they are several executors'; each is known again by itself. */
  readonly books?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** One call that is charged: the call that came, or one inside the arguments of a dispatcher, each for itself. */
export interface Chargeable {
  /** The freest level that everything without budgets leaves to it. */
  readonly cap: ChargedLevel;
  /** One for each access that rests on rules with budgets; empty where none does. */
  readonly footings: readonly Footing[];
  /** Those whose region it meets: all are charged. */
  readonly limits: readonly NamedLimit[];
}

/** What a reservation is charged to. */
export interface LimitRequest {
  readonly session: SessionId;
  readonly executor: ExecutorId;
  readonly budgets: BudgetBook;
  readonly calls: readonly Chargeable[];
}

/** A share of every limit that the call is charged to. The first of the two calls counts; further ones do nothing. */
export interface Reservation {
  readonly kind: 'reserved';
  /** The level at which the call may go with what is left of budgets. */
  readonly level: ChargedLevel;
  /** Counts to be kept with the call's intent: those that outlive the session, this call included. */
  readonly kept: readonly KeptCount[];
  /** The call was handed over, or may have been. */
  spend(): void;
  /** Nothing was handed over. Answers the counts to be kept now. */
  giveBack(): readonly KeptCount[];
}

/** Nothing was reserved. */
export interface UsedUp {
  readonly kind: 'used-up';
  /** The level that budgets leave to the call, where only a named limit is used up. */
  readonly level: ChargedLevel | undefined;
  /** The rule, or the limit, that has nothing left. */
  readonly by: string | undefined;
}

/** A count that outlives sessions and restarts. Plain JSON. */
export interface KeptCount {
  readonly executor: ExecutorId;
  readonly limit: string;
  readonly per: 'executor' | 'day';
  /** Days since 1970 (UTC) for `day`; 0 otherwise. */
  readonly day: number;
  /** Calls charged. */
  readonly count: number;
}

/** Who counts. */
export interface LimitPort {
  /** Reserves from all limits of the call in one step, or from none. */
  reserve(request: LimitRequest): Reservation | UsedUp;
}

/** Nobody counts: what would have to be counted is used up. Calls without budgets and limits are never asked about. */
export const noLimits: LimitPort = Object.freeze({
  reserve: (): UsedUp => ({ kind: 'used-up', level: undefined, by: undefined }),
});
