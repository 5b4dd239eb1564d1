/** Processes of the system, read from /proc. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Whether processes can be read here. */
export const hasProc: boolean = existsSync('/proc/self/task');

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter((word) => word !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** Everything that a process has started and that still runs, at any depth. */
export function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Those of the processes that still run; one that has ended and only waits to be read does not. */
export function running(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => {
    try {
      return !/^State:\s+[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}
