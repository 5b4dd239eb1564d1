/** The one cell that says which snapshot is in force, and how many calls still hold an older one. */
import type { Snapshot } from './snapshot.js';

/** A hold on a snapshot; it stays alive until released. */
export interface Pin {
  readonly snapshot: Snapshot;
  /** Gives the hold back; further calls do nothing. */
  release(): void;
}

/** One living generation, for `status`. */
export interface Living {
  readonly snapshot: Snapshot;
  /** Calls that hold it. */
  readonly pins: number;
}

/** Reading the cell. Only `reload` has the other half, which moves it. */
export interface Current {
  /** The snapshot in force, or undefined while there is none: then nothing is admitted. One atomic read. */
  peek(): Snapshot | undefined;
  /** Loads the pointer once and holds what it points at. */
  pin(): Pin | undefined;
  /** The snapshot in force and every older one that a call still holds, newest first. */
  living(): readonly Living[];
}
