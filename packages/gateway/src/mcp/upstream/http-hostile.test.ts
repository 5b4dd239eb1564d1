/** Servers over HTTP that mean no good: what they send is bounded, where they send Pawl it does not go. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@pawl/core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Asked,
  type Script,
  type ScriptedServer,
  type Scripting,
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
    headers: () => ({ authorization: 'Bearer secret-token' }),
    self: { name: 'pawl', version: '0.1.0' },
    clock: systemClock,
    bounds: { requestMs: 2000, probeMs: 2000 },
    ...more,
  });
  if (started.ok) upstreams.push(started.upstream);
  return started;
}

/** A server that answers calls as told. */
async function answering(
  answer: (asked: Asked) => unknown,
  more: Partial<HttpUpstreamOptions> = {},
): Promise<{ readonly server: ScriptedServer; readonly upstream: Upstream }> {
  const script: Script = (asked) => {
    if (asked.message['method'] !== 'tools/call') return false;
    answer(asked);
    return true;
  };
  const server = await serve({ script });
  const started = await start(server.url, more);
  if (!started.ok) throw new Error(started.why);
  return { server, upstream: started.upstream };
}

const call = (upstream: Upstream): ReturnType<Upstream['call']>['answer'] =>
  upstream.call('go', {}, patiently()).answer;
const unknown = { kind: 'fault', code: 'outcome_unknown', retryable: false };

describe('[P.upstream.http-origin] requests stay with the address that the operator wrote', () => {
  test('a redirect of a call leads nowhere', async () => {
    const other = await serve();
    for (const status of [301, 302, 303, 307, 308]) {
      const { upstream } = await answering(({ response }) =>
        response.writeHead(status, { location: other.url }).end(),
      );
      expect(await call(upstream)).toMatchObject(unknown);
    }
    expect(other.asked).toEqual([]);
  });

  test('a redirect of the handshake is told, so that the operator can name its target', async () => {
    const server = await serve({
      script: ({ response }) =>
        response.writeHead(307, { location: 'http://169.254.169.254/laté?k=secret' }).end() !== undefined,
    });
    expect(await start(server.url)).toEqual({
      ok: false,
      why: `${server.url} redirects to http://169.254.169.254/lat?, which is not followed; if that is meant, name it as url`,
    });
  });

  test('no proxy of the environment is asked', async () => {
    const proxy = await serve();
    const [origin] = proxy.url.split('/mcp');
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) process.env[name] = origin;
    try {
      const { upstream } = await answering(({ response }) => response.writeHead(500).end());
      await call(upstream);
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) delete process.env[name];
    }
    expect(proxy.asked).toEqual([]);
  });
});

