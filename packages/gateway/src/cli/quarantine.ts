/** Definitions that wait for an operator: noted as servers list them, and known to status without asking the store. */
import type { Clock, ServerName, ToolDefinition } from '@pawl/core';
import type { PinStore, StoredPin } from '../store/index.js';
import { newlyWaiting } from './pins.js';

/** What it is kept with. */
export interface QuarantineOptions {
  readonly pins: Pick<PinStore, 'list' | 'put'>;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** What waits. Changes nothing that is in force. */
export class Quarantine {
  readonly #options: QuarantineOptions;
  #waiting: readonly StoredPin[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(options: QuarantineOptions) {
    this.#options = options;
  }

  /** In order of server and tool, as of the last change that is known. */
  waiting(): readonly StoredPin[] {
    return this.#waiting;
  }

  /** A server has listed its tools: what is neither in force nor known to wait is stored. Never rejects. */
  noted(server: ServerName, listed: readonly ToolDefinition[]): Promise<void> {
    return this.#inTurn(async () => {
      const { pins } = this.#options;
      const stored = await pins.list(server);
      const accepted = stored.filter(({ state }) => state === 'accepted');
      const digests = new Map(accepted.map(({ tool, digest }) => [tool, digest]));
      await pins.put(newlyWaiting({ server, stored, digests }, listed, this.#options));
    });
  }

  /** Stores what was seen with a generation, and looks what waits now. Never rejects. */
  record(pins: readonly StoredPin[]): Promise<void> {
    return this.#inTurn(() => this.#options.pins.put(pins));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(async () => {
      try {
        await work();
        this.#waiting = (await this.#options.pins.list()).filter(({ state }) => state === 'waiting');
      } catch (error) {
        this.#options.log(`tool definitions could not be recorded: ${String(error)}`);
      }
    });
    this.#last = turn;
    return turn;
  }
}
