/** Where sockets of egress proxies are: one folder, so that no sandbox shows the proxy of another. */
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@pawl/core';

/** Makes the folder if need be, for this user alone. Throws a UsageError when somebody else made it, or it is no folder. */
export function egressFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `pawl-egress-${uid}`);
  mkdirSync(folder, { mode: 0o700, recursive: true });
  const stats = lstatSync(folder);
  if (stats.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0) return folder;
  throw new UsageError(`${folder} is not this user's own: remove it, or set TMPDIR to a folder of your own`);
}
