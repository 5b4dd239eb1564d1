import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { type JsonObject, mintId, systemClock } from '@pawl/core';
import { afterEach, expect, test } from 'vitest';
import {
  answerError,
  answerMembers,
  answerText,
  fakeGate,
  untilCancelled,
} from '../../../../../test/mcp/fake-gate.js';
import { type Wire, wireTo } from '../../../../../test/mcp/wire.js';
import { makeCaller } from '../call.js';
import { type LineConnection, serveLines } from './lines.js';

const self = { name: 'pawl', version: '0.1.0' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const open: LineConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

function served(): { gate: ReturnType<typeof fakeGate>; wire: Wire; connection: LineConnection } {
  const gate = fakeGate();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const caller = makeCaller({ gate, self, clock: systemClock });
  const connection = serveLines({ gate, caller, self, session: mintId.session('s-1'), input, output });
  open.push(connection);
  return { gate, connection, wire: wireTo(input, output) };
}

const clients = [
  ['SDK v2, auto', () => new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: 'auto' } })],
  [
    'SDK v2, pinned 2026-07-28',
    () => new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  ],
  ['SDK v2, legacy', () => new Client({ name: 't', version: '1' })],
  ['SDK v1', () => new OldClient({ name: 't', version: '1' })],
] as const;

for (const [name, make] of clients) {
  test(`serves handshake, list and calls to a client (${name}) [P.wire.both-eras]`, async () => {
    const { wire, gate } = served();
    const client = make();
    await client.connect(wire.transport());
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['files__echo', 'files__write']);
    const echoed = await client.callTool({ name: 'files__echo', arguments: { text: 'grüße' } });
    expect(echoed.content).toEqual([{ type: 'text', text: 'grüße' }]);
    const refusal = await client.callTool({ name: 'files__write', arguments: { text: 'x' } });
    expect(refusal.isError).toBe(true);
    expect(refusal.content).toEqual([{ type: 'text', text: 'no rule permits this call' }]);
    expect(refusal._meta?.['pawl/refusal']).toEqual({
      code: 'not_permitted',
      retryable: false,
      id: 'call-1',
    });
    expect(gate.requests.map(({ args }) => args)).toEqual([{ text: 'grüße' }, { text: 'x' }]);
    await client.close();
  });
}

test('answers an unknown tool with a tool result, not with a JSON-RPC error [P.wire.codes]', async () => {
  const { wire } = served();
  const answer = await wire.request('tools/call', { name: 'Files__echo', arguments: {} });
  expect(answer['error']).toBeUndefined();
  expect(answer['result']).toMatchObject({
    isError: true,
    _meta: { 'pawl/refusal': { code: 'no_such_cap', retryable: false, id: 'call-1' } },
  });
});

test('reads null arguments as an empty object and refuses other non-objects as a tool result [P.decode.types]', async () => {
  const { wire, gate } = served();
  await wire.request('tools/call', { name: 'files__echo', arguments: null });
  const refused = await wire.request('tools/call', { name: 'files__echo', arguments: [1] });
  expect(gate.requests.map(({ args }) => args)).toEqual([{}, [1]]);
  expect(refused['result']).toMatchObject({ _meta: { 'pawl/refusal': { code: 'malformed_arguments' } } });
});

test('passes the raw text of an answer on, numbers beyond doubles included [P.wire.answers-unchanged]', async () => {
  const { wire, gate } = served();
  const members = '"content":[],"structuredContent":{"n":12345678901234567890,"e":1.50}';
  gate.tools.set('big', () => answerMembers(members));
  const line = await wire.raw('{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"big"}}');
  expect(line).toBe(`{"jsonrpc":"2.0","id":"a","result":{${members}}}`);
});

test("passes a server's JSON-RPC error on as it is [P.wire.answers-unchanged]", async () => {
  const { wire, gate } = served();
  gate.tools.set('bad', () => answerError('{"code":-32602,"message":"no","data":[1]}'));
  const answer = await wire.request('tools/call', { name: 'bad' });
  expect(answer['error']).toEqual({ code: -32602, message: 'no', data: [1] });
});

test('adds resultType and its own name to answers of the 2026-07-28 era only', async () => {
  const { wire } = served();
  const answer = await wire.request('tools/call', { name: 'files__echo', _meta: envelope });
  expect(answer['result']).toMatchObject({
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': self },
  });
});

test('refuses a call of the 2026-07-28 era whose envelope is incomplete or of another revision', async () => {
  const { wire, gate } = served();
  await wire.request('tools/list', { _meta: envelope });
  const bare = await wire.request('tools/call', { name: 'files__echo' });
  expect(bare['error']).toMatchObject({ code: -32602 });
  const version = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
  const newer = await wire.request('tools/call', { name: 'files__echo', _meta: version });
  expect(newer['error']).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  expect(gate.requests).toEqual([]);
});

test('lists are private and live at most five seconds', async () => {
  const { wire } = served();
  const list = await wire.request('tools/list', { _meta: envelope });
  expect(list['result']).toMatchObject({ ttlMs: 5000, cacheScope: 'private' });
});

