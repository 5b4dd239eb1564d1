/** Draining: generations that are no longer current live on while calls hold them, up to a deadline. */
import type { AuditLog } from '../audit/index.js';
import type { Alarm, Clock, Digest } from '../ground/index.js';
import type { Current, Snapshot } from '../policy/index.js';

/** Gives up the calls that were handed over under a snapshot, and says how many. */
export type GiveUp = (snapshot: Snapshot) => number;

/** How long after it stopped being current a generation may be held, in milliseconds on the monotonic clock. */
const drainDeadlineMs: number = 15 * 60 * 1000;

/** What draining needs. */
export interface DrainPorts {
  readonly current: Current;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly audit: Pick<AuditLog, 'note'>;
  readonly giveUp: GiveUp;
}

/** A generation that is in force, or that a call still holds. */
export interface LivingGeneration {
  readonly number: number;
  readonly hash: Digest;
  /** Calls that hold it. */
  readonly pins: number;
  /** Bytes of the texts that it was made from: what it keeps in memory is a small multiple. */
  readonly bytes: number;
  /** Milliseconds since it stopped being current; absent for the one in force. */
  readonly replacedFor?: number;
}

interface Known {
  readonly bytes: number;
  /** Since when it is not current any more. */
  replacedAt: number | undefined;
}

/** Watches generations leave. */
export class Drain {
  readonly #ports: DrainPorts;
  readonly #known = new WeakMap<Snapshot, Known>();
  readonly #waits = new Set<() => void>();
  #newest: Snapshot | undefined;

  constructor(ports: DrainPorts) {
    this.#ports = ports;
  }

  /** A snapshot came into force; the one before it has until the deadline. */
  arrives(snapshot: Snapshot, bytes: number): void {
    const before = this.#newest;
    this.#newest = snapshot;
    this.#known.set(snapshot, { bytes, replacedAt: undefined });
    if (before !== undefined) this.#leaves(before);
  }

  /** Newest first. */
  living(): readonly LivingGeneration[] {
    const now = this.#ports.clock.monotonic();
    return this.#ports.current.living().map(({ snapshot, pins }) => {
      const { number, hash } = snapshot.generation;
      const { bytes = 0, replacedAt } = this.#known.get(snapshot) ?? {};
      const since = replacedAt === undefined ? {} : { replacedFor: Math.max(0, now - replacedAt) };
      return { number, hash, pins, bytes, ...since };
    });
  }

  /** Stops all waiting. */
  close(): void {
    for (const stop of this.#waits) stop();
    this.#waits.clear();
  }

  #leaves(snapshot: Snapshot): void {
    const known = this.#known.get(snapshot);
    if (known !== undefined) known.replacedAt = this.#ports.clock.monotonic();
    if (this.#isHeld(snapshot)) this.#wait(snapshot);
  }

  #wait(snapshot: Snapshot): void {
    const stop = this.#ports.alarm.after(drainDeadlineMs, () => {
      this.#waits.delete(stop);
      this.#expire(snapshot);
    });
    this.#waits.add(stop);
  }

  #expire(snapshot: Snapshot): void {
    if (!this.#isHeld(snapshot)) return;
    const calls = this.#ports.giveUp(snapshot);
    const { number, hash } = snapshot.generation;
    this.#ports.audit.note({
      type: 'event',
      event: 'drained',
      data: { generation: number, hash, calls },
    });
  }

  #isHeld(snapshot: Snapshot): boolean {
    return this.#ports.current.living().some((each) => each.snapshot === snapshot);
  }
}
