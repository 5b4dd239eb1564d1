/** How Pawl speaks to a server over HTTP: its session, its headers, its streams, and what becomes of calls. */
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '@pawl/core';
import {
  type Asked,
  type ScriptedServer,
  type Scripting,
  answerJson,
  said,
  scriptedServer,
  stream,
} from '../../../../../test/mcp/scripted-server.js';
import { patiently, textOf } from '../../../../../test/mcp/upstream-suite.js';
import { type HttpUpstreamOptions, startHttp } from './http.js';
import type { Started } from './stdio.js';
import type { Upstream } from './upstream.js';

const servers: ScriptedServer[] = [];
const upstreams: Upstream[] = [];
afterEach(async () => {
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(scripting: Scripting = {}): Promise<ScriptedServer> {
  const server = await scriptedServer(scripting);
  servers.push(server);
  return server;
}

async function start(url: string, more: Partial<HttpUpstreamOptions> = {}): Promise<Started> {
  const started = await startHttp({
    url,
    headers: () => ({}),
    self: { name: 'pawl', version: '0.1.0' },
    clock: systemClock,
    ...more,
  });
  if (started.ok) upstreams.push(started.upstream);
  return started;
}

async function up(server: ScriptedServer, more: Partial<HttpUpstreamOptions> = {}): Promise<Upstream> {
  const started = await start(server.url, more);
  if (!started.ok) throw new Error(started.why);
  return started.upstream;
}

const call = (upstream: Upstream, args = {}): ReturnType<Upstream['call']>['answer'] =>
  upstream.call('go', args, patiently()).answer;
const isCall = ({ message }: Asked): boolean => message['method'] === 'tools/call';

describe('[P.upstream.http] a server before 2026-07-28', () => {
  test('has one session, named in every request after its opening and ended at the end', async () => {
    const server = await serve({ session: 'abc-1' });
    const upstream = await up(server, { headers: () => ({ authorization: 'Bearer t' }) });
    expect(textOf(await call(upstream))).toBe('done');
    await upstream.close();
    const [discover, initialize, ...rest] = server.asked;
    expect([discover, initialize].map((asked) => asked?.headers['mcp-session-id'])).toEqual([
      undefined,
      undefined,
    ]);
    expect(rest.every(({ headers }) => headers['mcp-session-id'] === 'abc-1')).toBe(true);
    expect(rest.every(({ headers }) => headers['mcp-protocol-version'] === '2025-11-25')).toBe(true);
    expect(server.asked.every(({ headers }) => headers.authorization === 'Bearer t')).toBe(true);
    expect(rest.some(({ headers }) => 'mcp-method' in headers)).toBe(false);
    expect(server.asked.map(({ method }) => method).filter((method) => method !== 'POST')).toEqual([
      'GET',
      'DELETE',
    ]);
    expect(server.of('initialize')).toHaveLength(1);
  });

  test('that has ended the session loses what is in flight, and is not told of an end', async () => {
    const held: Asked[] = [];
    const server = await serve({
      session: 'abc-1',
      script: (asked) => {
        if (!isCall(asked)) return false;
        if (held.length < 1) held.push(asked);
        else asked.response.writeHead(404).end();
        return true;
      },
    });
    const upstream = await up(server);
    const downs: string[] = [];
    upstream.onDown((why) => downs.push(why));
    const first = call(upstream);
    await expect.poll(() => held.length).toBe(1);
    const answers = [await call(upstream), await first];
    for (const answer of answers) expect(answer).toMatchObject({ code: 'outcome_unknown', lost: true });
    expect(downs).toEqual(['the server has ended the session']);
    await upstream.close();
    expect(server.asked.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(server.of('tools/call')).toHaveLength(2);
  });

  test('may close the stream of a call and have it gone on with; the call is posted once', async () => {
    const server = await serve({
      session: 's',
      script: (asked) => {
        const { headers, method, response } = asked;
        if (method === 'GET' && headers['last-event-id'] === 'e-7') {
          const id = server.of('tools/call')[0]?.message['id'];
          const answer = JSON.stringify({ jsonrpc: '2.0', id, result: said('late') });
          stream(asked)(`id: e-8\ndata: ${answer}`);
          response.end();
          return true;
        }
        if (!isCall(asked)) return false;
        stream(asked)('id: e-7\nretry: 10\ndata:');
        response.end();
        return true;
      },
    });
    expect(textOf(await call(await up(server)))).toBe('late');
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('tells on a stream of its own that tools changed', async () => {
    let tell: ((event: string) => void) | undefined;
    const server = await serve({
      script: (asked) => {
        if (asked.method !== 'GET') return false;
        tell = stream(asked);
        return true;
      },
    });
    const upstream = await up(server);
    let changes = 0;
    upstream.onToolsChanged(() => (changes += 1));
    await expect.poll(() => tell).toBeDefined();
    tell?.('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    await expect.poll(() => changes).toBe(1);
  });

  test('whose stream broke off is asked again what tools it has, and told from one that is gone', async () => {
    const opened: Asked[] = [];
    let tools = [{ name: 'go', inputSchema: { type: 'object' } }];
    const server = await serve({
      tools: () => tools,
      script: (asked) => {
        if (asked.method !== 'GET') return false;
        opened.push(asked);
        stream(asked);
        return true;
      },
    });
    const upstream = await up(server);
    let changes = 0;
    upstream.onToolsChanged(() => (changes += 1));
    await expect.poll(() => opened.length).toBe(1);
    tools = [...tools, { name: 'more', inputSchema: { type: 'object' } }];
    opened[0]?.response.destroy();
    await expect.poll(() => changes).toBe(1);
    expect(upstream.state).toBe('up');
    const downs: string[] = [];
    upstream.onDown((why) => downs.push(why));
    await expect.poll(() => opened.length, { timeout: 5000 }).toBe(2);
    await server.close();
    await expect.poll(() => downs.length, { timeout: 5000 }).toBe(1);
    expect(await call(upstream)).toMatchObject({ code: 'upstream_gone' });
  });
});

describe('[P.upstream.http] a 2026-07-28 server', () => {
  const declared = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      n: { type: 'integer', 'x-mcp-header': 'N' },
    },
  };

  test('has no session, and each request says in headers what it is', async () => {
    const server = await serve({ era: 'modern', tools: () => [{ name: 'go ü', inputSchema: declared }] });
    const upstream = await up(server);
    await upstream.call('go ü', { region: 'a\r\nX-Evil: 1', n: 7, other: true }, patiently()).answer;
    await upstream.close();
    const [asked] = server.of('tools/call');
    expect(asked?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('go ü').toString('base64')}?=`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-param-region': `=?base64?${Buffer.from('a\r\nX-Evil: 1').toString('base64')}?=`,
      'mcp-param-n': '7',
    });
    expect(asked?.headers).not.toHaveProperty('x-evil');
    expect(asked?.message['params']).toMatchObject({ arguments: { region: 'a\r\nX-Evil: 1' } });
    expect(server.asked.map(({ method }) => method)).not.toContain('DELETE');
    expect(server.of('initialize')).toEqual([]);
  });

  test('is told of a cancelled call by the end of its request', async () => {
    const closed: string[] = [];
    const server = await serve({
      era: 'modern',
      script: (asked) => {
        if (!isCall(asked)) return false;
        asked.response.on('close', () => closed.push('closed'));
        stream(asked);
        return true;
      },
    });
    const upstream = await up(server);
    const stop = new AbortController();
    const { answer } = upstream.call('go', {}, patiently({ signal: stop.signal }));
    await expect.poll(() => server.of('tools/call').length).toBe(1);
    stop.abort();
    expect(await answer).toMatchObject({ code: 'outcome_unknown' });
    expect(await answer).not.toHaveProperty('lost');
    await expect.poll(() => closed).toEqual(['closed']);
    expect(server.of('notifications/cancelled')).toEqual([]);
  });

  test('tells of changed tools where it says that it does', async () => {
    let tell: ((event: string) => void) | undefined;
    const server = await serve({
      era: 'modern',
      tells: true,
      script: (asked) => {
        if (asked.message['method'] !== 'subscriptions/listen') return false;
        tell = stream(asked);
        return true;
      },
    });
    const upstream = await up(server);
    let changes = 0;
    upstream.onToolsChanged(() => (changes += 1));
    await expect.poll(() => tell).toBeDefined();
    tell?.('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    await expect.poll(() => changes).toBe(1);
    expect(server.of('subscriptions/listen')[0]?.headers['mcp-method']).toBe('subscriptions/listen');
  });
});

describe('[P.upstream.http-handover] a call over HTTP', () => {
  test('that no connection took was not sent; one whose bytes may have left is unknown', async () => {
    const server = await serve({
      script: (asked) => {
        if (!isCall(asked)) return false;
        asked.response.socket?.destroy();
        return true;
      },
    });
    const upstream = await up(server);
    expect(await call(upstream)).toMatchObject({ code: 'outcome_unknown', lost: true });
    expect(server.of('tools/call')).toHaveLength(1);
    expect(upstream.state).toBe('up');
    await server.close();
    expect(await call(upstream)).toMatchObject({ code: 'upstream_gone', retryable: true });
    expect(upstream.state).toBe('down');
  });

  test('is read from a body as well, over several lines', async () => {
    const server = await serve({
      script: (asked) => {
        if (!isCall(asked)) return false;
        const { message, response } = asked;
        const text = JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: said('pretty') }, null, 2);
        response.writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8' });
        return response.end(`\n ${text}\r\n`) !== undefined;
      },
    });
    const answer = await call(await up(server));
    expect(textOf(answer)).toBe('pretty');
    expect(JSON.stringify(answer)).not.toMatch(/\\n|\\r/u);
  });

  test('gets the headers of the moment, and is not sent without them', async () => {
    let headers: Record<string, string> | string = { authorization: 'Bearer one' };
    const server = await serve();
    const upstream = await up(server, { headers: () => headers });
    await call(upstream);
    headers = { authorization: 'Bearer two' };
    await call(upstream);
    expect(server.of('tools/call').map((asked) => asked.headers.authorization)).toEqual([
      'Bearer one',
      'Bearer two',
    ]);
    headers = 'the secret t is not stored; store it with: pawl secrets set t';
    const { handedOver, answer } = upstream.call('go', {}, patiently());
    expect(handedOver).toBe(false);
    expect(await answer).toMatchObject({ code: 'upstream_gone', detail: headers });
    expect(JSON.stringify((await answer) as { message?: string })).toContain('was not sent');
    expect(server.of('tools/call')).toHaveLength(2);
    expect(upstream.state).toBe('down');
    expect(await start(server.url, { headers: () => headers })).toEqual({ ok: false, why: headers });
  });

  test.each([
    [401, { code: 'outcome_unknown' }, false],
    [403, { code: 'outcome_unknown' }, false],
    [400, { code: 'outcome_unknown' }, false],
    [429, { code: 'outcome_unknown' }, false],
    [500, { code: 'outcome_unknown' }, true],
    [503, { code: 'outcome_unknown' }, true],
  ])('that is answered with HTTP %d has an unknown outcome', async (status, expected, isLost) => {
    const server = await serve({
      script: (asked) => isCall(asked) && asked.response.writeHead(status).end('no') !== undefined,
    });
    const upstream = await up(server);
    const answer = await call(upstream);
    expect(answer).toMatchObject({ ...expected, retryable: false });
    expect('lost' in answer).toBe(isLost);
    expect(upstream.state).toBe('up');
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('passes the error of the server on, whatever the status of HTTP', async () => {
    const server = await serve({
      era: 'modern',
      script: (asked) => {
        if (!isCall(asked)) return false;
        const { message, response } = asked;
        const error = { code: -32_602, message: 'no such file' };
        response.writeHead(400, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error })) !== undefined;
      },
    });
    expect(await call(await up(server))).toEqual({
      kind: 'error',
      error: '{"code":-32602,"message":"no such file"}',
    });
  });

  test('is not looked at again once it was given up', async () => {
    const held: Asked[] = [];
    const server = await serve({
      script: (asked) => isCall(asked) && held.push(asked) > 0,
    });
    const upstream = await up(server);
    const stop = new AbortController();
    const { answer } = upstream.call('go', {}, patiently({ signal: stop.signal }));
    await expect.poll(() => held.length).toBe(1);
    stop.abort();
    const given = await answer;
    expect(given).toMatchObject({ code: 'outcome_unknown' });
    await expect.poll(() => server.of('notifications/cancelled').length).toBe(1);
    answerJson(held[0]!, said('too late'));
    expect(given.kind === 'fault' && (await given.late)).toBeUndefined();
    const next = call(upstream);
    await expect.poll(() => held.length).toBe(2);
    answerJson(held[1]!, said('next'));
    expect(textOf(await next)).toBe('next');
  });
});
