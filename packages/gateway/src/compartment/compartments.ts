/** Compartments of a gateway: each opening gets a process of its own, and one is kept ready for the next. */
import { type Files, type Modules, loadModules } from './load.js';
import { type Compartment, type Module, opened } from './open.js';
import { Places } from './places.js';
import { Confined, type ProcessBounds } from './process.js';
import type { Powers } from './uses.js';

/** Bounds of one compartment. */
export interface CompartmentBounds extends Pick<ProcessBounds, 'heapMiB' | 'memoryMiB' | 'cpuSeconds'> {
  /** Bytes of one result, as JSON. */
  readonly resultBytes: number;
  /** Milliseconds that an opening waits for a place when as many are open as may be. */
  readonly waitMs: number;
}

const usualBounds: CompartmentBounds = {
  heapMiB: 128,
  memoryMiB: 512,
  cpuSeconds: 120,
  resultBytes: 1024 * 1024,
  waitMs: 10_000,
};
/** A file of ten MiB in base64, and what stands around it. */
const lineBytes = 16 * 1024 * 1024;
const openMs = 20_000;
const mostOpen = 16;
/** A process that nobody needed for so long is ended. */
const idleMs = 60_000;

/** What may go with an opening. */
export interface OpenOptions {
  /** Aborted before it is open: it is ended. */
  readonly signal?: AbortSignal;
  /** What {@link Compartments.room} gave; the opening gives it back. */
  readonly room?: () => void;
}

/** Loads modules and opens compartments. */
export class Compartments {
  readonly #bounds: CompartmentBounds;
  #ready: Confined | undefined;
  readonly #places: Places;
  #idle: NodeJS.Timeout | undefined;

  constructor(bounds: Partial<CompartmentBounds> = {}) {
    this.#bounds = { ...usualBounds, ...bounds };
    this.#places = new Places({ most: mostOpen, waitMs: this.#bounds.waitMs });
  }

  /** As {@link loadModules}; meanwhile a process is made ready to run one. */
  async load(files: Files, entries: readonly string[]): Promise<Modules> {
    this.#prepare();
    return loadModules(files, entries);
  }

  /** Waits until one more may be open; {@link open} takes what this gives. Rejects with a CompartmentFailure, `busy` or `closed`. */
  room(signal?: AbortSignal): Promise<() => void> {
    return this.#places.take(signal);
  }

  /**
   * Opens a module with these powers and no others: its own code runs. Every opening starts from nothing, so that nothing is left of
   * one in another. Waits for its turn where as many are open as may be. Rejects with a CompartmentFailure, `closed` when the signal
   * is aborted before it is open; throws NoConfinement where memory cannot be bounded.
   */
  async open(module: Module, powers: Powers, { signal, room }: OpenOptions = {}): Promise<Compartment> {
    const leave = room ?? (await this.#places.take(signal));
    const { resultBytes } = this.#bounds;
    try {
      const wish = { powers, openMs, resultBytes, ...(signal !== undefined && { signal }) };
      const compartment = await opened(this.#take(), module, wish);
      return Object.freeze({
        call: (...given: Parameters<Compartment['call']>) => compartment.call(...given),
        close: () => {
          compartment.close();
          leave();
        },
      });
    } catch (error) {
      leave();
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