const closed =
  'resources/list resources/read prompts/list prompts/get completion/complete logging/setLevel sampling/createMessage elicitation/create ' +
  'roots/list tasks/list resources/subscribe x/y subscriptions/listen Tools/call toString __proto__';
test.each(closed.split(' '))('closes %s in both eras [P.surface.default-deny]', async (method) => {
  for (const params of [{}, { _meta: envelope }] as const) {
    const { wire, gate } = served();
    const answer = await wire.request(method, params);
    expect(answer['error']).toMatchObject({ code: -32601, data: { code: 'surface_closed' } });
    expect(gate.requests).toEqual([]);
  }
});

test('answers what is no request with a JSON-RPC error and goes on [P.decode.not-a-request]', async () => {
  const { wire } = served();
  const bad: [string, number, string | number | null][] = [
    ['{"jsonrpc":"2.0","id":1', -32700, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","name":"b"}}', -32600, 7],
    ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"Name":"files__echo"}}', -32600, 8],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ];
  for (const [text, code, id] of bad) {
    expect(JSON.parse(await wire.raw(text)), text).toMatchObject({ id, error: { code } });
  }
  expect(await wire.request('ping', {})).toMatchObject({ result: {} });
});

test('refuses a line past 1 MiB without holding it, and reads the next one [P.decode.limits]', async () => {
  const { wire } = served();
  const answer = JSON.parse(
    await wire.raw(`{"jsonrpc":"2.0","id":1,"x":"${'a'.repeat(3_000_000)}"}`),
  ) as JsonObject;
  expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await wire.request('ping', {})).toMatchObject({ result: {} });
});

test("passes progress on under the caller's own token, and drops what else a server says there [P.surface.own-progress]", async () => {
  const { wire, gate } = served();
  gate.tools.set('slow', ({ onProgress }) => {
    onProgress?.({ progress: 1, total: 2, message: 'half', progressToken: 99, secret: true });
    return answerText('done');
  });
  const seen: JsonObject[] = [];
  wire.onNotification((message) => seen.push(message));
  await wire.request('tools/call', { name: 'slow', _meta: { progressToken: 'mine' } });
  expect(seen).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'mine', progress: 1, total: 2, message: 'half' },
    },
  ]);
});

test('carries trace context on and drops every other _meta member [P.surface.meta-dropped]', async () => {
  const { wire, gate } = served();
  const _meta = {
    traceparent: '00-1-2-01',
    tracestate: 'a=b',
    baggage: 7,
    'com.example/x': 1,
    'pawl/onBehalfOf': 'eve',
  };
  await wire.request('tools/call', { name: 'files__echo', _meta });
  const [request] = gate.requests;
  expect(request?.trace).toEqual({ traceparent: '00-1-2-01', tracestate: 'a=b' });
  expect(request?.onBehalfOf).toBe('eve');
  expect(request?.onProgress).toBeUndefined();
});

test('cancels a call in flight by its id and does not answer it [P.surface.own-progress]', async () => {
  const { wire, gate } = served();
  gate.tools.set('wait', untilCancelled);
  wire.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait' } });
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '5' } });
  await wire.request('ping', {});
  expect(gate.requests[0]?.signal.aborted).toBe(false);
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
  await wire.request('ping', {});
  expect(gate.requests[0]?.signal.aborted).toBe(true);
  expect(wire.lines.some((line) => line.includes('"id":5'))).toBe(false);
});

test('refuses a second request under an id that is in flight', async () => {
  const { wire, gate } = served();
  gate.tools.set('wait', untilCancelled);
  wire.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait' } });
  const line = await wire.raw('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait"}}');
  expect(JSON.parse(line)).toMatchObject({ id: 5, error: { code: -32600 } });
});

test('writes the answers that a client waits for after it closed its input', async () => {
  const { wire, connection, gate } = served();
  gate.tools.set('later', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return answerText('later');
  });
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'later' } });
  wire.end();
  await connection.closed;
  expect(wire.lines.at(-1)).toContain('later');
});

test('cancels what is in flight when it is closed', async () => {
  const { wire, connection, gate } = served();
  gate.tools.set('wait', untilCancelled);
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
  await wire.request('ping', {});
  await connection.close();
  expect(gate.requests[0]?.signal.aborted).toBe(true);
});

test('asks for its session at each use, so that one opened anew serves the same connection', async () => {
  const gate = fakeGate();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const caller = makeCaller({ gate, self, clock: systemClock });
  let session = mintId.session('s-1');
  const connection = serveLines({
    gate,
    caller,
    self,
    get session() {
      return session;
    },
    input,
    output,
  });
  open.push(connection);
  const client = new Client({ name: 't', version: '1' });
  await client.connect(wireTo(input, output).transport());
  await client.callTool({ name: 'files__echo', arguments: { text: 'one' } });
  session = mintId.session('s-2');
  await client.callTool({ name: 'files__echo', arguments: { text: 'two' } });
  expect(gate.requests.map((request) => request.session)).toEqual(['s-1', 's-2']);
});
