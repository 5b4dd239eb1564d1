/** Watching the policy and its facts: their folders are watched, and their content decides. */
import { createHash } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What to watch. */
export interface WatchOptions {
  /** Absolute paths of the files, asked for at each look: a document may name other facts later. */
  readonly files: () => readonly string[];
  /** Called once for each content that has come to rest. Never called again before its promise has settled. */
  readonly changed: () => Promise<void>;
  readonly log: (line: string) => void;
  /** Milliseconds that a content has to stay the same: half-written files wait that long. */
  readonly quietMs?: number;
  /** Milliseconds between looks that no event asks for: some file systems send none. */
  readonly pollMs?: number;
}

/** A running watch. */
export interface Watch {
  close(): void;
}

const usualQuietMs = 400;
const usualPollMs = 2000;

/** Starts to watch; what is there now counts as seen. Never throws: what cannot be watched is looked at from time to time. */
export function watchFiles(options: WatchOptions): Watch {
  return new Watcher(options);
}

class Watcher implements Watch {
  readonly #options: WatchOptions;
  readonly #quietMs: number;
  readonly #folders = new Map<string, FSWatcher | undefined>();
  readonly #poll: ReturnType<typeof setInterval>;
  #seen: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working = false;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#quietMs = options.quietMs ?? usualQuietMs;
    this.#seen = this.#content();
    this.#watchFolders();
    this.#poll = setInterval(() => this.#look(), options.pollMs ?? usualPollMs).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher?.close();
    this.#folders.clear();
  }

  /** Something may have changed. */
  #look(): void {
    if (this.#closed || this.#working || this.#timer !== undefined) return;
    const content = this.#content();
    if (content !== this.#seen) this.#wait(content);
  }

  /** Waits until the content stays what it is. */
  #wait(content: string): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const now = this.#content();
      if (now === this.#seen) return;
      if (now === content) void this.#settled(content);
      else this.#wait(now);
    }, this.#quietMs).unref();
  }

  async #settled(content: string): Promise<void> {
    this.#seen = content;
    this.#working = true;
    try {
      await this.#options.changed();
    } catch (error) {
      this.#options.log(`the policy changed and could not be read again: ${String(error)}`);
    } finally {
      this.#working = false;
      this.#watchFolders();
      this.#look();
    }
  }

  /** What the files hold, as one text; a file that cannot be read is a content of its own. */
  #content(): string {
    const hash = createHash('sha256');
    for (const file of this.#options.files()) {
      hash.update(`\n${file}\n`);
      try {
        hash.update(readFileSync(file));
      } catch {
        hash.update('cannot be read');
      }
    }
    return hash.digest('hex');
  }

  #watchFolders(): void {
    if (this.#closed) return;
    const wanted = new Set(this.#options.files().map((file) => dirname(resolve(file))));
    for (const folder of wanted) {
      if (!this.#folders.has(folder)) this.#folders.set(folder, this.#watchFolder(folder));
    }
    for (const [folder, watcher] of this.#folders) {
      if (wanted.has(folder)) continue;
      watcher?.close();
      this.#folders.delete(folder);
    }
  }

  #watchFolder(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#look());
      // A folder that goes away, or too many watches: looks from time to time go on.
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      return undefined;
    }
  }
}
