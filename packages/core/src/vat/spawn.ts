/** Actors come to be and end here. */
import { UsageError, systemAlarm, systemClock } from '../ground/index.js';
import type { Behaviour } from './actor.js';
import { ActorRunner, type Time } from './actor-runner.js';
import { Bundle } from './bundle.js';
import { frozenCopy } from './data.js';
import { type Actor, isParallel } from './define.js';
import type { Cell } from './live-turn.js';
import { Mailbox, PlainRunner } from './mailbox.js';
import { holdPowers, missingPowers } from './power.js';
import { type Ref, refTo, routeOf } from './ref.js';

/** What an actor is spawned with beside its powers. */
export interface SpawnOptions extends Partial<Time> {
  /** Told of messages that its turns sent and that failed; nobody else would learn of it. Must not throw. */
  readonly failed?: (method: string, error: unknown) => void;
}

/**
 * Makes an actor that holds exactly the powers that its definition names. Throws UsageError that names those which are missing: it is a
 * type error too, but for powers that come from somewhere else. Time is the system's unless told.
 */
export function spawn<P extends object, M>(
  actor: Actor<P, M>,
  powers: NoInfer<P> | Bundle<NoInfer<P>>,
  options?: SpawnOptions,
): Ref<M>;
/** Makes an actor of an untyped behaviour. Throws UsageError when `parallel` is neither a whole number of at least 1 nor `Infinity`. */
export function spawn(behaviour: Behaviour): Ref;
export function spawn(
  actor: Actor<never, unknown> | Behaviour,
  powers: object = {},
  options: SpawnOptions = {},
): Ref {
  return 'methods' in actor ? spawnActor(actor, powers, options) : spawnPlain(actor);
}

function spawnPlain(behaviour: Behaviour): Ref {
  const { parallel } = behaviour;
  if (!isParallel(parallel)) {
    throw new UsageError(`parallel is ${parallel}; allowed is a whole number of at least 1, or Infinity`);
  }
  return refTo({ to: new Mailbox(new PlainRunner(behaviour), parallel), gates: [], first: true });
}

function spawnActor(actor: Actor<never, unknown>, powers: object, options: SpawnOptions): Ref {
  const missing = lacking(actor, powers);
  if (missing.length > 0)
    throw new UsageError(`the actor needs powers that it was not given: ${missing.join(', ')}`);
  const { clock = systemClock, alarm = systemAlarm, failed = (): void => {} } = options;
  const held = holdPowers(actor.powers, powers instanceof Bundle ? powers.powers : powers);
  // oxlint-disable-next-line prefer-const -- runner, mailbox and cell know each other
  let cell: Cell;
  const mailbox = new Mailbox(new ActorRunner(actor, { clock, alarm }, () => cell), actor.parallel);
  cell = {
    self: refTo({ to: mailbox, gates: [] }),
    held,
    failed,
    now: () => clock.monotonic(),
    waiting: new Set(),
    state: frozenCopy(actor.state),
  };
  return refTo({ to: mailbox, gates: [], first: true });
}

/** The powers that an actor of this definition would lack: `fs`, or `fs.readFile`. None: it can be spawned. */
export function lacking(actor: Actor<never, unknown>, powers: object): readonly string[] {
  return missingPowers(actor.powers, powers instanceof Bundle ? powers.powers : powers);
}

/**
 * Ends an actor: later turns are refused, waiting ones dropped, running ones finish. Only by the reference that spawning gave; by one that
 * was narrowed, or can be revoked, and further times, it does nothing.
 */
export function stop(ref: Ref): void {
  const route = routeOf(ref);
  if (route?.first === true && route.to instanceof Mailbox) route.to.stop();
}
