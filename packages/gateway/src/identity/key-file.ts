/** Key files: what `pawl connect` reads to know where the gateway listens and what to present there. */
import { chmodSync, closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { isJsonObject, own, parseJson } from '@pawl/core';
import { keyIdOf } from './key.js';

/** The content of a key file. */
export interface KeyFile {
  /** `pk_<id>_<secret>`. */
  readonly key: string;
  /** Absolute path of the agents socket. */
  readonly agents: string;
  /** The gateway's HTTP endpoint, where it has one. */
  readonly url?: string;
}

/** A key file, or why it cannot be used. */
export type KeyFileResult =
  | { readonly ok: true; readonly file: KeyFile }
  | { readonly ok: false; readonly why: string };

/** The text of a key file, with a line end. */
export function printKeyFile(file: KeyFile): string {
  const members = { pawl: 1, key: file.key, agents: file.agents };
  return `${JSON.stringify(file.url === undefined ? members : { ...members, url: file.url }, null, 2)}\n`;
}

/** Reads the text of a key file; never echoes the key in `why`. */
export function parseKeyFile(text: string): KeyFileResult {
  const read = parseJson(text);
  const value = read.ok ? read.value : undefined;
  if (!isJsonObject(value) || own(value, 'pawl') !== 1) return no('it is no key file of this version');
  const key = own(value, 'key');
  const agents = own(value, 'agents');
  const url = own(value, 'url');
  if (typeof key !== 'string' || keyIdOf(key) === undefined) return no('its key is malformed');
  if (typeof agents !== 'string' || !agents.startsWith('/')) return no('it names no agents socket');
  if (url !== undefined && typeof url !== 'string') return no('its url is no text');
  return { ok: true, file: url === undefined ? { key, agents } : { key, agents, url } };
}

/** Writes a key file that only its owner can read (0600), also over one that others could. */
export function writeKeyFile(path: string, file: KeyFile): void {
  writeFileSync(path, printKeyFile(file), { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Reads a key file; refuses one that group or others have any right on. */
export function readKeyFile(path: string): KeyFileResult {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const { mode } = fstatSync(descriptor);
      if ((mode & 0o077) !== 0) return no(`others can read it; run: chmod 600 ${path}`);
      return parseKeyFile(readFileSync(descriptor, 'utf8'));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return no(code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${code}`);
  }
}

function no(why: string): KeyFileResult {
  return { ok: false, why };
}
