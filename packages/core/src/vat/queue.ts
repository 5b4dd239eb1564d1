/** The queue of exclusion: first come, first served among calls that meet, and no order among others. */
import type { Alarm, CallId } from '../ground/index.js';
import type { ExclusionPort, ExclusionRequest, Hold } from './exclusion.js';

/** What exclusion is made from. */
export interface ExclusionOptions<Accesses> {
  readonly alarm: Alarm;
  /** Whether two calls touch the same thing. Symmetric; not asked for two that only read. */
  readonly meet: (some: Accesses, others: Accesses) => boolean;
  /** Longest wait in milliseconds; 10,000 unless told. */
  readonly longestMs?: number;
}

const usualMs = 10_000;

/**
 * INVARIANT(P.exclusion.fifo): a call runs when no earlier one of its session and group that meets it, one of the two writing, is running or
 * waiting; but it never waits for a call in whose turn it was sent, nor for whoever waits for that one.
 */
export class Exclusion<Accesses> implements ExclusionPort<Accesses> {
  readonly #options: ExclusionOptions<Accesses>;
  readonly #rooms = new Map<string, Room<Accesses>>();

  constructor(options: ExclusionOptions<Accesses>) {
    this.#options = options;
  }

  enter(request: ExclusionRequest<Accesses>): Hold | Promise<Hold | 'busy'> {
    const key = `${request.session} ${request.group}`;
    let room = this.#rooms.get(key);
    if (room === undefined) {
      room = new Room(this.#options, () => this.#rooms.delete(key));
      this.#rooms.set(key, room);
    }
    return room.enter(request);
  }

  recheck(): void {
    for (const room of this.#rooms.values()) room.recheck();
  }
}

/** One call in its room. */
class Place<Accesses> {
  readonly request: ExclusionRequest<Accesses>;
  /** The call that sent it, where that is in the same room. */
  readonly parent: Place<Accesses> | undefined;
  /** Earlier calls that it waits for; none: it runs. */
  behind: ReadonlySet<Place<Accesses>> = new Set();
  /** Set while it waits: ends the wait. */
  answer: ((answer: 'go' | 'busy') => void) | undefined;

  constructor(request: ExclusionRequest<Accesses>, parent: Place<Accesses> | undefined) {
    this.request = request;
    this.parent = parent;
  }
}

/** The calls of one session in one mount group, in the order of coming. */
class Room<Accesses> {
  readonly #options: ExclusionOptions<Accesses>;
  readonly #empty: () => void;
  readonly #places = new Map<CallId, Place<Accesses>>();
  #writers = 0;

  constructor(options: ExclusionOptions<Accesses>, empty: () => void) {
    this.#options = options;
    this.#empty = empty;
  }

  enter(request: ExclusionRequest<Accesses>): Hold | Promise<Hold | 'busy'> {
    const parent = request.parent === undefined ? undefined : this.#places.get(request.parent);
    const place = new Place(request, parent);
    const { writes } = request;
    if (writes || this.#writers > 0) place.behind = this.#inTheWayOf(place);
    this.#places.set(request.call, place);
    if (writes) this.#writers += 1;
    return place.behind.size === 0 ? this.#hold(place) : this.#wait(place);
  }

  recheck(): void {
    for (const { request, answer } of this.#places.values())
      if (answer !== undefined && request.lives?.() === false) answer('busy');
  }

  #inTheWayOf(place: Place<Accesses>): ReadonlySet<Place<Accesses>> {
    const callers = new Set<Place<Accesses>>();
    for (let at = place.parent; at !== undefined; at = at.parent) callers.add(at);
    const others = [...this.#places.values()].filter(
      (other) => !callers.has(other) && !waitsFor(other, callers) && this.#exclude(place, other),
    );
    return new Set(others);
  }

  #exclude(one: Place<Accesses>, other: Place<Accesses>): boolean {
    return (
      (one.request.writes || other.request.writes) &&
      this.#options.meet(one.request.accesses, other.request.accesses)
    );
  }

  #hold(place: Place<Accesses>): Hold {
    return { release: () => this.#leave(place) };
  }

  async #wait(place: Place<Accesses>): Promise<Hold | 'busy'> {
    const { alarm, longestMs = usualMs } = this.#options;
    const { signal } = place.request;
    const answered = new Promise<'go' | 'busy'>((resolve) => {
      place.answer = resolve;
    });
    const giveUp = (): void => place.answer?.('busy');
    const silence = alarm.after(longestMs, giveUp);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    const answer = await answered;
    silence();
    signal.removeEventListener('abort', giveUp);
    if (answer === 'go') return this.#hold(place);
    this.#leave(place);
    return 'busy';
  }

  #leave(place: Place<Accesses>): void {
    if (this.#places.get(place.request.call) !== place) return;
    this.#places.delete(place.request.call);
    if (place.request.writes) this.#writers -= 1;
    if (this.#places.size === 0) return this.#empty();
    for (const other of this.#places.values()) this.#advance(other, place);
  }

  #advance(other: Place<Accesses>, gone: Place<Accesses>): void {
    if (!other.behind.has(gone)) return;
    other.behind = new Set([...other.behind].filter((place) => place !== gone));
    if (other.behind.size > 0) return;
    other.answer?.('go');
    other.answer = undefined;
  }
}

/** Whether a call waits for one of these, directly or not. */
function waitsFor<Accesses>(
  place: Place<Accesses>,
  callers: ReadonlySet<Place<Accesses>>,
  seen: Set<Place<Accesses>> = new Set(),
): boolean {
  if (callers.size === 0 || seen.has(place)) return false;
  seen.add(place);
  for (const one of place.behind) if (callers.has(one) || waitsFor(one, callers, seen)) return true;
  return false;
}
