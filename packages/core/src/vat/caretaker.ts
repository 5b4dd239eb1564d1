/** Caretakers: references that can be revoked, and ones that reach fewer methods. */
import { Gate, type MessageJudge } from './gate.js';
import type { MethodOf } from './protocol.js';
import { type Ref, type Route, refTo, routeOf } from './ref.js';
import { stopped } from './turn.js';

/** A reference that can be revoked, and the right to do so. */
export interface Revocable<P> {
  readonly ref: Ref<P>;
  /**
   * For good, and when it returns: no message that came through the reference, or through one made from it, starts a turn afterwards, queued
   * ones included, and turns that came through it lose powers, `send`, `call` and `become`. Further calls do nothing.
   */
  revoke(): void;
}

/** A reference to the same actor that can be revoked. What is made from it goes with it. */
export function revocable<P>(ref: Ref<P>): Revocable<P> {
  const gate = new Gate(undefined);
  return Object.freeze({ ref: through(ref, gate), revoke: () => gate.revoke() });
}

/** A reference to the same actor that has these methods only. */
export function facet<P, K extends MethodOf<P>>(ref: Ref<P>, ...methods: readonly K[]): Ref<Pick<P, K>> {
  return through(ref, new Gate(new Set(methods)));
}

/**
 * A reference to the same actor by which a judge decides on each message, in the step in which its turn would start: on arguments as the
 * actor has accepted them.
 */
export function judged<P>(ref: Ref<P>, judge: MessageJudge): Ref<P> {
  return through(ref, new Gate(undefined, judge));
}

/**
 * A reference for the mediation point, which calls every tool by the method `call`: what arrives is the one method, with the arguments of
 * the call alone.
 */
export function toolRef<P>(ref: Ref<P>, method: MethodOf<P>): Ref {
  const { gates, ...route } = onward(ref);
  return refTo({ ...route, gates, as: method });
}

function through<P>(ref: Ref<P>, gate: Gate): Ref<P> {
  const { gates, ...route } = onward(ref);
  return refTo({ ...route, gates: [...gates, gate] });
}

/** The same way, without what the first reference alone may do. A reference that was not made here leads nowhere. */
function onward(ref: Ref): Route {
  const { to, gates, as } = routeOf(ref) ?? routeToNobody;
  return as === undefined ? { to, gates } : { to, gates, as };
}

const routeToNobody: Route = { to: { enter: (letter) => letter.settle(stopped) }, gates: [] };
