/** References: what stands for an actor outside, and from which nothing can be read. */
import type { Denial } from '../ground/index.js';
import { type Gate, joinGates } from './gate.js';
import type { Letter } from './letter.js';
import { dead, noSuchMethod } from './refusals.js';
import { refusedFor, stopped } from './turn.js';

declare const protocol: unique symbol;

/**
 * Stands for one actor, or for one that is still to come. A frozen object without members: holding it allows sending what `P` names,
 * where sending is allowed at all. `P` holds the methods as functions from arguments to result; one with fewer is assignable.
 */
export interface Ref<out P = unknown> {
  readonly [protocol]: P;
}

/** What takes messages: a mailbox, or the place where those for an actor that is still to come wait. */
export interface Receiver {
  /** Never throws. */
  enter(letter: Letter): void;
}

/** Where a reference leads, and through what. */
export interface Route {
  readonly to: Receiver;
  readonly gates: readonly Gate[];
  /** The method as which everything arrives, of a reference that stands for one method of an actor. */
  readonly as?: string;
  /** Whether it is the one that spawning gave, by which alone the actor may be stopped. */
  readonly first?: boolean;
}

const routes = new WeakMap<object, Route>();

/** Makes a reference. The one constructor of this brand, which exists in types only. */
export function refTo<P>(route: Route): Ref<P> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand
  const ref = Object.freeze(Object.create(null)) as Ref<P>;
  routes.set(ref, route);
  return ref;
}

/** Where a reference leads; undefined for one that was not made here. For this room only. */
export function routeOf(ref: Ref): Route | undefined {
  return routes.get(ref);
}

/** Whether a value is a reference. */
export function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && routes.has(value);
}

/** Sends a message on its way. Never throws. */
export function deliver(ref: Ref, letter: Letter): void {
  const route = routes.get(ref);
  if (route === undefined) return letter.settle(stopped);
  const refusal = pass(route, letter);
  if (refusal !== undefined) return letter.settle(refusedFor(refusal));
  route.to.enter(letter);
}

/** What a message meets on its way: narrowed methods and revocations at once, judges when its turn starts. */
function pass({ gates, as }: Route, letter: Letter): Denial | undefined {
  if (as !== undefined && letter.method !== 'call') return noSuchMethod(letter.method);
  const method = as ?? letter.method;
  for (const gate of gates) {
    if (gate.isRevoked) return dead('revoked');
    if (gate.methods?.has(method) === false) return noSuchMethod(method);
  }
  if (gates.length > 0) letter.gates = joinGates(letter.gates, gates);
  if (as === undefined) return undefined;
  letter.method = as;
  letter.args = argsOfCall(letter.args);
  return undefined;
}

/** The arguments inside of what the mediation point sends. */
function argsOfCall(call: unknown): unknown {
  return typeof call === 'object' && call !== null && 'args' in call ? call.args : undefined;
}
