/** The prover of a gateway: a thread of its own, so that no call waits for a proof. */
import { Worker } from 'node:worker_threads';
import type { Comparison, Prover } from '@pawl/core';
import { askThread } from './ask-thread.js';
import type { ProofAnswer, ProofQuestion } from './prover-thread.js';

/** A prover whose thread can be ended. */
export interface ThreadProver extends Prover {
  /** Ends the thread; a proof that is under way rejects. */
  close(): Promise<void>;
}

/** Heap of the thread, in MiB: a proof that wants more fails, and the gateway goes on. */
const heapMiB = 2048;

/** A prover with a thread, started at the first question and kept for the next. Questions come one at a time. */
export function threadProver(): ThreadProver {
  let idle: Worker | undefined;
  const running = new Set<Worker>();
  const start = (): Worker => {
    const url = new URL('./prover-thread.js', import.meta.url);
    const thread = new Worker(url, { name: 'prover', resourceLimits: { maxOldGenerationSizeMb: heapMiB } });
    thread.unref();
    return thread;
  };
  return {
    compare: async (old, next): Promise<Comparison> => {
      // A question that nobody waits for any more still runs: it is not waited for again.
      for (const late of running) void late.terminate();
      const thread = idle ?? start();
      idle = undefined;
      running.add(thread);
      try {
        const question: ProofQuestion = { old, next };
        const answer = await askThread<ProofAnswer>(thread, question);
        idle = thread;
        if (!answer.ok) throw new Error(answer.why);
        return answer.comparison;
      } finally {
        running.delete(thread);
      }
    },
    close: async () => {
      const all = [...running, ...(idle === undefined ? [] : [idle])];
      idle = undefined;
      await Promise.all(all.map((thread) => thread.terminate()));
    },
  };
}
