/** The agents socket: where `pawl connect` presents a key and then speaks frames. */
import { chmodSync, rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { isJsonObject, own, parseJsonBytes } from '@pawl/core';
import type { Credential } from '../../identity/index.js';
import type { Caller } from '../call.js';
import type { Gate } from '../gate.js';
import type { Implementation } from '../meta.js';
import { type LineConnection, serveLines } from './lines.js';

/** What the socket is made from. */
export interface AgentsOptions {
  /** Absolute path, in a folder that only its owner enters. */
  readonly path: string;
  readonly gate: Gate;
  readonly caller: Caller;
  readonly self: Implementation;
  readonly instructions?: string;
  /** Whom the presented key stands for. */
  readonly authenticate: (key: string) => Credential | undefined;
}

/** A listening agents socket. */
export interface AgentsSocket {
  /** Stops listening, ends every connection and removes the socket. */
  close(): Promise<void>;
}

/** First line of a client, `{"pawl":1,"key":…}`, at most this many bytes and within this many milliseconds. */
const longestGreeting = 4096;
const greetingMs = 5000;

/** Listens; rejects when another process listens there. A socket that a dead process left is replaced. */
export async function listenAgents(options: AgentsOptions): Promise<AgentsSocket> {
  if (await answers(options.path)) throw new Error(`another gateway listens on ${options.path}`);
  rmSync(options.path, { force: true });
  const connections = new Set<Socket>();
  const served = new Set<LineConnection>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    greet(socket, (key) => {
      try {
        admit(options, socket, key, served);
      } catch {
        turnAway(socket, 'the gateway failed');
      }
    });
  });
  await listening(server, options.path);
  chmodSync(options.path, 0o600);
  return { close: () => closed(server, served, connections) };
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function closed(server: Server, served: Set<LineConnection>, connections: Set<Socket>): Promise<void> {
  const gone = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.all([...served].map((connection) => connection.close()));
  for (const socket of connections) socket.destroySoon();
  await gone;
}

/** Reads the greeting and hands on the presented key; what follows it stays in the socket. */
function greet(socket: Socket, presented: (key: string | undefined) => void): void {
  let held = Buffer.alloc(0);
  const timer = setTimeout(() => done(undefined, 0), greetingMs);
  const read = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(0x0a);
    if (end >= 0) done(keyIn(held.subarray(0, end)), end + 1);
    else if (held.length > longestGreeting) done(undefined, held.length);
  };
  const done = (key: string | undefined, used: number): void => {
    clearTimeout(timer);
    socket.pause();
    socket.off('data', read);
    const rest = held.subarray(used);
    if (rest.length > 0) socket.unshift(rest);
    presented(key);
  };
  socket.on('data', read);
  socket.once('close', () => clearTimeout(timer));
}

function keyIn(line: Uint8Array): string | undefined {
  const read = parseJsonBytes(line);
  if (!read.ok || !isJsonObject(read.value) || own(read.value, 'pawl') !== 1) return undefined;
  const key = own(read.value, 'key');
  return typeof key === 'string' ? key : undefined;
}

function admit(
  options: AgentsOptions,
  socket: Socket,
  key: string | undefined,
  served: Set<LineConnection>,
): void {
  const credential = key === undefined ? undefined : options.authenticate(key);
  if (credential === undefined) return turnAway(socket, 'the key is not known here, or was revoked');
  const { gate, caller, self, instructions } = options;
  const first = gate.openSession(credential, true);
  if ('kind' in first) return turnAway(socket, first.message);
  let session = first.id;
  const connection = serveLines({
    gate,
    caller,
    self,
    get session() {
      const opened = gate.openSession(credential);
      if (!('kind' in opened)) session = opened.id;
      return session;
    },
    input: socket,
    output: socket,
    ...(instructions === undefined ? {} : { instructions }),
  });
  served.add(connection);
  void connection.closed.then(() => {
    served.delete(connection);
    socket.destroySoon();
  });
}

function turnAway(socket: Socket, error: string): void {
  socket.resume();
  socket.end(`${JSON.stringify({ pawl: 1, error })}\n`, () => socket.destroySoon());
}
