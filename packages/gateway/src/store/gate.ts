/**
 * Keeps a thread from being ended in the middle of a statement, which the binding answers by aborting the process: the thread
 * says when it works, and whoever ends it, the end of the process included, first waits until it does not.
 */

/** Longest wait for a statement to end. */
const patience = 5000;
const [busy, shut] = [0, 1];

/** The thread's side of a gate. */
export interface Gatekeeper {
  /** Runs `work`, unless the gate is shut: then the thread stands still until it is ended. */
  pass<T>(work: () => T): T;
}

/** The gate, as the thread behind it sees it. `cells` comes from {@link Gate.cells}. */
export function gatekeeper(cells: SharedArrayBuffer): Gatekeeper {
  const state = new Int32Array(cells);
  const leave = (): void => {
    Atomics.store(state, busy, 0);
    Atomics.notify(state, busy);
  };
  return {
    pass: (work) => {
      Atomics.store(state, busy, 1);
      if (Atomics.load(state, shut) === 1) {
        leave();
        Atomics.wait(state, shut, 1);
      }
      try {
        return work();
      } finally {
        leave();
      }
    },
  };
}

/** The side that ends the thread. */
export class Gate {
  /** To be handed to the thread. */
  readonly cells: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  readonly #state = new Int32Array(this.cells);

  constructor() {
    if (open.size === 0) process.on('exit', shutAll);
    open.add(this);
  }

  /** Waits until the thread does not work, and lets it do nothing any more. It may be ended then. */
  shut(): void {
    Atomics.store(this.#state, shut, 1);
    if (Atomics.load(this.#state, busy) === 1) Atomics.wait(this.#state, busy, 1, patience);
    open.delete(this);
    if (open.size === 0) process.off('exit', shutAll);
  }
}

const open = new Set<Gate>();

function shutAll(): void {
  for (const gate of open) gate.shut();
}
