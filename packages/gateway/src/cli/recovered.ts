/** Waiting for a server that died in a call, before that call is sent once more. */
import { type Located, splitToolName } from '@pawl/core';
import type { RunningServer } from './servers.js';

/** Longest wait for a process to be up again, in milliseconds. */
const longestMs = 10_000;

/** Settles when the principal's own process of the server behind a tool is up, `signal` aborts, or the wait was long enough. */
export function recovered(
  servers: readonly RunningServer[],
  { mount, session }: Located,
  signal: AbortSignal,
): Promise<void> {
  const { server } = splitToolName(mount.tool);
  const supervised = servers.find(({ name }) => name === server)?.supervisor?.of(session.executor);
  if (supervised === undefined || supervised.state === 'up' || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, longestMs);
    const stop = supervised.onUp(end);
    signal.addEventListener('abort', end);
  });
}
