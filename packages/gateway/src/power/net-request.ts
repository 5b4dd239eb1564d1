/** Requests of the net power: what a tool may say, and what becomes of it on the way from one origin to another. */
import type { HostGrant } from '@pawl/core';
import { judgeHost } from './dial.js';
import { givenBody, givenText } from './given.js';
import { PowerFailure, outOfScope } from './refusal.js';

/** What a request is made with beside its url. */
export interface NetInit {
  /** Default GET, with a body POST. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** `manual`: a redirect is an answer. Default `follow`. */
  readonly redirect?: 'follow' | 'manual';
  /** Aborted: the answer is not wanted any more. */
  readonly signal?: AbortSignal;
}

/** Says of urls whether they may be connected to. Pure. */
export interface UrlJudge {
  permitsUrl(url: string): boolean;
  /** Whether every url of an origin, as `https://api.example:443`, may be: of what goes through a tunnel no more is seen. */
  permitsOrigin(origin: string): boolean;
}

/** What a power grants: hosts, and of their urls those that the judge permits. */
export interface UrlGrant {
  readonly hosts: HostGrant;
  readonly judge?: UrlJudge;
}

/** One request on its way: to one url, in one hop. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Headers that say where a message goes and how long it is: those are not the tool's. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const isReserved = (name: string): boolean => reserved.has(name) || name.startsWith('proxy-');

/** Headers that another origin may see after a redirect: none that could say who asks. */
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'range',
  'user-agent',
]);

/** The first hop. Throws a denial for a host that is not granted, and a PowerFailure for what is no request. */
export function firstHop(url: string, init: NetInit, grant: UrlGrant): Hop {
  const body = givenBody(init.body, 'a body');
  const named = givenText(init.method ?? (body === undefined ? 'GET' : 'POST'), 'a method');
  const method = named.toUpperCase();
  if (!methods.has(method)) throw badRequest('the method is not one that this tool may use');
  if (body !== undefined && ['GET', 'HEAD'].includes(method)) throw badRequest(`${method} has no body`);
  const target = judgedUrl(givenText(url, 'a url'), grant);
  const hop = { url: target, method, headers: headersOf(init.headers ?? {}) };
  return body === undefined ? hop : { ...hop, body };
}

/** The hop that a redirect leads to, judged like a first one. */
export function nextHop(hop: Hop, status: number, location: string, grant: UrlGrant): Hop {
  const target = URL.canParse(location, hop.url.href) ? new URL(location, hop.url.href).href : location;
  const url = judgedUrl(unsafe.test(location) ? location : target, grant);
  const { body, headers, ...rest } = hop;
  const turns = status === 303 ? hop.method !== 'HEAD' : [301, 302].includes(status) && hop.method === 'POST';
  const kept = url.origin === hop.url.origin ? headers : only(headers, (name) => harmless.has(name));
  if (turns) return { url, method: 'GET', headers: only(kept, (name) => !name.startsWith('content-')) };
  return { ...rest, url, headers: kept, ...(body !== undefined && { body }) };
}

/** Control characters and backslashes: parsers drop and turn them, each in its own way. */
const unsafe = /[\p{Cc}\\]/u;

function judgedUrl(text: string, { hosts, judge }: UrlGrant): URL {
  if (unsafe.test(text) || !URL.canParse(text)) throw badRequest('this is no url');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badRequest('only http and https are spoken here');
  if (url.username !== '' || url.password !== '') throw badRequest('a url with a user is not taken');
  judgeHost(url.hostname, hosts);
  if (judge?.permitsUrl(url.href) === false)
    throw outOfScope('net.hosts', 'the url is not among those of this tool');
  return url;
}

function headersOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(given).map(
    ([name, value]) => [name.toLowerCase(), givenText(value, 'a header')] as const,
  );
  for (const [name, value] of entries) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/u.test(name) || /[^\t\x20-\x7e\x80-\xff]/u.test(value))
      throw badRequest('a header is malformed');
    if (isReserved(name)) throw badRequest(`the header ${name} is not the tool's to set`);
  }
  return Object.fromEntries(entries);
}

function only(
  headers: Readonly<Record<string, string>>,
  keep: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));
}

function badRequest(message: string): PowerFailure {
  return new PowerFailure('bad_request', message);
}
