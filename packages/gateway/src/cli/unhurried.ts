/** Doing long work between calls: a slice, then whatever waits, then the next slice. */
import { setImmediate } from 'node:timers/promises';
import type { Work } from '@pawl/core';

/** Longest slice, in milliseconds; one step of the work may exceed it. */
const sliceMs = 2;

/** Does the work; calls that come in meanwhile wait for a slice of it and no longer. */
export async function unhurried<T>(work: Work<T>): Promise<T> {
  let until = performance.now() + sliceMs;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + sliceMs;
  }
}
