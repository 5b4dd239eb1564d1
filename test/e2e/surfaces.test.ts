/** Every surface of MCP but handshake and tools is closed, in both eras and over both transports. */
import { join } from 'node:path';
import { type JsonObject, isJsonObject, own } from '@pawl/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireTo } from '../mcp/wire.js';
import {
  type Gateway,
  type Key,
  Started,
  pawlArguments,
  recorded,
  recordedCalls,
  serverProgram,
  startGateway,
  temporaryFolder,
} from './gateway.js';
import { envelope, postText } from './post.js';

const closed: readonly (readonly [method: string, params: JsonObject])[] = [
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'demo://resource/static/document/features.md' }],
  ['resources/subscribe', { uri: 'demo://resource/static/document/features.md' }],
  ['resources/unsubscribe', { uri: 'demo://resource/static/document/features.md' }],
  ['subscriptions/listen', { notifications: { toolsListChanged: true } }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'simple-prompt' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'city', value: 'C' } }],
  ['logging/setLevel', { level: 'debug' }],
  ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['elicitation/create', { message: 'who?', requestedSchema: { type: 'object', properties: {} } }],
  ['roots/list', {}],
  ['tasks/list', {}],
  ['tasks/get', { taskId: 'x' }],
  ['tasks/result', { taskId: 'x' }],
  ['tasks/cancel', { taskId: 'x' }],
  ['tools/Call', { name: 'every__echo', arguments: { message: 'x' } }],
  ['tools/call ', { name: 'every__echo', arguments: { message: 'x' } }],
  ['notifications/initialized', {}],
  ['__proto__', {}],
  ['constructor', {}],
  ['x/unknown', {}],
];

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'e2e', version: '1' },
};

type Era = 'legacy' | 'modern';
/** Sends a request of that era and gives the whole answer. */
type Ask = (method: string, params: JsonObject) => Promise<JsonObject>;

let gateway: Gateway;
let key: Key;
let log = '';

beforeAll(async () => {
  const folder = temporaryFolder(afterAll);
  log = join(folder, 'every.calls');
  const args = recorded(log, serverProgram('everything'));
  gateway = await startGateway({
    folder,
    policy: {
      pawl: 1,
      servers: { every: { command: process.execPath, args } },
      agents: { worker: { allow: [{ tools: ['every/*'] }] } },
    },
  });
  key = await gateway.issueKey('worker');
});
afterAll(() => gateway.stop());

function inEra(era: Era, params: JsonObject): JsonObject {
  return era === 'modern' ? { ...params, _meta: envelope } : params;
}

/** `pawl connect` with raw lines, past its handshake. */
async function overStdio(era: Era): Promise<{ ask: Ask; end: () => Promise<unknown> }> {
  const shim = new Started(pawlArguments('connect', '--key', key.path));
  const wire = wireTo(shim.child.stdin!, shim.child.stdout!);
  const ask: Ask = (method, params) => wire.request(method, inEra(era, params));
  if (era === 'legacy') {
    await ask('initialize', initialize);
    wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  } else await ask('tools/list', {});
  const end = async (): Promise<unknown> => {
    wire.end();
    return shim.ended;
  };
  return { ask, end };
}

async function overHttp(era: Era): Promise<{ ask: Ask; end: () => Promise<unknown> }> {
  const to = { url: gateway.url, authorization: key.authorization };
  const modern: Ask = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: inEra('modern', params) });
    const { name } = params;
    const response = await postText(to, method, body, typeof name === 'string' ? name : undefined);
    return (await response.json()) as JsonObject;
  };
  let session: Record<string, string> = {};
  const legacy = (method: string, params: JsonObject): Promise<Response> =>
    fetch(to.url, {
      method: 'POST',
      headers: { authorization: to.authorization, 'content-type': 'application/json', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    });
  const end = (): Promise<void> => Promise.resolve();
  if (era === 'modern') return { ask: modern, end };
  const opened = await legacy('initialize', initialize);
  session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await opened.text();
  return { ask: async (...asked) => (await (await legacy(...asked)).json()) as JsonObject, end };
}

describe.each(['legacy', 'modern'] as const)('%s era', (era) => {
  describe.each([
    ['stdio', overStdio],
    ['HTTP', overHttp],
  ] as const)('over %s', (_, connect) => {
    test('[P.surface.default-deny] [P.wire.codes] answers -32601 surface_closed, and serves tools after it', async () => {
      const { ask, end } = await connect(era);
      for (const [method, params] of closed) {
        const answer = await ask(method, params);
        expect(answer, method).not.toHaveProperty('result');
        expect(answer, method).toMatchObject({ error: { code: -32601, data: { code: 'surface_closed' } } });
      }
      const { result } = await ask('tools/call', { name: 'every__get-sum', arguments: { a: 1, b: 2 } });
      expect(isJsonObject(result) && own(result, 'content')).toEqual([
        { type: 'text', text: 'The sum of 1 and 2 is 3.' },
      ]);
      await end();
    });

    test('[P.surface.default-deny] shows the server no capability of the client, so tools that ask the client are absent', async () => {
      const { ask, end } = await connect(era);
      const { result } = await ask('tools/list', {});
      const tools = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
      expect(tools).toContain('every__get-sum');
      expect(tools.filter((name) => /sampling|elicitation|roots/u.test(name))).toEqual([]);
      await end();
    });
  });
});

test('none of it reached the server', () => {
  expect(new Set(recordedCalls(log).map(({ name }) => name))).toEqual(new Set(['get-sum']));
});
