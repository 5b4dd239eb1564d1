/** A reload room for tests: a store in memory, a prover that says what the test wants, an alarm that rings when the test says. */
import { mintId, sha256 } from '@pawl/core';
import type { Comparison, ExecutorRelation, Relation } from '@pawl/core';
import type { FreezeStore, GenerationSource, GenerationStore, Prover, StoredGeneration } from '@pawl/core';
import type { Alarm } from '@pawl/core';

/** Generations in memory; `broken` refuses all writes, `hold` lets them wait. */
export class KeptGenerations implements GenerationStore, FreezeStore {
  readonly storeId = mintId.store('store');
  readonly puts: StoredGeneration[] = [];
  readonly frozen = new Set<string>();
  broken = false;
  /** Awaited by each write. */
  before: () => Promise<void> = () => Promise.resolve();

  current(): Promise<StoredGeneration | undefined> {
    return Promise.resolve(this.puts.at(-1));
  }

  put(generation: StoredGeneration): Promise<void> {
    return this.#write(() => this.puts.push(generation));
  }

  freeze(name: string): Promise<void> {
    return this.#write(() => this.frozen.add(name));
  }

  lift(name: string): Promise<void> {
    return this.#write(() => this.frozen.delete(name));
  }

  async #write(change: () => unknown): Promise<void> {
    await this.before();
    if (this.broken) throw new Error('the disk is full');
    change();
  }
}

/** A source whose content is one text. */
export function fakeSource(content: string, more: Partial<GenerationSource> = {}): GenerationSource {
  return {
    document: content,
    folder: '/policies',
    facts: {},
    tools: {},
    protectedPaths: [],
    connectors: {},
    semantics: 1,
    content: sha256(content),
    ...more,
  };
}

/** A comparison from the relation of each executor; the whole is the widest of them unless told. */
export function fakeComparison(
  executors: Readonly<Record<string, ExecutorRelation>>,
  more: Partial<Comparison> = {},
): Comparison {
  const all = Object.values(executors);
  const whole: Relation = all.includes('widening')
    ? 'widening'
    : all.includes('unknown')
      ? 'unknown'
      : all.every((each) => each === 'equal')
        ? 'equal'
        : 'attenuation';
  const entries = Object.entries(executors).map(([id, relation]) => [
    id,
    {
      relation,
      witnesses:
        relation === 'widening'
          ? [
              {
                kind: 'access',
                access: { tool: 's/t', verb: 'call', x: 'secret' },
                rule: 'agents.a.allow[0]',
              },
            ]
          : [],
    },
  ]);
  return { relation: whole, executors: Object.fromEntries(entries), witnesses: [], ...more };
}

/** A prover under the test's hand. */
export class FakeProver implements Prover {
  readonly asked: (readonly [old: string, next: string])[] = [];
  answer: () => Promise<Comparison> = () => Promise.reject(new Error('nothing was said'));

  compare(old: GenerationSource, next: GenerationSource): Promise<Comparison> {
    this.asked.push([old.document, next.document]);
    return this.answer();
  }

  says(executors: Readonly<Record<string, ExecutorRelation>>, more: Partial<Comparison> = {}): void {
    this.answer = () => Promise.resolve(fakeComparison(executors, more));
  }
}

/** An alarm on a clock that stands still until it is moved. */
export class FakeAlarm implements Alarm {
  now = 0;
  readonly #waiting = new Set<{ readonly at: number; readonly ring: () => void }>();

  after(milliseconds: number, ring: () => void): () => void {
    const one = { at: this.now + milliseconds, ring };
    this.#waiting.add(one);
    return () => this.#waiting.delete(one);
  }

  /** How many alarms are set. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Moves the clock and rings what is due. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    for (const one of [...this.#waiting].filter(({ at }) => at <= this.now)) {
      this.#waiting.delete(one);
      one.ring();
    }
  }
}
