/** Calls whose answer was lost while the other side may still be at work: the same call is not made again meanwhile. */
import { type Fault } from '../ground/index.js';
import type { Admitted } from './admit.js';

/** Longest that a lost call stands in the way, in milliseconds: many servers never answer what was cancelled. */
const longestMs = 60_000;

/** Lost calls by session, tool and arguments. Identical calls that wait for their answers are none of its business. */
export class Unsettled {
  readonly #lost = new Map<string, number>();

  /** Whether an identical call was lost and has not been settled. Times are monotonic, in milliseconds. */
  has(key: string, now: number): boolean {
    const until = this.#lost.get(key);
    return until !== undefined && now < until;
  }

  /** Notes how a call ended that was handed over. */
  ended(key: string, fault: Pick<Fault, 'late'>, now: number): void {
    if (fault.late === undefined) return;
    for (const [old, until] of this.#lost) if (now >= until) this.#lost.delete(old);
    const until = now + longestMs;
    this.#lost.set(key, until);
    void fault.late.then(() => {
      if (this.#lost.get(key) === until) this.#lost.delete(key);
    });
  }
}

/** Whether making the call twice does what making it once does: it only reads, or its connector says so. */
export function isRepeatable({ accesses, frame }: Pick<Admitted, 'accesses' | 'frame'>): boolean {
  return frame.table.idempotent === true || accesses.every(({ verb }) => verb === 'read' || verb === 'list');
}
