/** CPU of other processes. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Whether the CPU of another process can be read here: on Linux. */
export const cpuIsReadable: boolean = existsSync('/proc/self/schedstat');

/**
 * Milliseconds of CPU that a process has used: the sum over its living threads, none of its children. A thread that ends
 * takes its share away; no thread of a front does.
 */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}
