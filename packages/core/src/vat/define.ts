/** Definitions of actors: which powers they need, which methods they have, what they keep. */
import { type JsonObject, UsageError } from '../ground/index.js';
import type { ReadTurn, WriteTurn } from './live-turn.js';
import type { PowerTable, PowersOf } from './power.js';

/** What a method takes. The reading is part of the definition, so that no method sees arguments of another shape. */
export interface ArgumentSchema<A> {
  /** As a model reads it: a method without one is no tool. */
  readonly json?: JsonObject;
  /** Pure. The arguments as the method gets them, or what is wrong with them, in words for whoever sent them. */
  read(sent: unknown): ReadArguments<A>;
}

/** Arguments that were read. */
export type ReadArguments<A> =
  | { readonly ok: true; readonly args: A }
  | { readonly ok: false; readonly problem: string };

/** A schema by a function that says what is wrong, or undefined. */
export function checked<A>(
  problemOf: (sent: unknown) => string | undefined,
  json?: JsonObject,
): ArgumentSchema<A> {
  const read = (sent: unknown): ReadArguments<A> => {
    const problem = problemOf(sent);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller's function has looked
    return problem === undefined ? { ok: true, args: sent as A } : { ok: false, problem };
  };
  return Object.freeze(json === undefined ? { read } : { json, read });
}

/** A method without arguments: an empty object, or nothing. */
export const noArguments: ArgumentSchema<Readonly<Record<string, never>> | undefined> = checked(
  (sent) => {
    if (sent === undefined) return undefined;
    const isEmpty = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0;
    return isEmpty ? undefined : 'it takes no arguments';
  },
  { type: 'object', properties: {}, additionalProperties: false },
);

/** Whether a method leaves everything as it is (`read`). A turn of a reading method cannot become anything. */
export type Effect = 'read' | 'write';

/** One method. `A` is what it takes, `R` what it returns. */
export interface Method<in A, out R> {
  readonly effect: Effect;
  readonly args: ArgumentSchema<never> | ArgumentSchema<unknown>;
  readonly run: (args: never, turn: never) => unknown;
  /** In types only. */
  readonly is?: (args: A) => R;
}

/** Methods by name. */
export type MethodTable = Readonly<Record<string, Method<never, unknown>>>;

/** The protocol of a table: what references to its actors name. */
export type ProtocolOf<T> = {
  readonly [K in keyof T]: T[K] extends Method<infer A, infer R> ? (args: A) => Awaited<R> : never;
};

/** Makes the methods of one definition. */
export interface MethodMaker<P, S, W> {
  /** A method that leaves the actor as it is. */
  readonly read: <A, R>(args: ArgumentSchema<A>, run: (args: A, turn: ReadTurn<P, S>) => R) => Method<A, R>;
  /** A method that may make another of it. */
  readonly write: <A, R>(args: ArgumentSchema<A>, run: (args: A, turn: W) => R) => Method<A, R>;
}

/** What a definition says beside its methods. */
interface Init<P> {
  /** By name. Default: none. */
  readonly powers?: PowersOf<P>;
  /** Milliseconds after which a turn is over whatever it does; 60,000 unless told, `Infinity` for none. */
  readonly deadlineMs?: number;
}

/** Of an actor that keeps something: plain data and references. */
export interface StatefulInit<P, S> extends Init<P> {
  readonly state: S;
  readonly parallel?: undefined;
}

/** Of an actor that keeps nothing. */
export interface StatelessInit<P> extends Init<P> {
  readonly state?: undefined;
  /** Turns that may run at the same time: a whole number of at least 1, or `Infinity`. 1 unless told. */
  readonly parallel?: number;
}

/** A definition. `P` is the powers that its actors need, `M` their protocol. Frozen; makes no actor and holds no power. */
export interface Actor<in P, out M> {
  readonly powers: PowerTable;
  readonly methods: ReadonlyMap<string, Method<never, unknown>>;
  readonly parallel: number;
  readonly deadlineMs: number;
  readonly state: unknown;
  /** In types only. */
  readonly is?: (powers: P) => M;
}

const usualDeadlineMs = 60_000;

/** Defines actors with a state, which a writing turn replaces by `become`. Throws UsageError for what cannot be meant. */
export function defineActor<S, T extends MethodTable, P extends object = object>(
  init: StatefulInit<P, S>,
  methods: (make: MethodMaker<P, S, WriteTurn<P, S>>) => T,
): Actor<P, ProtocolOf<T>>;
/** Defines actors without state, which may bear several turns at a time. Throws UsageError for what cannot be meant. */
export function defineActor<T extends MethodTable, P extends object = object>(
  init: StatelessInit<P>,
  methods: (make: MethodMaker<P, undefined, ReadTurn<P, undefined>>) => T,
): Actor<P, ProtocolOf<T>>;
export function defineActor(
  init: StatefulInit<object, unknown> | StatelessInit<object>,
  methods: (make: MethodMaker<never, never, never>) => MethodTable,
): Actor<never, unknown> {
  const { powers = {}, parallel = 1, deadlineMs = usualDeadlineMs, state } = init;
  if (!isParallel(parallel)) {
    throw new UsageError(`parallel is ${parallel}; allowed is a whole number of at least 1, or Infinity`);
  }
  if (parallel !== 1 && state !== undefined) {
    throw new UsageError(
      `parallel is ${parallel}, and there is a state; an actor with state takes one turn at a time`,
    );
  }
  if (!(deadlineMs > 0))
    throw new UsageError(`deadlineMs is ${deadlineMs}; allowed are milliseconds above 0`);
  const table = new Map(Object.entries(methods(maker)));
  if (table.size === 0) throw new UsageError('the actor has no methods');
  return Object.freeze({ powers: Object.freeze({ ...powers }), methods: table, parallel, deadlineMs, state });
}

/** Whether so many turns at a time can be meant. */
export function isParallel(parallel: number): boolean {
  return parallel >= 1 && (parallel === Infinity || Number.isSafeInteger(parallel));
}

const maker: MethodMaker<never, never, never> = Object.freeze({
  read: <A, R>(args: ArgumentSchema<A>, run: (args: A, turn: never) => R): Method<A, R> =>
    Object.freeze({ effect: 'read', args, run }),
  write: <A, R>(args: ArgumentSchema<A>, run: (args: A, turn: never) => R): Method<A, R> =>
    Object.freeze({ effect: 'write', args, run }),
});
