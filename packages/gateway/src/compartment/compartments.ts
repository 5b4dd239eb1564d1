/** Compartments of a gateway: each opening gets a process of its own, and one is kept ready for the next. */
import { CompartmentFailure } from './failure.js';
import { type Files, type Modules, loadModules } from './load.js';
import { type Compartment, type Module, opened } from './open.js';
import { Confined, type ProcessBounds } from './process.js';
import type { Powers } from './uses.js';

/** Bounds of one compartment. */
export interface CompartmentBounds extends Pick<ProcessBounds, 'heapMiB' | 'memoryMiB' | 'cpuSeconds'> {
  /** Bytes of one result, as JSON. */
  readonly resultBytes: number;
}

const usualBounds: CompartmentBounds = {
  heapMiB: 128,
  memoryMiB: 512,
  cpuSeconds: 120,
  resultBytes: 1024 * 1024,
};
/** A file of ten MiB in base64, and what stands around it. */
const lineBytes = 16 * 1024 * 1024;
const openMs = 20_000;
const mostOpen = 16;
/** A process that nobody needed for so long is ended. */
const idleMs = 60_000;

/** Loads modules and opens compartments. */
export class Compartments {
  readonly #bounds: CompartmentBounds;
  #ready: Confined | undefined;
  #idle: NodeJS.Timeout | undefined;
  #open = 0;

  constructor(bounds: Partial<CompartmentBounds> = {}) {
    this.#bounds = { ...usualBounds, ...bounds };
  }

  /** As {@link loadModules}; meanwhile a process is made ready to run one. */
  async load(files: Files, entries: readonly string[]): Promise<Modules> {
    this.#prepare();
    return loadModules(files, entries);
  }

  /**
   * Opens a module with these powers and no others: its own code runs. Every opening starts from nothing, so that nothing is left of
   * one in another. Rejects with a CompartmentFailure; throws NoConfinement where memory cannot be bounded.
   */
  async open(module: Module, powers: Powers): Promise<Compartment> {
    if (this.#open >= mostOpen) throw new CompartmentFailure('busy', `${mostOpen} tools run already`);
    this.#open += 1;
    const { resultBytes } = this.#bounds;
    let isOpen = true;
    const closed = (): void => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
    };
    try {
      const compartment = await opened(this.#take(), module, { powers, openMs, resultBytes });
      return Object.freeze({
        call: (...given: Parameters<Compartment['call']>) => compartment.call(...given),
        close: () => {
          closed();
          compartment.close();
        },
      });
    } catch (error) {
      closed();
      throw error;
    } finally {
      this.#prepare();
    }
  }

  /** Ends the process that waits. Open compartments are closed by whoever opened them. */
  close(): void {
    clearTimeout(this.#idle);
    this.#ready?.end('it is no longer needed');
    this.#ready = undefined;
  }

  #take(): Confined {
    const ready = this.#ready?.isOver === false ? this.#ready : this.#start();
    this.#ready = undefined;
    return ready;
  }

  #prepare(): void {
    if (this.#ready?.isOver !== false) this.#ready = this.#start();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), idleMs);
    this.#idle.unref();
  }

  #start(): Confined {
    return new Confined('run', { ...this.#bounds, lineBytes });
  }
}
