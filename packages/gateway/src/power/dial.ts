/** Connecting to a host that is granted: the address that is dialled is the one that was judged, and it is judged again before any byte. */
import { lookup as systemLookup } from 'node:dns/promises';
import { type Socket, connect, isIP } from 'node:net';
import type { HostGrant } from '@pawl/core';
import { PowerFailure, outOfScope, shown, systemCode } from './refusal.js';

/** All addresses of a name. Rejects with the system's error. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** What may be dialled, and how. */
export interface DialOptions {
  readonly hosts: HostGrant;
  readonly lookup: Lookup;
  /** Aborted: the connection is not wanted, or not allowed any more. */
  readonly signal: AbortSignal;
  /** Milliseconds for one address. */
  readonly attemptMs: number;
}

/** Addresses as the system finds them, its files included, in its order. */
export const lookupAll: Lookup = async (name) =>
  (await systemLookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Most addresses of one name that are tried. */
const mostAddresses = 8;

/**
 * Connects to a host: a name that is looked up once, or an address. Of several addresses those that may be dialled are tried in
 * order. Rejects with a denial (constraint `net.hosts`) when the host is not granted or none of its addresses may be dialled,
 * else with a PowerFailure.
 */
export async function dial(host: string, port: number, options: DialOptions): Promise<Socket> {
  const { hosts, signal } = options;
  judgeHost(host, hosts);
  const addresses = await addressesOf(host, options);
  const open = addresses.filter((address) => hosts.dialled(address));
  if (open.length === 0) throw leadsInside(host);
  let last: unknown;
  for (const address of open.slice(0, mostAddresses)) {
    signal.throwIfAborted();
    try {
      return await connected(address, port, options);
    } catch (error) {
      if (!(error instanceof Error) || systemCode(error) === 'out_of_scope') throw error;
      last = error;
    }
  }
  throw new PowerFailure(
    'unreachable',
    `${shown(host)} cannot be reached (${systemCode(last) || 'no answer'})`,
  );
}

/** Throws a denial for a host that is not granted. */
export function judgeHost(host: string, hosts: HostGrant): void {
  if (!hosts.called(host)) {
    throw outOfScope('net.hosts', `${shown(host)} is not among the hosts of this tool`);
  }
}

async function addressesOf(host: string, { lookup }: DialOptions): Promise<readonly string[]> {
  const literal = literalIn(host);
  if (literal !== undefined) return [literal];
  try {
    return (await lookup(host)).filter((address) => isIP(address) !== 0);
  } catch (error) {
    throw new PowerFailure(
      'unreachable',
      `${shown(host)} has no address (${systemCode(error) || 'unknown'})`,
    );
  }
}

/** The address that a host is in whatever spelling, as the system is told it; undefined for a name. */
function literalIn(host: string): string | undefined {
  const bare = (text: string): string => text.replaceAll(/^\[|\]$/gu, '');
  if (isIP(bare(host)) === 6) return bare(host);
  const read = URL.canParse(`http://${host}/`) ? bare(new URL(`http://${host}/`).hostname) : '';
  return isIP(read) === 0 ? undefined : read;
}

function leadsInside(host: string): Error {
  return outOfScope('net.hosts', `${shown(host)} leads to an address that this tool may not connect to`);
}

function connected(address: string, port: number, options: DialOptions): Promise<Socket> {
  const { hosts, signal, attemptMs } = options;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, autoSelectFamily: false, lookup: noLookup });
    const timer = setTimeout(() => fail(new PowerFailure('timeout', 'the host does not answer')), attemptMs);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      socket.removeListener('error', fail);
    };
    const fail = (error: unknown): void => {
      settle();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error instanceof Error ? error : new Error('aborted'));
    };
    const aborted = (): void => fail(signal.reason);
    signal.addEventListener('abort', aborted);
    socket.once('error', fail);
    socket.once('connect', () => {
      // INVARIANT(P.powers.net): nothing is written to a connection whose other end was not judged.
      if (!hosts.dialled(socket.remoteAddress ?? '')) return fail(leadsInside(address));
      settle();
      resolve(socket);
    });
  });
}

/** What is dialled is always an address; a name here would be one that nobody judged. */
function noLookup(_host: string, _options: unknown, callback: (error: Error, address: string) => void): void {
  callback(new PowerFailure('unreachable', 'a name was to be looked up while connecting'), '');
}
