/** What makes a running daemon read its policy again by itself: a change of a file, and SIGHUP. Neither can widen. */
import type { Reloaded } from '@pawl/core';
import type { Daemon } from './daemon.js';
import { reloadLines } from './reload-text.js';
import { type Watch, watchFiles } from './watch.js';

/** The triggers of one daemon. */
export class Triggers {
  readonly #log: (line: string) => void;
  #daemon: Pick<Daemon, 'reloading'> | undefined;
  #watch: Watch | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Watches from now on. */
  begin(daemon: Pick<Daemon, 'reloading'>): void {
    this.#daemon = daemon;
    this.#watch = watchFiles({
      files: () => daemon.reloading.files(),
      changed: () => this.#reload('watch'),
      log: this.#log,
    });
  }

  /** SIGHUP came; before {@link begin} it is nothing. */
  hangUp(): void {
    void this.#reload('sighup');
  }

  /** Ends watching. */
  close(): void {
    this.#daemon = undefined;
    this.#watch?.close();
  }

  async #reload(trigger: 'watch' | 'sighup'): Promise<void> {
    const answer = await this.#daemon?.reloading.reload({ trigger });
    if (answer !== undefined) for (const line of linesOf(trigger, answer)) this.#log(line);
  }
}

function linesOf(trigger: string, answer: Reloaded): readonly string[] {
  const bad = answer.kind !== 'same' && answer.kind !== 'activated';
  const [first = '', ...rest] = reloadLines(answer);
  return [`${bad ? 'RELOAD NOT DONE' : 'reload'} (${trigger}): ${first}`, ...rest];
}
