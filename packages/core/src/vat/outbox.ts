/** Messages of turns that have succeeded: they leave in the order of sending, after the step in which the turn ended. */
import type { Letter } from './letter.js';
import { type Ref, deliver } from './ref.js';

/** A message and where it goes. */
export interface Outgoing {
  readonly to: Ref;
  readonly letter: Letter;
}

let leaving: Outgoing[] = [];

/** Lets them leave. */
export function leave(outbox: readonly Outgoing[]): void {
  if (leaving.length === 0) void Promise.resolve().then(flush);
  for (const one of outbox) leaving.push(one);
}

function flush(): void {
  const now = leaving;
  leaving = [];
  for (const { to, letter } of now) deliver(to, letter);
}
