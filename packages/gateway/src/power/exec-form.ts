/** The exec power as tools hold it, and what it is made from. */
import type { ExecResult, RunBounds } from './exec-run.js';
import type { FsReader } from './fs-read.js';
import type { NetPower } from './net.js';
import type { PowerPort } from './port.js';
import type { Staging } from './staging.js';

/** What one run is told beside its command. */
export interface ExecWish {
  /** Relative to the first folder, or absolute inside one. Default: the first folder. */
  readonly cwd?: string;
  /** What the program reads. */
  readonly input?: string | Uint8Array;
  /** Aborted: the run is ended. */
  readonly signal?: AbortSignal;
}

/** A power to run programs. */
export interface ExecPower {
  /**
   * Runs a program of the system, or one inside the folders, with these words as they are. Rejects with a DenialError before
   * anything is started: `out_of_scope` (constraint `fs.root`) when the program or a word is a path outside the folders,
   * `malformed_arguments` when the words cannot be read as a command (POLICY section 4), or that of the guard.
   */
  run(argv: readonly [string, ...string[]], wish?: ExecWish): Promise<ExecResult>;
  /** Runs a line of a shell. Otherwise as {@link ExecPower.run}. */
  shell(line: string, wish?: ExecWish): Promise<ExecResult>;
}

/** What an exec power is made from. */
export interface ExecOptions {
  /** Powers that were granted here; their folders are what programs see, at the same paths. At least one. */
  readonly fs: FsReader | readonly FsReader[];
  /** Programs reach the hosts of this power through a proxy. Without it they have no network. */
  readonly net?: NetPower;
  readonly port: PowerPort;
  readonly bounds?: Partial<RunBounds>;
  /** Folders that are made anew for each run. */
  readonly staging?: Staging;
  /** Paths that stay hidden though they lie in the folders, as those of policy and store. */
  readonly hide?: readonly string[];
  /** A folder outside all of that, for the proof at the start. */
  readonly canaryFolder: string;
}
