/** The fs power: one folder, walked by descriptor, never left. */
import { stopsWithTurns } from '@pawl/core';
import { type FsBounds, type FsReader, reader } from './fs-read.js';
import { type FsRoot, type RootOptions, openRoot } from './fs-root.js';
import { type FsWriter, writer } from './fs-write.js';
import type { Grant } from './port.js';

/** A power over one folder that may be changed. */
export type WritableFs = FsReader & FsWriter;

/** What an fs power is made from. */
export interface FsOptions extends RootOptions {
  readonly bounds?: Partial<FsBounds>;
}

const usualBounds: FsBounds = { fileBytes: 10 * 1024 * 1024, entries: 100_000 };

/** The folder behind a power, for powers that are made of it. */
interface FsFacts {
  readonly root: FsRoot;
  readonly writable: boolean;
}

const facts = new WeakMap<object, FsFacts>();

/**
 * Grants the reading verbs on a folder: `read`, `readText`, `list`, `stat`, `search`. Rejects with NoConfinement where the
 * walk is not to be had. Verbs reject with a DenialError (`out_of_scope`, constraint `fs.root`) for whatever is outside, with
 * the denial of the guard, and with a PowerFailure for what did not work; no text names a path of the host.
 */
export async function grantReadFs(options: FsOptions): Promise<Grant<FsReader>> {
  return granted(options, (root, bounds) => reader(root, bounds), false);
}

/** Grants the changing verbs too: `write`, `mkdir`, `remove`, `move`. Otherwise as {@link grantReadFs}. */
export async function grantFs(options: FsOptions): Promise<Grant<WritableFs>> {
  return granted(options, (root, bounds) => ({ ...reader(root, bounds), ...writer(root, bounds) }), true);
}

async function granted<Power extends FsReader>(
  options: FsOptions,
  make: (root: FsRoot, bounds: FsBounds) => Power,
  writable: boolean,
): Promise<Grant<Power>> {
  const root = await openRoot(options);
  const bounds = { ...usualBounds, ...options.bounds };
  const power = Object.freeze(make(root, bounds));
  stopsWithTurns(power, (turn) => Object.freeze(make(root.within(turn), bounds)));
  facts.set(power, { root, writable });
  return Object.freeze({ power, revoke: () => root.revoke() });
}

/** The folder of a power that was granted here; undefined for anything else. */
export function fsFacts(power: FsReader): FsFacts | undefined {
  return facts.get(power);
}
