/** The file that a fresh key goes into: reserved before the key is stored, so that no key is issued that nobody holds. */
import { closeSync, fchmodSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { type KeyFile, printKeyFile } from '../identity/index.js';

/** A new, empty file that only its owner can read. */
export interface ReservedFile {
  /** Writes the key file and closes it; throws when the disk takes it not. */
  write(file: KeyFile): void;
  /** As {@link write}, with another text. */
  writeText(text: string): void;
  /** Removes the file. */
  drop(): void;
}

/** Reserves the path; a text says why not. A file or link that is there, whatever it holds, is never touched. */
export function reserveKeyFile(path: string): ReservedFile | string {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be written';
    if (code === 'ENOENT') return `${path} cannot be made: there is no such folder`;
    return code === 'EEXIST' ? `${path} exists; name a new file` : `${path} cannot be made: ${code}`;
  }
  fchmodSync(descriptor, 0o600);
  let open = true;
  const close = (): void => {
    if (open) closeSync(descriptor);
    open = false;
  };
  const whole = (text: string): void => {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    close();
  };
  return {
    write: (file) => whole(printKeyFile(file)),
    writeText: whole,
    drop: () => {
      close();
      rmSync(path, { force: true });
    },
  };
}
