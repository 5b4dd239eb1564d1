/** What measuring took, client and servers in the same process included. */

/** Calls, and what each took. */
export interface Cost {
  readonly sessions: number;
  readonly calls: number;
  /** Milliseconds of CPU a call, all threads of the process. */
  readonly cpu: number;
  /** Seconds that passed. */
  readonly seconds: number;
}

/** Counts sessions and calls, and the CPU of this process while it does. */
export class CostMeter {
  readonly #began = performance.now();
  readonly #cpu = process.cpuUsage();
  sessions = 0;
  calls = 0;

  cost(): Cost {
    const { user, system } = process.cpuUsage(this.#cpu);
    const { sessions, calls } = this;
    return {
      sessions,
      calls,
      cpu: (user + system) / 1000 / Math.max(1, calls),
      seconds: (performance.now() - this.#began) / 1000,
    };
  }
}
