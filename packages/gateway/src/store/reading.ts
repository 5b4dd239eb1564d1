/** Reading a store beside its writer, or when nobody holds it. Each question has a thread of its own. */
import { Worker } from 'node:worker_threads';
import {
  type Declaration,
  type ExecutorId,
  type StoredRow,
  type VerifyReport,
  executorId,
  mintId,
  systemClock,
} from '@pawl/core';
import { declarationKind, declarationsIn } from './declarations.js';
import { reason } from './folder.js';
import { Gate } from './gate.js';
import { readGeneration } from './generation-row.js';
import type { Answer, ReadQuestion } from './message.js';
import { isValidKey } from './keys.js';
import { type ReadRecord, type RecordQuery, StoreError, type StoredGeneration } from './ports.js';
import { readKey } from './row.js';

/**
 * Verifies everything that the store in `folder` holds: SQLite's own check, the chain, heads and their signatures, bodies,
 * and every row of the other tables, on one snapshot. Takes no lock and changes nothing. Rejects with a {@link StoreError}
 * only when there is no store (`absent`) or it could not be looked at.
 */
export function verifyStore(folder: string): Promise<VerifyReport> {
  return asked<VerifyReport>((gate) => ({ ask: 'verify', folder, gate }));
}

/** Reads records of the store in `folder`, in order of the chain. Rejects with a {@link StoreError}. */
export function readRecords(folder: string, query: RecordQuery = {}): Promise<readonly ReadRecord[]> {
  return asked<readonly ReadRecord[]>((gate) => ({ ask: 'records', folder, query, gate }));
}

/**
 * Reads a generation of the store in `folder`: of that number, or the current one; undefined where there is none. Rejects with a
 * {@link StoreError}.
 */
export async function readStoredGeneration(
  folder: string,
  number?: number,
): Promise<StoredGeneration | undefined> {
  const text = await asked<string | undefined>((gate) => ({ ask: 'generation', folder, number, gate }));
  return text === undefined ? undefined : readGeneration(text);
}

/** What a store knows of executors: what a comparison of policies for its gateway has to count. */
export interface StoredAuthority {
  /** Executors that it has known, and those that a valid credential stands for. */
  readonly executors: readonly ExecutorId[];
  readonly declared: readonly Declaration[];
}

/** Reads it beside whoever holds the store in `folder`. Rejects with a {@link StoreError}. */
export async function readAuthority(folder: string): Promise<StoredAuthority> {
  const rows = await asked<readonly StoredRow[]>((gate) => ({ ask: 'rows', folder, gate }));
  const of = (kind: string): readonly (readonly [string, string])[] =>
    rows.filter((row) => row.kind === kind).map(({ id, text }) => [id, text]);
  const epochs = of('generation').flatMap(([, text]) => Object.keys(readGeneration(text).epochs));
  const credentials = of('key').map(([, text]) => readKey(text));
  const now = systemClock.wall();
  const valid = credentials.filter((key) => isValidKey(key, now));
  return {
    executors: [
      ...epochs.map((id) => mintId.executor(id)),
      ...valid.map(({ agent, instance }) => executorId(agent, instance)),
    ],
    declared: declarationsIn(of(declarationKind)),
  };
}

async function asked<T>(question: (gate: SharedArrayBuffer) => ReadQuestion): Promise<T> {
  const gate = new Gate();
  const thread = new Worker(new URL('./reading-thread.js', import.meta.url), { name: 'reading' });
  try {
    const answer = await new Promise<Answer<T>>((resolve) => {
      const failed = (why: string): void => resolve({ ok: false, code: 'refused', message: why });
      thread.on('message', resolve);
      thread.on('error', (error) => failed(reason(error)));
      thread.on('exit', () => failed('the reading thread stopped'));
      thread.postMessage(question(gate.cells), []);
    });
    if (!answer.ok) throw new StoreError(answer.code, answer.message);
    return answer.value;
  } finally {
    // The connection, and with it the file, is let go when the thread has ended.
    gate.shut();
    await thread.terminate();
  }
}
