/** The one way out of a sandbox: a proxy on a socket of its own, which connects to granted hosts only. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { CapError } from '@pawl/core';
import { egressFolder } from '../sandbox/index.js';
import { type DialOptions, dial } from './dial.js';
import type { NetFacts } from './net.js';
import { outOfScope } from './refusal.js';

/** A proxy that listens. */
export interface Egress {
  /** The path of its socket, in a folder that only this user may enter. */
  readonly socket: string;
  /** Breaks off what goes through it; settles when it is gone. */
  close(): Promise<void>;
}

const attemptMs = 10_000;
const mostConnections = 64;

/**
 * Opens a proxy for what may be dialled. It speaks HTTP: CONNECT for connections, and requests with absolute urls. Each use asks
 * the guard; a host or an address that is not granted is answered 403 and never connected to.
 */
export async function openEgress(net: NetFacts): Promise<Egress> {
  const folder = mkdtempSync(join(egressFolder(), 'proxy-'));
  const socket = join(folder, 'egress.sock');
  const sockets = new Set<Duplex>();
  const server = createServer((message, response) => void forward(net, message, response));
  server.maxConnections = mostConnections;
  server.on('connection', (near: Socket) => track(sockets, near));
  server.on('connect', (message: IncomingMessage, near: Duplex, head: Buffer) => {
    void tunnel(net, message, { near, head, sockets });
  });
  server.listen(socket);
  await once(server, 'listening');
  const close = (): Promise<void> => closed(server, sockets, folder);
  net.signal.addEventListener('abort', () => void close(), { once: true });
  return Object.freeze({ socket, close });
}

function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => sockets.delete(socket));
}

async function closed(server: Server, sockets: Set<Duplex>, folder: string): Promise<void> {
  const gone = server.listening ? once(server, 'close') : undefined;
  server.close();
  for (const socket of sockets) socket.destroy();
  await gone;
  rmSync(folder, { recursive: true, force: true });
}

/** A tunnel reaches everything at its other end: it needs the whole of what is there. */
function judgeOrigin({ judge }: NetFacts, origin: string): void {
  if (judge === undefined) return;
  if (!judge.permitsOrigin(`https://${origin}`) && !judge.permitsOrigin(`http://${origin}`))
    throw notGranted();
}

function notGranted(): Error {
  return outOfScope('net.hosts', 'the url is not among those of this tool');
}

function dialled(net: NetFacts, host: string, port: number): Promise<Socket> {
  net.guard();
  const options: DialOptions = { ...net, attemptMs };
  return dial(host, port, options);
}

/** What was asked for, and the end that asked. */
interface Tunnel {
  readonly near: Duplex;
  readonly head: Buffer;
  readonly sockets: Set<Duplex>;
}

async function tunnel(
  net: NetFacts,
  { url }: IncomingMessage,
  { near, head, sockets }: Tunnel,
): Promise<void> {
  near.on('error', () => undefined);
  const [, host, port] = /^(\[[\da-fA-F:.]+\]|[^\s:/?#@[\]]+):(\d{1,5})$/u.exec(url ?? '') ?? [];
  if (host === undefined) return void near.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  try {
    judgeOrigin(net, `${host}:${Number(port)}`);
    const far = await dialled(net, host, Number(port));
    track(sockets, far);
    if (near.destroyed) return void far.destroy();
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    far.write(head);
    near.pipe(far);
    far.pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  } catch (error) {
    near.end(`HTTP/1.1 ${statusOf(error)}\r\nconnection: close\r\n\r\n`);
  }
  return undefined;
}

async function forward(net: NetFacts, message: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = new URL(message.url ?? '');
    if (url.protocol !== 'http:') throw new TypeError('no http');
    if (net.judge?.permitsUrl(url.href) === false) throw notGranted();
    const far = await dialled(net, url.hostname, url.port === '' ? 80 : Number(url.port));
    const {
      'proxy-connection': _connection,
      'proxy-authorization': _authorization,
      ...headers
    } = message.headers;
    const onward = request({
      createConnection: () => far,
      method: message.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: 'close' },
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    message.pipe(onward);
  } catch (error) {
    response.writeHead(Number.parseInt(statusOf(error), 10), { connection: 'close' });
    response.end();
  }
}

function statusOf(error: unknown): string {
  if (error instanceof TypeError) return '400 Bad Request';
  return error instanceof CapError ? '403 Forbidden' : '502 Bad Gateway';
}
