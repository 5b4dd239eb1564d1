/** Freezing: authority attenuated to nothing at once, until an operator thaws it. */
import type { ExecutorId } from '../ground/index.js';

/** What is frozen: {@link everything}, an agent with all its instances, or one executor. */
export type FrozenName = string;

/** The name that stands for every executor, those to come included. No agent is called so. */
export const everything: FrozenName = '*';

/** Everything frozen. In force when `freeze` returns: the next check of any call meets it. */
export class Freezes {
  readonly #frozen: Set<FrozenName>;
  readonly #asked = new Map<FrozenName, number>();
  #changes = 0;

  /** `known` are those of earlier runs, as a store loads them. */
  constructor(known: Iterable<FrozenName> = []) {
    this.#frozen = new Set(known);
  }

  /** Freezes. False if exactly this was frozen already. */
  freeze(name: FrozenName): boolean {
    this.#asked.set(name, this.asked(name) + 1);
    if (this.#frozen.has(name)) return false;
    this.#frozen.add(name);
    this.#changes += 1;
    return true;
  }

  /** Lifts exactly this. Only `reload` may call it, after the epochs of whoever it covers have moved. */
  lift(name: FrozenName): boolean {
    this.#changes += 1;
    return this.#frozen.delete(name);
  }

  /** Whether exactly this is frozen. */
  has(name: FrozenName): boolean {
    return this.#frozen.has(name);
  }

  /** By what the executor is frozen, or undefined while it is not. */
  covers(executor: ExecutorId): FrozenName | undefined {
    if (this.#frozen.size === 0) return undefined;
    return [everything, agentOf(executor), executor].find((name) => this.#frozen.has(name));
  }

  /** How often exactly this was asked to be frozen: another number says that a freeze came in meanwhile. */
  asked(name: FrozenName): number {
    return this.#asked.get(name) ?? 0;
  }

  /** Another number says that something was frozen or lifted. */
  get changes(): number {
    return this.#changes;
  }

  /** All that is frozen, in the order of freezing. */
  list(): readonly FrozenName[] {
    return [...this.#frozen];
  }
}

/** Whether an executor is meant by a name of {@link Freezes}. */
export function isMeant(name: FrozenName, executor: ExecutorId): boolean {
  return name === everything || name === executor || name === agentOf(executor);
}

function agentOf(executor: ExecutorId): string {
  return executor.split('/', 1)[0] ?? executor;
}
