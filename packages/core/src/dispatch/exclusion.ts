/** Which calls must not run beside each other: one of them writes, and their accesses meet. */
import { type Access, isReading, overlap } from '../authority/index.js';
import type { Alarm } from '../ground/index.js';
import { Exclusion } from '../vat/index.js';

/** Exclusion by the accesses of calls. Reading and listing change nothing; every other verb may. */
export function accessExclusion(alarm: Alarm): Exclusion<readonly Access[]> {
  return new Exclusion({ alarm, meet });
}

/** Whether a call may change anything. */
export function writes(accesses: readonly Access[]): boolean {
  return !accesses.every(isReading);
}

function meet(some: readonly Access[], others: readonly Access[]): boolean {
  return some.some((one) => others.some((other) => overlap(one, other)));
}
