/** The thread that a SQLite store is written in. One message in, one answer out, in order. */
import { parentPort } from 'node:worker_threads';
import { systemClock, systemEntropy } from '@pawl/core';
import { type Gatekeeper, gatekeeper } from './gate.js';
import { type Question, type Yields, answerTo } from './message.js';
import { type HeldWriter, openWriter } from './open-writer.js';
import { StoreError } from './ports.js';
import type { Writer } from './writer.js';

/** The last head is signed at the latest this long after it was written. */
const signAfterMilliseconds = 1000;

const port = parentPort;
let held: HeldWriter | undefined;
let keeper: Gatekeeper | undefined;
let timer: NodeJS.Timeout | undefined;

function perform(question: Question): Yields[Question['ask']] {
  if (question.ask === 'open') {
    held ??= openWriter(question.folder, { clock: systemClock, entropy: systemEntropy });
    return held.writer.opened();
  }
  if (question.ask === 'commit') return writer().commit(question.entries);
  if (question.ask === 'records') return writer().queries.records(question.query);
  if (question.ask === 'row') return writer().queries.row(question.kind, question.id) ?? null;
  if (question.ask === 'probe') writer().probe();
  if (question.ask === 'close') close();
  return null;
}

function writer(): Writer {
  if (held === undefined) throw new StoreError('closed', 'the store is closed');
  return held.writer;
}

function close(): void {
  const open = held;
  held = undefined;
  clearTimeout(timer);
  try {
    open?.writer.close();
  } finally {
    open?.lock.release();
  }
}

function signSoon(): void {
  if (timer !== undefined || held?.writer.unsigned !== true) return;
  timer = setTimeout(() => {
    timer = undefined;
    try {
      keeper?.pass(() => held?.writer.signHead());
    } catch {
      // The next batch meets the same trouble, tells the front, and is signed when it heals.
    }
  }, signAfterMilliseconds);
}

port?.on('message', (question: Question) => {
  if (question.ask === 'open') keeper = gatekeeper(question.gate);
  port.postMessage(keeper?.pass(() => answerTo(() => perform(question))));
  signSoon();
});
