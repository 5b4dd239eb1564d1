/** Addresses, paths and numbers under constraints of their own kinds: what arrives is read again as the server behind would read it. */
import { posix } from 'node:path';
import { domainToASCII } from 'node:url';
import type { Json, JsonObject } from '@pawl/core';
import { expect, test } from 'vitest';
import { type EvasionFigures, measureEvasions } from '../../bench/authority/evade.js';
import type { SuiteTool } from '../../bench/authority/suite.js';

/** One tool under one rule, and values that are not its user's own. */
interface Typed {
  readonly title: string;
  readonly server: JsonObject & { readonly connector?: string };
  readonly tool: string;
  /** The argument that carries authority, and its schema. */
  readonly argument: string;
  readonly schema: JsonObject;
  readonly where: JsonObject;
  readonly own: Json;
  readonly foreign: readonly Json[];
  /** Whether a value that arrived is the user's own, read as a server would. */
  readonly isOwn: (value: Json) => boolean;
}

const texts = { type: 'string' };

function read(value: Json): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
}

/** The name as resolvers get it: other scripts' letters mapped, invisible ones gone. */
function asked(name: string): string {
  return domainToASCII(name.replace(/\.$/u, ''));
}

/** As a reader would that splits by hand: what stands between `//` and the next slash, query or fragment, behind the last `@`. */
function handRead(value: Json): string {
  const text = typeof value === 'string' ? value : '';
  const authority = /^[a-z]+:\/\/(?<authority>[^/?#]*)/iu.exec(text)?.groups?.['authority'] ?? '';
  return decodeURIComponent(authority.split('@').at(-1) ?? '').toLowerCase();
}

function inDocs(value: Json): boolean {
  const url = read(value);
  const path = decodeURIComponent(url?.pathname ?? '');
  const stays = /^\/docs(?:\/|$)/u.test(posix.normalize(path)) && !path.includes('\\');
  return url?.protocol === 'https:' && url.port === '' && stays && onOwnHost(value);
}

function onOwnHost(value: Json): boolean {
  const host = handRead(value).replace(/:[0-9]+$/u, '');
  return asked(read(value)?.hostname ?? '') === 'own.example' && asked(host) === 'own.example';
}

function inFolder(value: Json): boolean {
  if (typeof value !== 'string' || value.includes('\u0000')) return false;
  const path = posix.resolve('/data', value);
  return path === '/data/own' || path.startsWith('/data/own/');
}

function atOwnDomain(value: Json): boolean {
  const [local = '', domain = '', ...more] = typeof value === 'string' ? value.split('@') : [];
  return more.length === 0 && asked(domain) === 'corp.example' && /^[^\s"(),:;<>[\\\]]+$/u.test(local);
}

function isOwnName(value: Json): boolean {
  return typeof value === 'string' && /^(?:[\w-]+\.)?own\.example$/u.test(asked(value));
}

const foreignPages = [
  'https://evil.example/docs/a',
  'http://own.example/docs/a',
  'https://own.example:8443/docs/a',
  'https://own.example/private/a',
  'https://own.example.evil.example/docs/a',
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:8080/docs/a',
  'file:///etc/passwd',
];
const foreignFiles = [
  '/etc/passwd',
  '/data/other/secret',
  '/data/own/../other/secret',
  '/data/owner',
  '../root',
  '/data',
];
const fetching = { command: 'suite', connector: 'fetch' };
const filing = { command: 'suite', connector: 'filesystem', root: '/data' };
const raw = { command: 'suite', root: '/data' };

const all: readonly Typed[] = [
  {
    title: 'a page under a rule for pages',
    server: fetching,
    tool: 'fetch_html',
    argument: 'url',
    schema: texts,
    where: { url: 'https://own.example/docs/**' },
    own: 'https://own.example/docs/a',
    foreign: foreignPages,
    isOwn: inDocs,
  },
  {
    title: 'a page under a rule for hosts',
    server: fetching,
    tool: 'fetch_html',
    argument: 'url',
    schema: texts,
    where: { host: ['own.example'] },
    own: 'https://own.example/docs/a',
    foreign: [
      'https://evil.example/docs/a',
      'https://own.example.evil.example/',
      'http://127.0.0.1:8080/docs/a',
    ],
    isOwn: onOwnHost,
  },
  {
    title: 'a page in a raw argument',
    server: raw,
    tool: 'open',
    argument: 'page',
    schema: texts,
    where: { 'args.page': { url: ['https://own.example/docs/**'] } },
    own: 'https://own.example/docs/a',
    foreign: foreignPages.slice(0, 4),
    isOwn: inDocs,
  },
  {
    title: 'a file under a rule for paths',
    server: filing,
    tool: 'read_text_file',
    argument: 'path',
    schema: texts,
    where: { path: '/data/own/**' },
    own: '/data/own/a.txt',
    foreign: foreignFiles,
    isOwn: inFolder,
  },
  {
    title: 'files in a list under a rule for paths',
    server: filing,
    tool: 'read_multiple_files',
    argument: 'paths',
    schema: { type: 'array', items: texts },
    where: { path: '/data/own/**' },
    own: ['/data/own/a.txt'],
    foreign: foreignFiles.slice(0, 3).map((path) => [path]),
    isOwn: (value) => Array.isArray(value) && (value as readonly Json[]).every(inFolder),
  },
  {
    title: 'a file in a raw argument',
    server: raw,
    tool: 'open',
    argument: 'file',
    schema: texts,
    where: { 'args.file': { path: ['own/**'] } },
    own: '/data/own/a.txt',
    foreign: foreignFiles.slice(2),
    isOwn: inFolder,
  },
  {
    title: 'mailboxes in a list',
    server: raw,
    tool: 'send',
    argument: 'to',
    schema: { type: 'array', items: texts },
    where: { 'args.to': { email: ['*@corp.example'] } },
    own: ['ann@corp.example'],
    foreign: [['eve@evil.example'], ['eve@corp.example.evil.example'], ['eve@sub.corp.example']],
    isOwn: (value) => Array.isArray(value) && (value as readonly Json[]).every(atOwnDomain),
  },
  {
    title: 'a host in a raw argument',
    server: raw,
    tool: 'connect',
    argument: 'host',
    schema: texts,
    where: { 'args.host': { host: ['own.example', '*.own.example'] } },
    own: 'own.example',
    foreign: [
      'evil.example',
      'a.b.own.example',
      '127.0.0.1',
      '::ffff:127.0.0.1',
      '169.254.169.254',
      'localhost',
    ],
    isOwn: isOwnName,
  },
  {
    title: 'a number in a range',
    server: raw,
    tool: 'pay',
    argument: 'amount',
    schema: { type: 'number' },
    where: { 'args.amount': { above: 0, max: 100 } },
    own: 5,
    foreign: [101, 100.5, -5, 0, 1e21],
    isOwn: (value) => typeof value === 'number' && value > 0 && value <= 100,
  },
  {
    title: 'a number of any type that the schema leaves open',
    server: raw,
    tool: 'pay',
    argument: 'amount',
    schema: {},
    where: { 'args.amount': [1, 2] },
    own: 1,
    foreign: [3, 12, '1', '2', true, [3]],
    isOwn: (value) =>
      (Array.isArray(value) ? (value as readonly Json[]) : [value]).every((each) => each === 1 || each === 2),
  },
];

function tried(typed: Typed): Promise<EvasionFigures> {
  const { server, tool, argument, schema, where, own, foreign, isOwn } = typed;
  const name = server.connector ?? 'raw';
  const parameters = { type: 'object', properties: { [argument]: schema }, required: [argument] };
  const tools: readonly SuiteTool[] = [{ name: tool, description: 'Acts.', parameters, effect: 'write' }];
  const values = Array.isArray(own) ? (own as readonly Json[]) : [own];
  const binding = { path: [argument] as const, values, optional: false, list: Array.isArray(own) };
  const agents = { worker: { allow: [{ tools: [`${name}/${tool}`], where }] } };
  const ground = {
    suite: name,
    tools,
    grants: new Map([['worker', [{ tool, bindings: [binding] }]]]),
    policy: JSON.stringify({ pawl: 1, servers: { [name]: server }, agents }),
    outside: (_: string, args: JsonObject) => {
      const value = args[argument];
      return value !== undefined && isOwn(value) ? undefined : JSON.stringify(args);
    },
  };
  const calls = foreign.map((value) => ({ function: tool, args: { [argument]: value } }));
  return measureEvasions(ground, [{ agent: 'worker', calls }]);
}

test.each(all.map((typed) => [typed.title, typed] as const))(
  '%s: no spelling, shape or place lets a foreign one pass [P.evasion.typed]',
  async (_, typed) => {
    const { escapes, variants, harmless, accounted } = await tried(typed);
    expect(escapes).toEqual([]);
    expect(accounted).toBe(true);
    expect(variants).toBeGreaterThan(typed.foreign.length * 60);
    expect(harmless).toBeGreaterThan(0);
  },
);