describe('[P.upstream.http-bounded] what a server sends', () => {
  const body =
    (text: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    ({ response }: Asked): unknown =>
      response.writeHead(200, headers).end(text);
  const good = ({ message }: Asked): string =>
    JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: said('good') });

  test.each<[string, (asked: Asked) => unknown]>([
    ['of another type', (asked) => body(good(asked), { 'content-type': 'text/html' })(asked)],
    [
      'of a type that begins so',
      (asked) => body(good(asked), { 'content-type': 'application/jsonx' })(asked),
    ],
    ['without a type', (asked) => body(good(asked), {})(asked)],
    [
      'packed',
      (asked) =>
        body(gzipSync(Buffer.alloc(50_000_000)), {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        })(asked),
    ],
    ['no JSON', body('{')],
    ['nothing', body('')],
    ['a list', (asked) => body(`[${good(asked)}]`)(asked)],
    ['for another call', body('{"jsonrpc":"2.0","id":1000999,"result":{}}')],
    ['for nobody', body('{"jsonrpc":"2.0","id":null,"result":{}}')],
    ['no UTF-8', body(Buffer.from([0x7b, 0xff, 0x7d]))],
    ['only taken', ({ response }) => response.writeHead(202).end()],
    ['a protocol that changes', ({ response }) => response.writeHead(204).end()],
  ])('an answer that is %s is none', async (_, answer) => {
    const { upstream } = await answering(answer);
    const given = await call(upstream);
    expect(given).toMatchObject(unknown);
    expect(given).not.toHaveProperty('lost');
    expect(upstream.state).toBe('up');
  });

  test('an answer on the stream of another call is none', async () => {
    const held: Asked[] = [];
    const { upstream } = await answering((asked) => {
      held.push(asked);
      const [one, two] = held;
      if (one === undefined || two === undefined) return;
      const [first, second] = [stream(one), stream(two)];
      const event = (of: Asked, text: string): string => `data: ${good(of).replace('good', text)}`;
      first(event(two, 'crossed'));
      second(event(one, 'crossed'));
      first(event(one, 'one'));
      first(event(one, 'again'));
      second(event(two, 'two'));
      for (const { response } of held) response.end();
    });
    expect((await Promise.all([call(upstream), call(upstream)])).map(textOf)).toEqual(['one', 'two']);
  });

  test('a body that does not end is too large', async () => {
    const { upstream } = await answering(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    expect(await call(upstream)).toMatchObject({ code: 'result_too_large' });
    expect(upstream.state).toBe('up');
  });

  test.each([
    ['comments', ': nothing\n\n'],
    ['lines of data', 'data:\n'],
    ['one line', 'data: x'],
    ['events of another kind', 'event: x\ndata: y\n\n'],
    ['ids', 'id: x\n'],
    ['pings', 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'],
  ])('a stream of nothing but %s ends the session', { timeout: 20_000 }, async (_, line) => {
    const { server, upstream } = await answering(
      (asked) => {
        const { response } = asked;
        stream(asked);
        const pour = (): void => {
          while (!response.destroyed && response.write(line.repeat(1000)));
          if (!response.destroyed) response.once('drain', pour);
        };
        pour();
      },
      { stray: { lines: 1000, bytes: 100_000, windowMs: 60_000 } },
    );
    expect(await call(upstream)).toMatchObject({ code: 'outcome_unknown' });
    expect(upstream.state).toBe('down');
    expect(server.asked.length).toBeLessThan(100);
  });

  test('headers that do not end are not read', async () => {
    const { upstream } = await answering(({ response }) => {
      for (let at = 0; at < 40; at += 1) response.setHeader(`x-${at}`, 'y'.repeat(1000));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    expect(await call(upstream)).toMatchObject(unknown);
    expect(upstream.state).toBe('up');
  });

  test('a server that says nothing is given up at the deadline', async () => {
    const { upstream } = await answering(() => undefined);
    const { answer } = upstream.call('go', {}, patiently({ deadlineMs: 100 }));
    expect(await answer).toMatchObject({ ...unknown, lost: true });
  });

  test.each(['a b', 'é', 'x'.repeat(2000)])('a session %j is no session', async (session) => {
    const server = await serve({ session: Buffer.from(session).toString('latin1') });
    const started = await start(server.url);
    expect(started).toMatchObject({ ok: false });
    expect(started.ok ? '' : started.why).toContain('session id');
    expect(server.of('notifications/initialized')).toEqual([]);
  });

  test('what a server says of itself reaches no log as it is', async () => {
    const server = await serve({
      script: ({ response, message }) => {
        if (message['method'] !== 'initialize') return false;
        return response.writeHead(500, { 'content-type': 'text/plain' }).end('\u001b[31mboo') !== undefined;
      },
    });
    const started = await start(server.url);
    expect(started).toEqual({ ok: false, why: `${server.url} answered HTTP 500 to the handshake` });
    const talking = await serve({
      script: ({ response, message }) => {
        if (message['method'] !== 'initialize') return false;
        const error = { code: -32_000, message: '\u001b[31mboo' };
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error })) !== undefined;
      },
    });
    const refused = await start(talking.url);
    expect(refused.ok ? '' : refused.why).toMatch(/the handshake failed: .*boo/u);
    expect(JSON.stringify(refused)).not.toContain('u001b');
  });
});

describe('[P.upstream.http-origin] why a server is not reached, and what to do', () => {
  test.each([
    [401, 'refuses the credentials (HTTP 401): give it headers'],
    [403, 'refuses the credentials (HTTP 403): give it headers'],
    [404, 'there is no MCP server at'],
  ])('HTTP %d', async (status, told) => {
    const server = await serve({ script: ({ response }) => response.writeHead(status).end() !== undefined });
    const started = await start(`${server.url}?key=hidden`);
    expect(started.ok ? '' : started.why).toContain(told);
    expect(started.ok ? '' : started.why).not.toContain('hidden');
    expect(server.asked.length).toBeLessThan(5);
  });

  test('nobody there', async () => {
    const server = await serve();
    await server.close();
    const started = await start(server.url);
    expect(started).toMatchObject({
      ok: false,
      why: expect.stringMatching(/cannot be reached.*ECONNREFUSED/u),
    });
  });
});

const noOpenssl = spawnSync('openssl', ['version']).status !== 0;

describe.skipIf(noOpenssl)('[P.upstream.http-origin] a server over TLS (needs openssl)', () => {
  let folder = '';
  const pem = (name: string): string => readFileSync(join(folder, name), 'utf8');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pawl-tls-'));
    const made =
      '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 -addext'.split(
        ' ',
      );
    const names = 'subjectAltName=IP:127.0.0.1';
    execFileSync('openssl', ['req', ...made, names, '-keyout', 'key.pem', '-out', 'cert.pem'], {
      cwd: folder,
      stdio: 'ignore',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is believed by its certificate only, whatever the environment says', async () => {
    const server = await serve({ tls: { key: pem('key.pem'), cert: pem('cert.pem') } });
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const started = await start(server.url);
      expect(started).toMatchObject({ ok: false, why: expect.stringContaining('is not trusted') });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
    expect(server.asked).toEqual([]);
    const trusting = await start(server.url, { ca: pem('cert.pem') });
    expect(trusting.ok && textOf(await call(trusting.upstream))).toBe('done');
  });
});
