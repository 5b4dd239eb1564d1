/** Powers: what an actor may do to the world outside, named by its definition, given at its spawn, guarded in every turn. */
import { type CallId, UsageError } from '../ground/index.js';
import { type Ref, isRef } from './ref.js';

/** The members of a power: functions are methods, everything else values. */
export type Members<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown ? 'method' : 'value';
};

/** One power that an actor needs. `T` is what it looks like in a turn. */
export interface Power<out T> {
  /** Undefined: a reference to an actor. */
  readonly members: Readonly<Record<string, 'method' | 'value'>> | undefined;
  /** In types only. */
  readonly is?: T;
}

/**
 * A power with exactly these members. In a turn it is an object of these and no others, each of which asks at every use whether the
 * turn may still act, and throws CapError if not. Its results are not guarded: let them be data, promises of data, or references.
 */
export function power<T extends object>(members: Members<T>): Power<T> {
  return Object.freeze({ members: Object.freeze({ ...members }) });
}

/** A power that is a reference to another actor. */
export function reference<P>(): Power<Ref<P>> {
  return Object.freeze({ members: undefined });
}

/** The turn in which a power is used. */
export interface TurnPort {
  /** The mediated call that it belongs to. */
  readonly call: CallId;
  /** Throws CapError once the turn may not act any more. */
  guard(): void;
  /** Aborted then. */
  readonly signal: AbortSignal;
}

const followers = new WeakMap<object, (turn: TurnPort) => object>();

/**
 * Makes of a power one that stops with the turns in which it is used: in a turn its members are those of what `within` makes for it, at the
 * first use there. So whatever a use goes through after its beginning can ask whether the turn may still act, and can be broken off with it.
 * Gives the power back. Throws UsageError for one of which that was said before: nobody who holds it may say otherwise.
 */
export function stopsWithTurns<T extends object>(power: T, within: (turn: TurnPort) => T): T {
  if (followers.has(power)) throw new UsageError('the power stops with turns already, in its own way');
  followers.set(power, within);
  return power;
}

/** The power as one turn uses it, for powers that are made of others; one that does not stop with turns is itself. */
export function inTurn<T extends object>(power: T, turn: TurnPort): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made for a power of this type
  return (followers.get(power)?.(turn) ?? power) as T;
}

/** The powers of a definition, by name. */
export type PowersOf<P> = { readonly [K in keyof P]: Power<P[K]> };

/** The same, whatever they are. */
export type PowerTable = Readonly<Record<string, Power<unknown>>>;

/** A power as an actor keeps it: its members as they were at the spawn. */
export interface HeldPower {
  readonly name: string;
  readonly ref: Ref | undefined;
  readonly members: readonly (readonly [string, 'method' | 'value'])[];
  readonly source: Readonly<Record<string, unknown>>;
}

/** What is missing of the powers that are needed: `fs`, or `fs.readFile`. */
export function missingPowers(needed: PowerTable, given: object): readonly string[] {
  return Object.entries(needed).flatMap(([name, { members }]) => {
    const found = memberOf(given, name);
    if (members === undefined) return isRef(found) ? [] : [name];
    if (typeof found !== 'object' || found === null) return [name];
    const lacking = Object.entries(members).filter(([member, kind]) => !hasMember(found, member, kind));
    return lacking.map(([member]) => `${name}.${member}`);
  });
}

/** Checks of the turns that guarded powers belong to. */
const guards = new WeakMap<object, { readonly turn: TurnPort; readonly source: object }>();

/**
 * Takes the powers that are needed and no others. Nothing may be missing. A power of a turn is taken as what it guards, with the
 * members that the turn saw; throws CapError if that turn may not act any more.
 */
export function holdPowers(needed: PowerTable, given: object): readonly HeldPower[] {
  return Object.entries(needed).map(([name, { members }]) => {
    const found = unguarded(memberOf(given, name));
    const list = Object.entries(members ?? {});
    return { name, ref: isRef(found) ? found : undefined, members: list, source: captured(found, list) };
  });
}

/** The powers as a turn sees them. */
export function guardedPowers(held: readonly HeldPower[], turn: TurnPort): object {
  const powers = held.map(({ name, ref, members, source }) => {
    if (ref !== undefined) return [name, ref] as const;
    const guarded: Record<string, unknown> = {};
    let own: object | undefined;
    const member = (named: string): unknown => Reflect.get((own ??= inTurn(source, turn)), named);
    for (const [named, kind] of members) {
      Object.defineProperty(guarded, named, {
        enumerable: true,
        ...(kind === 'method'
          ? { value: guardedMethod(turn, () => member(named)) }
          : {
              get: (): unknown => {
                turn.guard();
                return member(named);
              },
            }),
      });
    }
    guards.set(Object.freeze(guarded), { turn, source });
    return [name, guarded] as const;
  });
  return Object.freeze(Object.fromEntries<object>(powers));
}

function unguarded(found: unknown): unknown {
  const guard = typeof found === 'object' && found !== null ? guards.get(found) : undefined;
  if (guard === undefined) return found;
  guard.turn.guard();
  return guard.source;
}

function guardedMethod(turn: TurnPort, method: () => unknown): unknown {
  return (...args: unknown[]): unknown => {
    turn.guard();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- seen to be a function at the spawn
    return (method() as (...args: unknown[]) => unknown)(...args);
  };
}

/** Methods bound to their object, values as they are: a power that is changed later does not change what the actor holds. */
function captured(
  found: unknown,
  members: readonly (readonly [string, 'method' | 'value'])[],
): Readonly<Record<string, unknown>> {
  if (typeof found !== 'object' || found === null) return {};
  const taken: Record<string, unknown> = Object.fromEntries(
    members.map(([name]) => {
      const member: unknown = Reflect.get(found, name);
      return [name, isFunction(member) ? bound(member, found) : member];
    }),
  );
  const within = followers.get(found);
  return within === undefined ? taken : stopsWithTurns(taken, (turn) => captured(within(turn), members));
}

function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function';
}

function bound(method: (...args: never[]) => unknown, self: object): (...args: unknown[]) => unknown {
  return (...args): unknown => Reflect.apply(method, self, args);
}

function memberOf(given: object, name: string): unknown {
  return Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
}

function hasMember(found: object, name: string, kind: 'method' | 'value'): boolean {
  return kind === 'method' ? typeof Reflect.get(found, name) === 'function' : Reflect.has(found, name);
}
