import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type AgentName,
  type JsonObject,
  mintId,
  parseAgentName,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import { afterEach, expect, test } from 'vitest';
import { type FakeGate, answerText, fakeGate, untilCancelled } from '../../../../../test/mcp/fake-gate.js';
import { makeCaller } from '../call.js';
import type { ListedTool } from '../gate.js';
import { type HttpEndpoint, listenHttp } from './http.js';

const self = { name: 'pawl', version: '0.1.0' };
const keys = new Map(['reporter', 'other', 'nobody'].map((name) => [`bearer-${name}`, parseAgentName(name)]));
const open: HttpEndpoint[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((endpoint) => endpoint.close()));
});

async function served(
  gate: FakeGate = fakeGate(),
): Promise<{ gate: FakeGate; url: string; endpoint: HttpEndpoint }> {
  const caller = makeCaller({ gate, self, clock: systemClock });
  const endpoint = await listenHttp({
    host: '127.0.0.1',
    port: 0,
    gate,
    caller,
    self,
    authenticate: (bearer) => {
      const agent: AgentName | undefined = keys.get(bearer);
      return agent && { key: mintId.key(bearer), agent };
    },
    clock: systemClock,
    entropy: systemEntropy,
  });
  open.push(endpoint);
  return { gate, url: endpoint.url, endpoint };
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: JsonObject;
}

type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

