/** `pawl connect`: copies frames between stdio and the agents socket, and nothing else. */
import { type Socket, connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { isJsonObject, own, parseJsonBytes } from '@pawl/core';

/** What the shim is made from. */
export interface ShimOptions {
  /** Path of the agents socket. */
  readonly socket: string;
  readonly key: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Takes one line for people, without a line end. */
  readonly complain: (line: string) => void;
}

const lineFeed = 0x0a;

/**
 * Presents the key, then copies bytes both ways until either side ends. Settles with an exit code: 0 when the client ended, 1 when
 * the gateway is not there, turned the key away or ended; then one line says which.
 */
export function runShim({ socket: path, key, input, output, complain }: ShimOptions): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    let ended = false;
    const finish = (code: number, line?: string): void => {
      if (line !== undefined) complain(`pawl connect: ${line}`);
      socket.destroy();
      resolve(code);
    };
    socket.once('error', (error) => finish(1, unreachable(error, path)));
    input.once('end', () => {
      ended = true;
    });
    output.once('error', () => finish(0));
    socket.once('connect', () => {
      socket.write(`${JSON.stringify({ pawl: 1, key })}\n`);
      input.pipe(socket);
    });
    firstChunk(socket, output, (refusal) => {
      socket.once('end', () => {
        if (refusal !== undefined) finish(1, refusal);
        else finish(ended ? 0 : 1, ended ? undefined : 'the gateway ended the connection');
      });
    });
  });
}

/** Copies what the gateway says, unless its first line is a refusal, which is handed to `known` instead. */
function firstChunk(socket: Socket, output: Writable, known: (refusal: string | undefined) => void): void {
  let held = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(lineFeed);
    if (end < 0 && held.length < 4096) return;
    socket.off('data', read);
    const refusal = end < 0 ? undefined : refusalIn(held.subarray(0, end));
    known(refusal);
    if (refusal !== undefined) return void socket.resume();
    output.write(held);
    socket.pipe(output, { end: false });
  };
  socket.on('data', read);
  socket.once('end', () => {
    if (socket.listeners('data').includes(read)) known(undefined);
  });
}

function refusalIn(line: Uint8Array): string | undefined {
  const read = parseJsonBytes(line);
  if (!read.ok || !isJsonObject(read.value) || own(read.value, 'pawl') !== 1) return undefined;
  const error = own(read.value, 'error');
  return typeof error === 'string' ? error : undefined;
}

function unreachable(error: Error & { code?: string }, path: string): string {
  const { code } = error;
  if (code === 'ENOENT' || code === 'ECONNREFUSED')
    return `no gateway listens on ${path}; start it with: pawl run`;
  return `the gateway at ${path} cannot be reached (${code ?? error.message})`;
}
