/** Limits as a port: reserved before the hand-over, spent unless nothing was handed over. */
import type { CallId, ExecutorId, SessionId, ToolName } from '../ground/index.js';

/** The budget of one rule (`uses: n`), counted for each session. */
export interface Budget {
  /** Path in the document: `agents.a.allow[2]`. */
  readonly rule: string;
  readonly uses: number;
}

/** A named limit. */
export interface NamedLimit {
  readonly name: string;
  readonly uses: number;
  readonly per: 'session' | 'executor' | 'day';
}

/** What a reservation is charged to. */
export interface LimitRequest {
  readonly session: SessionId;
  readonly executor: ExecutorId;
  readonly tool: ToolName;
  readonly call: CallId;
  /** Of the rules that give the call its level: one is charged, that with most left. Empty where a rule without budget admits. */
  readonly budgets: readonly Budget[];
  /** Those whose region the call meets: all are charged. */
  readonly limits: readonly NamedLimit[];
}

/** A share of every limit that the call is charged to. The first of the two calls counts; further ones do nothing. */
export interface Reservation {
  /** The call was handed over, or may have been. */
  spend(): void;
  /** Nothing was handed over. */
  giveBack(): void;
}

/** Who counts. */
export interface LimitPort {
  /** Reserves from all limits of the call in one step, or from none. */
  reserve(request: LimitRequest): Reservation | 'used-up';
}

const unlimited: Reservation = Object.freeze({ spend: (): void => {}, giveBack: (): void => {} });

/** No limits: every reservation is granted. */
export const noLimits: LimitPort = Object.freeze({ reserve: (): Reservation => unlimited });
