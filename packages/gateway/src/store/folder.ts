/** The store's folder: what lies where, and the keys in it. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entropy, base32, systemEntropy } from '@pawl/core';
import { StoreError } from './ports.js';

/** Paths inside a store's folder. */
export interface StorePaths {
  readonly folder: string;
  readonly database: string;
  /** Held, by the operating system's file lock, by the one process that writes. */
  readonly lock: string;
  /** The last signed head; never newer than the database. */
  readonly head: string;
  readonly controlSocket: string;
  readonly agentsSocket: string;
  readonly keys: string;
  readonly signingKey: string;
  readonly digestKey: string;
  /** Values that servers are given, one file each. */
  readonly secrets: string;
  /** Tokens with which servers are asked, one file for each principal. */
  readonly tokens: string;
}

/** Where everything of a store lies. Touches nothing. */
export function storePaths(folder: string): StorePaths {
  const keys = join(folder, 'keys');
  return {
    folder,
    database: join(folder, 'pawl.db'),
    lock: join(folder, 'pawl.lock'),
    head: join(folder, 'pawl.head'),
    controlSocket: join(folder, 'control.sock'),
    agentsSocket: join(folder, 'agents.sock'),
    keys,
    signingKey: join(keys, 'head.pem'),
    digestKey: join(keys, 'digest.key'),
    secrets: join(folder, 'secrets'),
    tokens: join(folder, 'tokens'),
  };
}

/**
 * Makes the folders where they are missing and closes them to everybody else (0700). A folder that holds other things than
 * a store is not touched. Throws {@link StoreError} `unwritable`.
 */
export function prepareFolder(paths: StorePaths): void {
  try {
    mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
    const content = readdirSync(paths.folder);
    const foreign = content.length > 0 && !content.includes('pawl.lock');
    if (foreign && isOpen(paths.folder))
      throw new Error('it holds other files and is open to others; name a folder of its own');
    chmodSync(paths.folder, 0o700);
    mkdirSync(paths.keys, { recursive: true, mode: 0o700 });
    chmodSync(paths.keys, 0o700);
  } catch (error) {
    const message = `cannot keep a store in ${paths.folder}: ${reason(error)}`;
    throw new StoreError('unwritable', message, { cause: error });
  }
}

/** Reads a file, or makes it with `make`'s content: complete or not at all, 0600, on the disk when this returns. */
export function readOrMake(path: string, make: () => Uint8Array | string): Uint8Array {
  if (!existsSync(path)) replaceFile(path, make());
  return readFileSync(path);
}

/** Replaces a file in one step: 0600, on the disk when this returns. Throws {@link StoreError} `unwritable`. */
export function replaceFile(
  path: string,
  content: Uint8Array | string,
  entropy: Entropy = systemEntropy,
): void {
  const draft = `${path}.${base32(entropy.bytes(5))}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    throw new StoreError('unwritable', `cannot write ${path}: ${reason(error)}`, { cause: error });
  }
}

/** An error in words. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether group or others have any right on the folder. */
function isOpen(folder: string): boolean {
  return process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0;
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
