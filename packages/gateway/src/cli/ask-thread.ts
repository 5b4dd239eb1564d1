/** One question to a thread, one answer back. */
import type { Worker } from 'node:worker_threads';

/** Asks; rejects when the thread breaks or ends. The thread answers each question with one message. */
export function askThread<A>(thread: Worker, question: unknown): Promise<A> {
  return new Promise((resolve, reject) => {
    const answered = (answer: A): void => done(() => resolve(answer));
    const failed = (error: Error): void => done(() => reject(error));
    const ended = (): void => failed(new Error('the thread ended'));
    const done = (settle: () => void): void => {
      thread.off('message', answered).off('error', failed).off('exit', ended);
      settle();
    };
    thread.on('message', answered).on('error', failed).on('exit', ended);
    thread.postMessage(question, []);
  });
}
