/** Descriptors that a started process would inherit although nobody meant it to. */
import { readFileSync, readdirSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;
const mostDescriptors = 4096;

/**
 * What goes behind `stdio` so that a process gets nothing but those: whoever started Pawl may have left descriptors open, and
 * a file or socket that is open reaches through every sandbox. Each of them becomes an empty file in the process.
 */
export function closedBeyond<T>(stdio: readonly T[]): readonly (T | 'ignore')[] {
  const last = Math.max(...inherited(), stdio.length - 1);
  return [...stdio, ...Array.from({ length: last + 1 - stdio.length }, () => 'ignore' as const)];
}

/** Descriptors of this process that are not closed when another program is started. */
function inherited(): readonly number[] {
  try {
    return readdirSync('/proc/self/fdinfo').map(Number).filter(isInherited);
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  if (fd > mostDescriptors) return false;
  try {
    const flags = /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
}
