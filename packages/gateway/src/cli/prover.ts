/** The prover of a gateway: a thread of its own, so that no call waits for a proof. */
import { Worker } from 'node:worker_threads';
import type { Comparison, Prover } from '@pawl/core';
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
        const answer = await asked(thread, { old, next });
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

function asked(thread: Worker, question: ProofQuestion): Promise<ProofAnswer> {
  return new Promise((resolve, reject) => {
    const answered = (answer: ProofAnswer): void => done(() => resolve(answer));
    const failed = (error: Error): void => done(() => reject(error));
    const ended = (): void => failed(new Error('the thread of the prover ended'));
    const done = (settle: () => void): void => {
      thread.off('message', answered).off('error', failed).off('exit', ended);
      settle();
    };
    thread.on('message', answered).on('error', failed).on('exit', ended);
    thread.postMessage(question, []);
  });
}
