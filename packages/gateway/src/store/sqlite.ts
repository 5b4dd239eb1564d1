/** The SQLite backend, as the front sees it: a thread that answers in order. When it dies the store is closed. */
import { Worker } from 'node:worker_threads';
import type { Head } from '@pawl/core';
import type { Backend, Entry, Opened } from './backend.js';
import { reason } from './folder.js';
import { Gate } from './gate.js';
import type { Answer, Question, Yields } from './message.js';
import { type ReadRecord, type RecordQuery, StoreError } from './ports.js';

/** An open backend and what it knew when it opened. */
export interface OpenBackend {
  readonly backend: Backend;
  readonly opened: Opened;
}

/** Opens the store in that folder, making it where there is none. Rejects with a {@link StoreError}. */
export async function openSqlite(folder: string): Promise<OpenBackend> {
  const backend = new SqliteBackend(folder);
  try {
    return { backend, opened: await backend.open() };
  } catch (error) {
    await backend.end();
    throw error;
  }
}

interface Waiting {
  /** Takes the answer to one question; what it holds is known where the question was asked. */
  readonly resolve: (answer: Answer<never>) => void;
}

class SqliteBackend implements Backend {
  readonly #folder: string;
  readonly #waiting: Waiting[] = [];
  readonly #thread: Worker;
  readonly #gate = new Gate();
  #why: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#thread = new Worker(new URL('./thread.js', import.meta.url), { name: 'store' });
    this.#thread.on('message', (answer: Answer<never>) => this.#waiting.shift()?.resolve(answer));
    this.#thread.on('error', (error) => this.#lost(reason(error)));
    this.#thread.on('exit', () => this.#lost('it ended'));
  }

  open(): Promise<Opened> {
    return this.#ask('open', { ask: 'open', folder: this.#folder, gate: this.#gate.cells });
  }

  commit(entries: readonly Entry[]): Promise<Head> {
    return this.#ask('commit', { ask: 'commit', entries });
  }

  probe(): Promise<null> {
    return this.#ask('probe', { ask: 'probe' });
  }

  records(query: RecordQuery): Promise<readonly ReadRecord[]> {
    return this.#ask('records', { ask: 'records', query });
  }

  async row(kind: string, id: string): Promise<string | undefined> {
    return (await this.#ask('row', { ask: 'row', kind, id })) ?? undefined;
  }

  async close(): Promise<void> {
    try {
      await this.#ask('close', { ask: 'close' });
    } finally {
      await this.end();
    }
  }

  /** Stops the thread when it has finished what it is doing. */
  async end(): Promise<void> {
    this.#gate.shut();
    await this.#thread.terminate();
  }

  async #ask<A extends Question['ask']>(_: A, question: Question & { ask: A }): Promise<Yields[A]> {
    if (this.#why !== undefined) throw new StoreError('closed', this.#why);
    const answer = await new Promise<Answer<Yields[A]>>((resolve) => {
      this.#waiting.push({ resolve });
      this.#thread.postMessage(question, []);
    });
    if (!answer.ok) throw new StoreError(answer.code, answer.message);
    return answer.value;
  }

  #lost(why: string): void {
    this.#why ??= `the writing thread stopped: ${why}`;
    const gone = { ok: false, code: 'closed', message: this.#why } as const;
    for (const { resolve } of this.#waiting.splice(0)) resolve(gone);
  }
}
