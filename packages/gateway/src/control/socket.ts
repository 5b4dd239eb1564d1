/** The control socket: who can open it is the operator, so only its owner can. */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { type Server as NetServer, connect } from 'node:net';
import { dirname } from 'node:path';
import type { Operations } from './operations.js';
import { type Patience, controlServer } from './server.js';
import { fitsSocket, longestSocketPath } from './socket-path.js';

/** What the socket is made from. */
export interface ControlOptions {
  /** Absolute path in a folder that only its owner enters (0700). */
  readonly path: string;
  readonly operations: Operations;
  /** Told of a mistake of Pawl's own. */
  readonly failed?: (error: unknown) => void;
  readonly patience?: Patience;
}

/** A listening control socket. */
export interface ControlSocket {
  /** Stops listening, cuts what is open and removes the socket. */
  close(): Promise<void>;
}

/** The socket cannot be opened. */
class ControlSocketError extends Error {
  override readonly name = 'ControlSocketError';
}

/**
 * Listens on the path. A socket that a dead daemon left is replaced. Rejects, in words for operators, when somebody
 * listens there, something else lies there, the folder is open to others, or the path is too long.
 */
export async function listenControl(options: ControlOptions): Promise<ControlSocket> {
  const { path, ...served } = options;
  assertPrivate(path);
  await clearPath(path);
  const server = controlServer({ ...served, role: 'operator' });
  await listening(server, path);
  chmodSync(path, 0o600);
  let closing: Promise<void> | undefined;
  return {
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

function assertPrivate(path: string): void {
  if (!fitsSocket(path))
    throw new ControlSocketError(
      `the path of ${path} is longer than ${longestSocketPath} bytes; choose a shorter store folder`,
    );
  const folder = dirname(path);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true)
    throw new ControlSocketError(`${folder} is a link; name the folder that it leads to`);
  if (found?.isDirectory() !== true) throw new ControlSocketError(`there is no folder ${folder}`);
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new ControlSocketError(`others can enter ${folder}; run: chmod 700 ${folder}`);
}

async function clearPath(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new ControlSocketError(`${path} is there and is no socket`);
  if (await answers(path)) throw new ControlSocketError(`another daemon listens on ${path}`);
  rmSync(path, { force: true });
}

/** Whether somebody listens; anything but a plain refusal counts as somebody. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

function listening(server: NetServer, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
