/** What comparing two policies says: per executor, whether NEW attenuates OLD, and what shows that it does not. */
import type { ExecutorId, Json, JsonObject } from '../ground/index.js';

/** How NEW stands to OLD for one executor. `new` and `removed` count as attenuation for the whole. */
export type ExecutorRelation = 'equal' | 'attenuation' | 'new' | 'removed' | 'widening' | 'unknown';

/** How NEW stands to OLD as a whole. */
export type Relation = 'equal' | 'attenuation' | 'widening' | 'unknown';

/** What a call comes to: with its approval still to be asked, or not at all. */
export type CallDecision = 'permit' | 'ask' | 'deny';

/** A call that NEW judges more freely than OLD; both decisions were made by the production matcher. */
export interface CallWitness {
  readonly kind: 'call';
  /** `server/tool`. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly old: CallDecision;
  readonly new: CallDecision;
  /** Path in NEW of a rule that admits it. */
  readonly rule: string;
  /** Shown by the n-th identical call of one session only; 1 where absent. */
  readonly repeat?: number;
}

/** An access that NEW holds and OLD does not, and that no single call was found to show. */
export interface AccessWitness {
  readonly kind: 'access';
  /** `{ tool, verb, extent?, FIELD: value }`. */
  readonly access: Readonly<Record<string, string>>;
  readonly rule: string;
}

/** A widening that is no access: a posture, a server's identity, a limit. `path` is the place in the document. */
export interface ChangeWitness {
  readonly kind: 'change';
  /** `posture`, `server`, `limit`, `approver`, `tool` … */
  readonly what: string;
  readonly path: string;
  readonly old: Json;
  readonly new: Json;
}

/** What shows a widening. */
export type Witness = CallWitness | AccessWitness | ChangeWitness;

/** One executor. */
export interface ExecutorComparison {
  readonly relation: ExecutorRelation;
  /** At least one where the relation is widening; for unknown, what could not be decided is in `undecided`. */
  readonly witnesses: readonly Witness[];
  /** What ran out of steps, in words. */
  readonly undecided?: readonly string[];
}

/** The whole comparison. Plain data: it crosses threads and is kept. */
export interface Comparison {
  readonly relation: Relation;
  readonly executors: Readonly<Record<ExecutorId, ExecutorComparison>>;
  /** Widenings that concern no executor in particular: a server that nobody may use yet, a claim of an identity provider. */
  readonly witnesses: readonly ChangeWitness[];
  /** Proof of each attenuation, for `certificateFaults`; absent where the relation is widening or unknown. */
  readonly certificate?: Json;
}
