import { type JsonObject, systemClock } from '@pawl/core';
import { afterEach, expect, test } from 'vitest';
import {
  type Asked,
  type ScriptedServer,
  said,
  scriptedServer,
  stream,
} from '../../../../../test/mcp/scripted-server.js';
import { patiently, textOf } from '../../../../../test/mcp/upstream-suite.js';
import { Redactor } from '../../power/index.js';
import { startHttp } from './http.js';
import { type Started } from './stdio.js';
import { withoutSecrets } from './without-secrets.js';

const secret = 'tok-"1"-é-987654';
const redactor = new Redactor();
redactor.add(secret);
let server: ScriptedServer;
afterEach(() => server.close());

async function start(
  script: (asked: Asked) => boolean,
  tools?: () => readonly JsonObject[],
): Promise<Started> {
  server = await scriptedServer({ script, ...(tools && { tools }) });
  const started = await startHttp({
    url: server.url,
    headers: () => ({}),
    self: { name: 'pawl', version: '0.1.0' },
    clock: systemClock,
  });
  return withoutSecrets(started, redactor);
}

test('[P.secrets.removed] definitions, progress, results and errors of a server hold no secret', async () => {
  const schema = { type: 'object', properties: { [secret]: { const: secret } } };
  const tools = [
    { name: 'go', description: `uses ${secret}`, inputSchema: schema },
    { name: `go-${secret}`, inputSchema: { type: 'object' } },
  ];
  let calls = 0;
  const started = await start(
    (asked) => {
      const { message, response } = asked;
      if (message['method'] !== 'tools/call') return false;
      const { id } = message;
      const event = stream(asked);
      const say = (rest: object): void => event(`data: ${JSON.stringify({ jsonrpc: '2.0', ...rest })}`);
      say({ method: 'notifications/progress', params: { progressToken: id, progress: 1, message: secret } });
      calls += 1;
      if (calls === 1) say({ id, result: said(`got ${Buffer.from(secret).toString('base64')}`) });
      else say({ id, error: { code: -32_000, message: secret, data: [secret] } });
      response.end();
      return true;
    },
    () => tools,
  );
  if (!started.ok) throw new Error(started.why);
  const { upstream } = started;
  expect(upstream.tools()).toBe(upstream.tools());
  expect(upstream.tools().map(({ name }) => name)).toEqual(['go']);
  expect(await upstream.list()).toEqual(upstream.tools());
  const told: JsonObject[] = [];
  const options = patiently({ onProgress: (progress) => told.push(progress) });
  expect(textOf(await upstream.call('go', {}, options).answer)).toBe('got [secret]');
  const error = await upstream.call('go', {}, options).answer;
  expect(error).toEqual({ kind: 'error', error: '{"code":-32000,"message":"[secret]","data":["[secret]"]}' });
  const all = JSON.stringify([upstream.tools(), told, error]);
  expect(all).not.toContain('987654');
  expect(told).toHaveLength(2);
  const downs: string[] = [];
  upstream.onDown((why) => downs.push(why));
  await upstream.close();
  expect(downs).toEqual(['the server was left']);
});
