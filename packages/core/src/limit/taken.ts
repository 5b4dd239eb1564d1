/** What one reservation has taken, to be given back as a whole. */
import type { ExecutorId } from '../ground/index.js';
import type { KeptCount, NamedLimit } from './reserve.js';
import type { SessionCounts } from './session-counts.js';

/** A named limit of one executor, and how much of it is used. */
export interface Tally {
  day: number;
  count: number;
}

interface InTally {
  readonly executor: ExecutorId;
  readonly limit: NamedLimit;
  readonly tally: Tally;
  /** On which day it was taken: what was taken yesterday is not given back today. */
  readonly day: number;
}

/** Counts up at once, and down again when it is undone. */
export class Taken {
  readonly #keys: { readonly counts: SessionCounts; readonly key: string }[] = [];
  readonly #tallies: InTally[] = [];

  /** One call of a budget or limit of a session. */
  inSession(counts: SessionCounts, key: string): void {
    counts.add(key, 1);
    this.#keys.push({ counts, key });
  }

  /** One call of a wider limit. */
  inTally(executor: ExecutorId, limit: NamedLimit, tally: Tally): void {
    tally.count += 1;
    this.#tallies.push({ executor, limit, tally, day: tally.day });
  }

  /** Gives everything back; once. */
  undo(): void {
    for (const { counts, key } of this.#keys) counts.add(key, -1);
    for (const { tally, day } of this.#tallies) if (tally.day === day) tally.count -= 1;
  }

  /** The wider counts as they stand now. */
  kept(): readonly KeptCount[] {
    const distinct = new Map(this.#tallies.map((each) => [each.tally, each]));
    return [...distinct.values()].map(({ executor, limit, tally: { day, count } }) => ({
      executor,
      limit: limit.name,
      per: limit.per === 'day' ? 'day' : 'executor',
      day,
      count,
    }));
  }
}
