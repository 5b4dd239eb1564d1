/**
 * A small server for tests of the Upstream port, on stdio. What it does wrong is chosen by its tools, and by its first argument:
 * `old` (2024-11-05), `modern` (2026-07-28), `exits-on-probe`, `silent-on-probe`, `other-tools`, `dies-at-start`, `chatty`.
 */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const mode = process.argv[2] ?? 'old';
/** @param {unknown} message */
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
/** @param {string} text */
const text = (text) => ({ content: [{ type: 'text', text }] });
/** @type {{ id: unknown, token: unknown }[]} */
const held = [];
/** @type {unknown[]} */
const seen = [];

const schema = { type: 'object', properties: {} };
const names =
  'echo env hang die flood garbage huge error unreadable twice foreign asks progress late seen child changed input meta exact';
const tools = names
  .split(' ')
  .map((name) => ({ name, description: `does ${name}`, inputSchema: schema, _meta: { x: 1 } }));
if (mode === 'other-tools') Object.assign(tools[0] ?? {}, { description: 'says something else' });

if (mode === 'dies-at-start') {
  process.stderr.write('cannot start: \u001b[31mno licence\n');
  process.exit(3);
}
if (mode === 'chatty') process.stdout.write('Server is starting\n[info] listening\n{"level":"info"}\n\n');
process.stderr.write('ready\n');

/** @param {any} id @param {any} result */
const answer = (id, result) => {
  const complete =
    mode === 'modern'
      ? { resultType: 'complete', _meta: { 'com.example/x': 1 } }
      : { _meta: { 'com.example/x': 1 } };
  say({ jsonrpc: '2.0', id, result: { ...result, ...complete } });
};

/** @type {Record<string, (id: any, args: any, meta: any) => void>} */
const does = {
  echo: (id, args) => answer(id, text(JSON.stringify(args))),
  env: (id) => answer(id, text(JSON.stringify(process.env))),
  hang: (id, _args, meta) => held.push({ id, token: meta?.progressToken }),
  die: (id) => {
    const once = process.env['DIE_ONCE'];
    if (once !== undefined && existsSync(once)) return answer(id, text('alive again'));
    if (once !== undefined) writeFileSync(once, 'died');
    process.exit(7);
  },
  flood: () => {
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(200) } })}\n`;
    const pour = () => {
      while (process.stdout.write(line.repeat(100)));
      process.stdout.once('drain', pour);
    };
    pour();
  },
  garbage: (id) => {
    process.stdout.write('not json\n{"jsonrpc":"2.0","id":\n\u0000\u0001\n[1,2]\n"text"\n');
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x7b, 0x0a]));
    answer(id, text('after garbage'));
  },
  huge: (id, args) => answer(id, text('x'.repeat(args.bytes))),
  error: (id) =>
    say({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such file', data: { n: 1.5 } } }),
  unreadable: (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],}}\n`),
  twice: (id) => {
    answer(id, text('first'));
    answer(id, text('second'));
  },
  foreign: (id) => {
    answer(id + 1, text('not yours'));
    answer(-1, text('nobody'));
    answer(String(id), text('text id'));
    answer(id, text('yours'));
  },
  asks: (id) => {
    say({ jsonrpc: '2.0', id: 'q1', method: 'sampling/createMessage', params: {} });
    say({ jsonrpc: '2.0', id: 2, method: 'roots/list' });
    say({ jsonrpc: '2.0', id: 3, method: 'ping' });
    held.push({ id, token: 'asks' });
  },
  progress: (id, _args, meta) => {
    const token = meta?.progressToken;
    say({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress: 1, total: 2 },
    });
    say({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'other', progress: 9 },
    });
    answer(id, text(JSON.stringify(token ?? null)));
    say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 3 } });
  },
  late: (id, args) => setTimeout(() => answer(id, text('late')), args.ms),
  seen: (id) => answer(id, text(JSON.stringify(seen))),
  child: (id) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    answer(id, text(String(child.pid)));
  },
  changed: (id) => {
    say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    answer(id, text('changed'));
  },
  input: (id) => say({ jsonrpc: '2.0', id, result: { resultType: 'input_required', requestState: 'x' } }),
  meta: (id, _args, meta) => answer(id, text(JSON.stringify(meta ?? null))),
  exact: (id) =>
    process.stdout.write(
      `{"result":{"content":[],"_meta":{"a":1}, "structuredContent":{"n":12345678901234567890,"e":1.50,"s":"\\u00e9\\ud800"}},"jsonrpc":"2.0","id":${id}}\n`,
    ),
};

/** @type {Record<string, (id: any, params: any) => void>} */
const methods = {
  initialize: (id) =>
    answer(id, {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'fake', version: '1' },
    }),
  'tools/list': (id, params) => {
    const at = Number(params?.cursor ?? 0);
    const page = tools.slice(at, at + 8);
    const next = at + 8 < tools.length ? { nextCursor: String(at + 8) } : {};
    const cache = mode === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {};
    answer(id, { tools: page, ...next, ...cache });
  },
  'tools/call': (id, params) => does[params.name]?.(id, params.arguments, params._meta),
};

/** @param {any} message */
const probed = (message) => {
  if (mode === 'exits-on-probe') process.exit(1);
  if (mode === 'silent-on-probe') return;
  if (mode === 'modern') {
    answer(message.id, {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    });
  } else say({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method !== 'tools/call') seen.push(message);
  if (message.id === undefined || message.method === undefined) {
    const asking = held.find(({ token }) => token === 'asks');
    const answers = seen.filter((/** @type {any} */ { method }) => method === undefined);
    if (asking !== undefined && answers.length === 3) answer(asking.id, text(JSON.stringify(answers)));
  } else if (message.method === 'server/discover') probed(message);
  else methods[message.method]?.(message.id, message.params);
}
