/** Approvals of one process: what waits, what was said, and what is left of it. */
import { type Clock, type Entropy, type SessionId, base32, canonicalJson, sha256 } from '../ground/index.js';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from './approval.js';
import { type Ask, type AskView, viewOf } from './ask.js';

/** What approvals are kept with. */
export interface ApprovalsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly entropy: Entropy;
  /** Milliseconds that an ask waits, and that its answer waits to be taken up; read at each ask. */
  readonly expires: () => number;
  /** Whether the session is open and the epoch has not moved: an ask that is not alive is forgotten. */
  readonly isAlive: (request: ConsentRequest) => boolean;
  /** Told of each new ask; must not throw. */
  readonly opened?: (ask: AskView) => void;
}

/** Who answers. */
export interface Answerer {
  /** The session by which the answer came, where it came from a client: no session answers its own ask. */
  readonly session?: SessionId;
  /** The session whose client put the question to its person, where the policy lets that: it answers asks of that session only. */
  readonly client?: SessionId;
}

/** What became of an answer. */
export type Answered =
  | { readonly kind: 'answered'; readonly ask: AskView }
  /** Unknown, expired, or of a session that is gone. */
  | { readonly kind: 'none' }
  | { readonly kind: 'answered-before' | 'own-ask'; readonly ask: AskView };

/** Asks of one session that wait at the same time; more are refused without being kept. */
export const mostAsks = 64;

/** Keeps asks and answers in memory: they end with the process, as sessions do. */
export class Approvals implements ConsentPort {
  readonly #options: ApprovalsOptions;
  /** By digest of the request, in the order of asking. */
  readonly #asks = new Map<string, Ask>();
  /** Told once when the ask of that id is answered. */
  readonly #listeners = new Map<string, Set<() => void>>();
  #version = 0;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  ask(request: ConsentRequest): ConsentAnswer {
    const key = keyOf(request);
    const found = this.#asks.get(key);
    const now = this.#options.clock.monotonic();
    if (found === undefined) return this.#open(key, request, now);
    if (now >= found.until) {
      this.#drop(key);
      if (found.state === 'refused') return this.#open(key, request, now);
      return { kind: 'expired', id: found.id, until: now };
    }
    if (request.level === 'once') found.level = 'once';
    if (found.state === 'approved') return this.#take(key, found);
    const kind = found.state === 'refused' ? 'refused' : 'required';
    return { kind, id: found.id, until: found.until };
  }

  version(): number {
    return this.#version;
  }

  /** What waits for an answer, oldest first. */
  waiting(): readonly AskView[] {
    this.#sweep();
    return [...this.#asks.values()].filter(({ state }) => state === 'waiting').map((ask) => this.#view(ask));
  }

  /** The ask of that id, whatever became of it; undefined when it is gone. */
  find(id: string): AskView | undefined {
    this.#sweep();
    const ask = this.#byId(id)?.[1];
    return ask && this.#view(ask);
  }

  /** Answers an ask for good. A yes has the scope that was shown, no wider one. */
  answer(id: string, says: 'yes' | 'no', by: Answerer = {}): Answered {
    this.#sweep();
    const found = this.#byId(id)?.[1];
    if (found === undefined) return { kind: 'none' };
    const ask = this.#view(found);
    if (by.client !== undefined && by.client !== found.request.session) return { kind: 'none' };
    if (by.session !== undefined && by.session === found.request.session) return { kind: 'own-ask', ask };
    if (found.state !== 'waiting') return { kind: 'answered-before', ask };
    found.state = says === 'yes' ? 'approved' : 'refused';
    found.until = this.#options.clock.monotonic() + this.#options.expires();
    this.#version += 1;
    const told = this.#listeners.get(id) ?? [];
    this.#listeners.delete(id);
    for (const tell of told) tell();
    return { kind: 'answered', ask: this.#view(found) };
  }

  /** Tells once when the ask of that id is answered; nothing is told of its expiry. Gives what stops the telling. */
  onAnswer(id: string, listener: () => void): () => void {
    const tell = (): void => listener();
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(tell));
    return () => {
      listeners.delete(tell);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  #open(key: string, request: ConsentRequest, now: number): ConsentAnswer {
    this.#sweep();
    const until = now + this.#options.expires();
    const mine = [...this.#asks.values()].filter(({ request: { session } }) => session === request.session);
    if (mine.filter(({ state }) => state === 'waiting').length >= mostAsks)
      return { kind: 'required', until: now };
    const id = `a_${base32(this.#options.entropy.bytes(10))}`;
    const ask: Ask = { id, request, state: 'waiting', level: request.level, asked: now, until };
    this.#asks.set(key, ask);
    this.#options.opened?.(this.#view(ask));
    return { kind: 'required', id, until };
  }

  /** A yes for one call is away while the call holds it; one for the session stays as long as the session. */
  #take(key: string, ask: Ask): ConsentAnswer {
    const scope = ask.level;
    if (scope === 'once') this.#drop(key);
    let isHeld = true;
    const end = (): boolean => {
      const was = isHeld;
      isHeld = false;
      return was;
    };
    return {
      kind: 'approved',
      id: ask.id,
      spend: () => {
        if (end() && scope === 'session') ask.until = Infinity;
      },
      giveBack: () => {
        if (end() && scope === 'once') {
          this.#asks.set(key, ask);
          this.#version += 1;
        }
      },
    };
  }

  #drop(key: string): void {
    this.#asks.delete(key);
    this.#version += 1;
  }

  /** Forgets what is not alive, and what expired long enough ago that nobody comes back for it. */
  #sweep(): void {
    const { clock, expires, isAlive } = this.#options;
    const longAgo = clock.monotonic() - expires();
    for (const [key, ask] of this.#asks) {
      if (ask.until < longAgo || !isAlive(ask.request)) this.#asks.delete(key);
    }
  }

  #byId(id: string): readonly [string, Ask] | undefined {
    const now = this.#options.clock.monotonic();
    return [...this.#asks].find(([, ask]) => ask.id === id && now < ask.until);
  }

  #view(ask: Ask): AskView {
    return viewOf(ask, this.#options.clock.monotonic());
  }
}

/** INVARIANT(P.ask.approval-seals): whatever differs in one of these is another request. */
function keyOf(request: ConsentRequest): string {
  const { session, executor, epoch, tool, toolDigest, argumentsDigest, shown } = request;
  return sha256(canonicalJson({ session, executor, epoch, tool, toolDigest, argumentsDigest, shown }));
}
