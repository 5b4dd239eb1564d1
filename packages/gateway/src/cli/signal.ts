/** Signals: waiting to be stopped, and being told to read the policy again. */

/**
 * Settles at the first SIGINT or SIGTERM, and at SIGHUP where nobody reloads; a second one ends the process at once.
 * `reload` is called at each SIGHUP.
 */
export function untilSignal(reload?: () => void): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
    process.on('SIGHUP', reload ?? stop);
  });
}
