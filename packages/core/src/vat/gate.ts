/** Gates: what a message passes on its way through a reference that was narrowed, or that can be revoked. */
import type { Denial } from '../ground/index.js';

/** Says no to a message in the step in which its turn would start, by giving the refusal. Synchronous; throwing counts as a refusal. */
export type MessageJudge = (method: string, args: unknown) => Denial | undefined;

/** One narrowing of a reference. */
export class Gate {
  /** Methods that pass; undefined: all. */
  readonly methods: ReadonlySet<string> | undefined;
  readonly judge: MessageJudge | undefined;
  #revoked = false;
  #listeners: (() => void)[] | undefined;

  constructor(methods: ReadonlySet<string> | undefined, judge?: MessageJudge) {
    this.methods = methods;
    this.judge = judge;
  }

  /** Whether nothing passes any more. */
  get isRevoked(): boolean {
    return this.#revoked;
  }

  /** For good. Further calls do nothing. */
  revoke(): void {
    this.#revoked = true;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Tells of the revocation, once; the answer ends that. */
  onRevoke(listener: () => void): () => void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners?.filter((other) => other !== listener);
    };
  }
}

/** Both together, each once; one of the two arrays where it holds all. */
export function joinGates(some: readonly Gate[], more: readonly Gate[]): readonly Gate[] {
  if (some.length === 0 || some === more) return more;
  const fresh = more.filter((gate) => !some.includes(gate));
  return fresh.length === 0 ? some : [...some, ...fresh];
}
