/** Refusals that are remembered: the same call in the same state gets the same answer, without being judged again. */
import {
  type Denial,
  type Json,
  type Layer,
  type SessionId,
  canonicalJson,
  sha256,
} from '../ground/index.js';

/** How long a refusal is remembered, in milliseconds. */
const rememberedMs = 60_000;
/** All sessions are looked through for what has passed at most this often, in milliseconds: a refusal costs the same however many there are. */
const sweptEveryMs = 5000;
/** Refusals remembered for one session; the oldest is forgotten for a new one. */
const mostRemembered = 256;
/** The operator is told when the same call is refused this often. */
export const repeatsReported = 20;

/** Layers whose refusals stand as long as the state does. Those of limits, turns and the last check pass by themselves. */
const lasting: ReadonlySet<Layer> = new Set(['decode', 'policy', 'ceiling', 'narrowing', 'skill', 'ask']);

/** A call, and everything but its arguments and time on which its refusal depends. */
export interface Attempt {
  readonly session: SessionId;
  /** Tool, definition, generation, epoch and consent state, as one text. */
  readonly state: string;
  readonly args: Json | undefined;
}

/** A refusal that was given before. */
export interface Remembered {
  readonly denial: Denial;
  readonly approval: string | undefined;
  /** How often it was given, this time included. */
  readonly times: number;
}

interface Kept {
  readonly denial: Denial;
  readonly approval: string | undefined;
  readonly until: number;
  times: number;
}

/** Refusals of the last minute, by session. Times are monotonic, in milliseconds. */
export class RefusedBefore {
  readonly #sessions = new Map<SessionId, Map<string, Kept>>();
  #sweepAt = 0;

  /** The refusal of the same attempt, counted. Costs nothing in a session in which nothing was refused. */
  recall(attempt: Attempt, now: number): Remembered | undefined {
    const kept = this.#sessions.get(attempt.session);
    if (kept === undefined) return undefined;
    const found = kept.get(keyOf(attempt));
    if (found === undefined || now >= found.until) return undefined;
    found.times += 1;
    return { denial: found.denial, approval: found.approval, times: found.times };
  }

  /** Remembers a refusal, until `until` at the latest, if it is one that lasts. */
  remember(
    attempt: Attempt,
    denial: Denial,
    { now, until = Infinity, approval }: { now: number; until?: number; approval?: string },
  ): void {
    if (!lasting.has(denial.layer) || until <= now) return;
    const kept = this.#sessions.get(attempt.session) ?? new Map<string, Kept>();
    this.#forget(now);
    this.#sessions.set(attempt.session, kept);
    const [oldest] = kept.keys();
    if (kept.size >= mostRemembered && oldest !== undefined) kept.delete(oldest);
    kept.set(keyOf(attempt), { denial, approval, until: Math.min(until, now + rememberedMs), times: 1 });
  }

  #forget(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + sweptEveryMs;
    for (const [session, kept] of this.#sessions) {
      for (const [key, { until }] of kept) if (now >= until) kept.delete(key);
      if (kept.size === 0) this.#sessions.delete(session);
    }
  }
}

function keyOf({ state, args }: Attempt): string {
  return sha256(`${state} ${args === undefined ? '' : canonicalJson(args)}`);
}