const usual = {
  authorization: 'Bearer bearer-reporter',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** fetch hides Host; this does not. */
function send(url: string, body: string, headers: Sent = {}, method = 'POST'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
    const request = httpRequest(
      url,
      { method, headers: Object.fromEntries(all) as Record<string, string | string[]> },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          const json = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = (name: string, more: JsonObject = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, ...more } });
const modernCall = (name: string, more: JsonObject = {}): string => call(name, { ...more, _meta: meta });
const modernHeaders = (name: string): Sent => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

async function session(url: string, headers: Sent = {}): Promise<string> {
  const reply = await send(url, initialize, headers);
  return String(reply.headers['mcp-session-id']);
}

const requestInit = { headers: { authorization: 'Bearer bearer-reporter' } };
const clients = [
  ['SDK v2, auto', { versionNegotiation: { mode: 'auto' } }],
  ['SDK v2, pinned 2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['SDK v2, legacy', {}],
] as const;
for (const [name, options] of clients) {
  test(`serves handshake, list and calls to a client (${name}) [P.wire.both-eras]`, async () => {
    const { url } = await served();
    const client = new Client({ name: 't', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    await exercise(client);
  });
}

test('serves handshake, list and calls to a client (SDK v1) [P.wire.both-eras]', async () => {
  const { url } = await served();
  const client = new OldClient({ name: 't', version: '1' });
  await client.connect(new OldTransport(new URL(url), { requestInit }));
  await exercise(client);
});

async function exercise(client: Pick<Client, 'listTools' | 'callTool' | 'close'> | OldClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(['files__echo', 'files__write']);
  const echoed = await client.callTool({ name: 'files__echo', arguments: { text: 'grüße' } });
  expect(echoed.content).toEqual([{ type: 'text', text: 'grüße' }]);
  const refusal = await client.callTool({ name: 'files__write', arguments: {} });
  expect(refusal.isError).toBe(true);
  expect(refusal._meta?.['pawl/refusal']).toEqual({ code: 'not_permitted', retryable: false, id: 'call-1' });
  await client.close();
}

test('demands a known bearer on every request, and says how [P.session.unknown-key]', async () => {
  const { url, gate } = await served();
  const id = await session(url);
  const none = await send(url, call('files__echo'), { authorization: undefined, 'mcp-session-id': id });
  expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Bearer realm="pawl"']);
  for (const authorization of ['Bearer wrong', 'Basic bearer-reporter', 'Bearer', 'bearer-reporter']) {
    const reply = await send(url, call('files__echo'), { authorization, 'mcp-session-id': id });
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="pawl", error="invalid_token"',
    ]);
  }
  expect(gate.requests).toEqual([]);
});

test('refuses a credential that opens no session', async () => {
  const { url } = await served();
  const reply = await send(url, initialize, { authorization: 'Bearer bearer-nobody' });
  expect([reply.status, reply.json['error']]).toMatchObject([403, { data: { code: 'no_agent' } }]);
});

test('a transport session id authorises nothing and is bound to its credential [P.session.credential]', async () => {
  const { url } = await served();
  const id = await session(url);
  expect(id).toMatch(/^[a-z2-7]{26}$/u);
  expect((await send(url, call('files__echo'))).status).toBe(400);
  expect((await send(url, call('files__echo'), { 'mcp-session-id': 'x' })).status).toBe(404);
  const foreign = { 'mcp-session-id': id, authorization: 'Bearer bearer-other' };
  expect((await send(url, call('files__echo'), foreign)).status).toBe(404);
  expect((await send(url, '', foreign, 'DELETE')).status).toBe(404);
  expect((await send(url, call('files__echo'), { 'mcp-session-id': id })).status).toBe(200);
  expect((await send(url, '', { 'mcp-session-id': id }, 'DELETE')).status).toBe(204);
  expect((await send(url, call('files__echo'), { 'mcp-session-id': id })).status).toBe(404);
});

test('refuses a foreign Host or Origin before anything else [P.http.host-origin]', async () => {
  const { url, gate } = await served();
  const foreign: Sent[] = [
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign) {
    expect((await send(url, initialize, { ...headers, authorization: undefined })).status).toBe(403);
  }
  for (const headers of [{ host: 'localhost:80' }, { origin: 'http://localhost:3000' }]) {
    expect((await send(url, initialize, headers)).status).toBe(200);
  }
  expect(gate.requests).toEqual([]);
});

test('reads a body strictly before the SDK sees it [P.decode.duplicate-keys]', async () => {
  const { url } = await served();
  const bad: [string, number, unknown][] = [
    ['{', -32700, null],
    [`[${initialize}]`, -32600, null],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', -32600, null],
    ['{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"a":1,"a":2}}', -32600, 5],
  ];
  for (const [body, code, id] of bad) {
    const reply = await send(url, body);
    expect([reply.status, reply.json]).toMatchObject([400, { id, error: { code } }]);
  }
});

test('refuses a body past 1 MiB and one that is no JSON by its type [P.decode.limits]', async () => {
  const { url } = await served();
  expect((await send(url, ' '.repeat(1_048_577))).status).toBe(413);
  expect((await send(url, initialize, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('a stream of events, other methods and other paths are not served', async () => {
  const { url } = await served();
  const reply = await send(url, '', {}, 'GET');
  expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST, DELETE']);
  expect((await send(url.replace('/mcp', '/other'), initialize)).status).toBe(404);
});

test('answers a call of the newer era without any session, as JSON', async () => {
  const { url } = await served();
  const reply = await send(
    url,
    modernCall('files__echo', { arguments: { text: 'hi' } }),
    modernHeaders('files__echo'),
  );
  expect(reply.headers['content-type']).toBe('application/json');
  expect(reply.json['result']).toMatchObject({ content: [{ text: 'hi' }], resultType: 'complete' });
});

test('refuses a call whose headers are missing or disagree with its body [P.decode.header-body]', async () => {
  const { url, gate } = await served();
  const good = modernHeaders('files__echo');
  const disagreeing: Sent[] = [
    { ...good, 'mcp-name': 'files__write' },
    { ...good, 'mcp-name': undefined },
    { ...good, 'mcp-name': '=?base64?!!!?=' },
    { ...good, 'mcp-method': 'tools/list' },
    { ...good, 'mcp-method': undefined },
    { ...good, 'mcp-protocol-version': '2025-11-25' },
    { ...good, 'mcp-protocol-version': undefined },
  ];
  for (const headers of disagreeing) {
    const reply = await send(url, modernCall('files__echo'), headers);
    expect([reply.status, reply.json['error']]).toMatchObject([400, { code: -32020 }]);
  }
  const encoded = `=?base64?${Buffer.from('files__echo').toString('base64')}?=`;
  expect((await send(url, modernCall('files__echo'), { ...good, 'mcp-name': encoded })).status).toBe(200);
  expect((await send(url, call('files__echo'), good)).json['error']).toMatchObject({ code: -32602 });
  expect(gate.requests).toHaveLength(1);
});

test('checks the headers that a tool declares for its arguments [P.decode.header-body]', async () => {
  const gate = fakeGate();
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      n: { type: 'integer', 'x-mcp-header': 'N' },
    },
  };
  const list = gate
    .list(mintId.session('s'))
    .map((tool): ListedTool => ({ ...tool, definition: { inputSchema } }));
  const { url } = await served({ ...gate, list: () => list });
  const headers = modernHeaders('files__echo');
  const body = modernCall('files__echo', { arguments: { region: 'eu', n: 5 } });
  const status = async (more: Sent): Promise<number> =>
    (await send(url, body, { ...headers, ...more })).status;
  expect(await status({ 'mcp-param-region': 'eu', 'mcp-param-n': '5.0' })).toBe(200);
  expect(await status({ 'mcp-param-region': 'us', 'mcp-param-n': '5' })).toBe(400);
  expect(await status({ 'mcp-param-region': 'eu' })).toBe(400);
  expect((await send(url, modernCall('files__echo'), headers)).status).toBe(200);
});

test('an SDK client that mirrors declared arguments into headers is served', async () => {
  const gate = fakeGate();
  const properties = { text: { type: 'string', 'x-mcp-header': 'Text' } };
  const list = gate
    .list(mintId.session('s'))
    .map((tool): ListedTool => ({ ...tool, definition: { inputSchema: { type: 'object', properties } } }));
  const { url } = await served({ ...gate, list: () => list });
  const client = new Client(
    { name: 't', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  await client.listTools();
  for (const text of ['plain', 'grüße', ' =?base64?x?= ']) {
    const answer = await client.callTool({ name: 'files__echo', arguments: { text } });
    expect(answer.content).toEqual([{ type: 'text', text }]);
  }
  await client.close();
});

test('closes every other method in both eras [P.surface.default-deny]', async () => {
  const { url } = await served();
  const closed = { error: { code: -32601, data: { code: 'surface_closed' } } };
  const ask = (params: JsonObject): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/list', params });
  const modern = await send(url, ask({ _meta: meta }), {
    ...modernHeaders(''),
    'mcp-method': 'prompts/list',
  });
  expect([modern.status, modern.json]).toMatchObject([404, closed]);
  const legacy = await send(url, ask({}), { 'mcp-session-id': await session(url) });
  expect([legacy.status, legacy.json]).toMatchObject([200, closed]);
});

test('streams progress, then the answer, to a client that reads streams [P.surface.own-progress]', async () => {
  const { url, gate } = await served();
  gate.tools.set('slow', ({ onProgress }) => {
    onProgress?.({ progress: 1 });
    return answerText('done');
  });
  const body = call('slow', { _meta: { ...meta, progressToken: 'mine' } });
  const streamed = await send(url, body, modernHeaders('slow'));
  expect(streamed.headers['content-type']).toBe('text/event-stream');
  expect(streamed.text).toMatch(
    /^event: message\ndata: .*"progressToken":"mine".*\n\nevent: message\ndata: .*done.*\n\n$/u,
  );
  const plain = await send(url, body, { ...modernHeaders('slow'), accept: 'application/json' });
  expect(plain.headers['content-type']).toBe('application/json');
  const events = await send(url, modernCall('files__echo'), {
    ...modernHeaders('files__echo'),
    accept: 'text/event-stream',
  });
  expect(events.headers['content-type']).toBe('text/event-stream');
});

test('a client of the newer era that goes away cancels its call [P.surface.own-progress]', async () => {
  const { url, gate } = await served();
  gate.tools.set('wait', untilCancelled);
  const controller = new AbortController();
  const waiting = fetch(url, {
    method: 'POST',
    body: modernCall('wait'),
    headers: { ...usual, ...modernHeaders('wait') } as Record<string, string>,
    signal: controller.signal,
  });
  await expect.poll(() => gate.requests.length).toBe(1);
  controller.abort();
  await expect(waiting).rejects.toThrow();
  await expect.poll(() => gate.requests[0]?.signal.aborted).toBe(true);
});

test('a client of the older era cancels calls of its own session only [P.surface.own-progress]', async () => {
  const { url, gate } = await served();
  gate.tools.set('wait', untilCancelled);
  const [mine, another] = [await session(url), await session(url)];
  const waiting = send(url, call('wait'), { 'mcp-session-id': mine });
  await expect.poll(() => gate.requests.length).toBe(1);
  const cancel = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1 },
  });
  expect((await send(url, cancel, { 'mcp-session-id': another })).status).toBe(202);
  expect(gate.requests[0]?.signal.aborted).toBe(false);
  await send(url, cancel, { 'mcp-session-id': mine });
  expect(gate.requests[0]?.signal.aborted).toBe(true);
  expect((await waiting).status).toBe(200);
});

test('closes while calls are in flight, and answers them first', async () => {
  const { url, gate, endpoint } = await served();
  gate.tools.set('wait', untilCancelled);
  const waiting = send(url, modernCall('wait'), modernHeaders('wait'));
  await expect.poll(() => gate.requests.length).toBe(1);
  await endpoint.close();
  expect((await waiting).json['result']).toMatchObject({ isError: true });
});

test('answers 500 when the gate breaks, and goes on', async () => {
  const gate = fakeGate();
  let broken = true;
  const openSession: FakeGate['openSession'] = (credential) => {
    if (broken) throw new Error('secret detail');
    return gate.openSession(credential);
  };
  const { url } = await served({ ...gate, openSession });
  const reply = await send(url, initialize);
  expect([reply.status, reply.text.includes('secret')]).toEqual([500, false]);
  broken = false;
  expect((await send(url, initialize)).status).toBe(200);
});

test('[P.http.host-origin] a header that decides something and comes twice is refused', async () => {
  const { url } = await served();
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const twice: Sent[] = [
    { authorization: ['Bearer bearer-reporter', 'Bearer bearer-other'] },
    { origin: ['http://localhost', 'http://evil.example'] },
    { 'mcp-session-id': ['a', 'b'] },
  ];
  for (const headers of twice) expect((await send(url, body, headers)).status).toBe(400);
});
