import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DenialError, type Grant, type NetOptions, type NetPower, grantNet } from './index.js';

const port = { guard: (): void => {} };
const outOfScope = { kind: 'denial', code: 'out_of_scope', layer: 'power', constraint: 'net.hosts' };

/** On both loopback addresses: what may not be reached. */
let inner: readonly Server[] = [];
/** On 127.0.0.2, which is granted: sends where it is told, and says what it was sent. */
let outer: Server;
let innerPort = 0;
let outerPort = 0;
let connections = 0;
const grants: Grant<NetPower>[] = [];

beforeAll(async () => {
  inner = ['127.0.0.1', '::1'].map(() => createServer((_, response) => response.end('inner')));
  for (const server of inner) server.on('connection', () => (connections += 1));
  outer = createServer(answer);
  innerPort = await listening(inner[0]!, '127.0.0.1');
  // Where there is no IPv6 its loopback cannot be reached either.
  await listening(inner[1]!, '::1', innerPort).catch(() => undefined);
  outerPort = await listening(outer, '127.0.0.2');
});
beforeEach(() => {
  connections = 0;
});
afterAll(async () => {
  await Promise.all(grants.map((grant) => grant.revoke()));
  for (const server of inner) server.close();
  outer.close();
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'http://x');
  const to = url.searchParams.get('to');
  if (to !== null) {
    response.writeHead(Number(url.searchParams.get('status') ?? 302), {
      location: Buffer.from(to).toString('latin1'),
    });
    response.end('moved');
  } else if (url.pathname === '/slow') response.write('begun');
  else if (url.pathname === '/big') response.end('x'.repeat(5000));
  else {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.setHeader('x-seen', ['a', 'b']);
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
    });
  }
}

async function listening(
  server: Pick<Server, 'once' | 'listen' | 'address'>,
  host: string,
  at = 0,
): Promise<number> {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(at, host, done));
  return (server.address() as AddressInfo).port;
}

function net(more: Partial<NetOptions> = {}): NetPower {
  const grant = grantNet({ hosts: ['**', '127.0.0.2', 'public'], port, ...more });
  grants.push(grant);
  return grant.power;
}

/** Spellings of addresses of this machine and of inner networks. */
const forms = [
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0.0.0.0]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:7f00:1::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '169.254.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
];
/** What lookups answer. */
const inside = [
  ['127.0.0.1'],
  ['::1'],
  ['0.0.0.0'],
  ['::'],
  ['::ffff:127.0.0.1'],
  ['::ffff:7f00:1'],
  ['::7f00:1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['fe80::1'],
  ['fe80::1%lo'],
  ['100.64.0.1'],
  ['127.0.0.1', '::1', '10.0.0.1'],
  ['not an address'],
  ['localhost'],
  [],
];

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'was allowed',
    (why: unknown) => why,
  );
}

describe('addresses that a net power does not reach [P.powers.net-addresses]', () => {
  test('the listener can be reached by those who may', async () => {
    const open = net({ hosts: ['localhost', 'loopback'] });
    for (const host of ['localhost', '127.0.0.1'])
      expect((await open.request(`http://${host}:${innerPort}/`)).text()).toBe('inner');
    expect(connections).toBeGreaterThan(0);
  });

  test('a name that some systems do not look up', async () => {
    expect(await refusal(net().request(`http://localhost.:${innerPort}/`))).toMatchObject({
      code: expect.stringMatching(/out_of_scope|unreachable/u),
    });
    expect(connections).toBe(0);
  });

  test.each(forms)('%s, directly and by a redirect', async (host) => {
    const power = net();
    const target = `http://${host}:${innerPort}/`;
    expect(await refusal(power.request(target))).toMatchObject(outOfScope);
    for (const status of [301, 302, 303, 307, 308]) {
      const by = `http://127.0.0.2:${outerPort}/?status=${status}&to=${encodeURIComponent(target)}`;
      expect(await refusal(power.request(by)), `${status}`).toMatchObject(outOfScope);
    }
    expect(connections).toBe(0);
  });

  test.each(inside.map((addresses) => [addresses]))(
    'a name that leads to %j, directly and by a redirect',
    async (addresses) => {
      const power = net({ lookup: async () => addresses });
      const target = `http://api.example:${innerPort}/`;
      expect(await refusal(power.request(target))).toMatchObject(outOfScope);
      const by = `http://127.0.0.2:${outerPort}/?to=${encodeURIComponent(target)}`;
      expect(await refusal(power.request(by))).toMatchObject(outOfScope);
      expect(connections).toBe(0);
    },
  );

  test('a name that leads elsewhere at each lookup', async () => {
    let turn = 0;
    const power = net({ lookup: async () => [(turn += 1) % 2 === 1 ? '127.0.0.2' : '127.0.0.1'] });
    const seen = [];
    for (let time = 0; time < 10; time += 1) {
      // One that keeps its connection goes on with the address that was judged.
      seen.push(
        await refusal(power.request(`http://api.example:${time % 2 === 0 ? outerPort : innerPort}/`)),
      );
    }
    expect(connections).toBe(0);
    expect(seen).toContain('was allowed');
  });

  test('of several addresses only those that may be dialled', async () => {
    const power = net({ lookup: async () => ['127.0.0.1', '10.0.0.1', '127.0.0.2'] });
    expect((await power.request(`http://api.example:${outerPort}/`)).status).toBe(200);
    expect(await refusal(power.request(`http://api.example:${innerPort}/`))).toMatchObject({
      code: 'unreachable',
    });
    expect(connections).toBe(0);
  });

  test('no proxy of the environment is asked', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names)
      process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${innerPort}`;
    try {
      expect((await net().request(`http://127.0.0.2:${outerPort}/`)).status).toBe(200);
    } finally {
      for (const [at, name] of names.entries()) {
        if (before[at] === undefined) delete process.env[name];
        else process.env[name] = before[at];
      }
    }
    expect(connections).toBe(0);
  });
});

describe('a net power', () => {
  const lookup = async (): Promise<readonly string[]> => ['127.0.0.2'];

  test.each(['api.example', 'x.cdn.example'])('calls %s, which it was granted', async (host) => {
    const power = net({ hosts: ['api.example', '*.cdn.example', '127.0.0.2'], lookup });
    const answered = await power.request(`http://${host}:${outerPort}/a?b=c`, {
      body: 'text',
      headers: { 'X-Key': 'k' },
    });
    expect(answered).toMatchObject({
      status: 200,
      headers: { 'x-seen': 'a, b' },
      url: `http://${host}:${outerPort}/a?b=c`,
    });
    expect(JSON.parse(answered.text())).toMatchObject({
      method: 'POST',
      headers: { 'x-key': 'k' },
      body: 'text',
    });
  });

  test.each(['other.example', 'api.example.evil.example', 'xapi.example', 'cdn.example', '8.8.8.8'])(
    'does not call %s',
    async (host) => {
      const power = net({ hosts: ['api.example', '*.cdn.example', '127.0.0.2'], lookup });
      expect(await refusal(power.request(`http://${host}:${outerPort}/`))).toMatchObject(outOfScope);
    },
  );

  test.each([
    'file:///etc/passwd',
    'ftp://api.example/',
    'data:,x',
    'api.example',
    'http://user:pass@api.example/',
    'http://api.example\\@evil.example/',
    'ht\ntp://api.example/',
    '',
  ])('takes no %j', async (url) => {
    expect(await refusal(net({ lookup }).request(url))).toMatchObject({ code: 'bad_request' });
  });

  test('does not let a tool say where a message goes or how long it is', async () => {
    const power = net();
    for (const name of [
      'Host',
      'Connection',
      'Transfer-Encoding',
      'Content-Length',
      'Proxy-Authorization',
      'Upgrade',
      'bad name',
    ])
      expect(
        await refusal(power.request(`http://127.0.0.2:${outerPort}/`, { headers: { [name]: 'x' } })),
        name,
      ).toMatchObject({ code: 'bad_request' });
    for (const method of ['CONNECT', 'TRACE', 'GET /x HTTP/1.1\r\n'])
      expect(await refusal(power.request(`http://127.0.0.2:${outerPort}/`, { method }))).toMatchObject({
        code: 'bad_request',
      });
  });

  test('tells another origin nothing that says who asks, and the same origin all', async () => {
    const power = net({ lookup });
    const headers = { Authorization: 'Bearer x', Cookie: 'c', 'X-Api-Key': 'k', Accept: 'a/b' };
    const via = async (target: string): Promise<Record<string, string>> => {
      const answered = await power.request(
        `http://127.0.0.2:${outerPort}/?to=${encodeURIComponent(target)}`,
        { headers },
      );
      return (JSON.parse(answered.text()) as { headers: Record<string, string> }).headers;
    };
    expect(await via('/there')).toMatchObject({
      authorization: 'Bearer x',
      cookie: 'c',
      'x-api-key': 'k',
      accept: 'a/b',
    });
    const other = await via(`http://api.example:${outerPort}/there`);
    expect(other).toMatchObject({ accept: 'a/b' });
    expect(Object.keys(other)).not.toEqual(expect.arrayContaining(['authorization']));
    expect([other['cookie'], other['x-api-key']]).toEqual([undefined, undefined]);
  });

  test('turns a redirected POST into a GET where browsers do, and keeps it where they do', async () => {
    const power = net();
    const via = async (status: number): Promise<unknown> =>
      JSON.parse(
        (
          await power.request(`http://127.0.0.2:${outerPort}/?status=${status}&to=/x`, { body: 'text' })
        ).text(),
      );
    for (const status of [301, 302, 303])
      expect(await via(status)).toMatchObject({ method: 'GET', body: '' });
    for (const status of [307, 308])
      expect(await via(status)).toMatchObject({ method: 'POST', body: 'text' });
    const manual = await power.request(`http://127.0.0.2:${outerPort}/?to=/x`, { redirect: 'manual' });
    expect(manual).toMatchObject({ status: 302, headers: { location: '/x' } });
  });

  test('bounds redirects, bytes and time', async () => {
    const power = net({ bounds: { redirects: 2, bodyBytes: 1000, deadlineMs: 300 } });
    const here = `http://127.0.0.2:${outerPort}`;
    const loop = `${here}/?to=${encodeURIComponent('/?to=%2F%3Fto%3D%252F%253Fto%253D%25252F')}`;
    expect(await refusal(power.request(loop))).toMatchObject({ code: 'failed' });
    expect(await refusal(power.request(`${here}/big`))).toMatchObject({ code: 'too_large' });
    expect(await refusal(power.request(`${here}/slow`))).toMatchObject({ code: 'timeout' });
  });

  test('breaks off what is under way when it is revoked, and does nothing afterwards', async () => {
    const own = createServer(answer);
    const grant = grantNet({ hosts: ['127.0.0.2'], port });
    const here = `http://127.0.0.2:${await listening(own, '127.0.0.2')}`;
    await grant.power.request(here);
    const arrived = new Promise<void>((seen) => own.once('request', () => seen()));
    const slow = refusal(grant.power.request(`${here}/slow`));
    await arrived;
    await grant.revoke();
    expect(await slow).toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
    expect(await refusal(grant.power.request(here))).toMatchObject({
      code: 'no_such_cap',
      reason: 'revoked',
    });
    await expect.poll(() => open(own)).toBe(0);
    own.close();
  });

  test('asks whether it still may at each hop', async () => {
    let left = 2;
    const dead = new DenialError({ code: 'no_such_cap', layer: 'capability', message: 'gone' });
    const guard = (): void => {
      left -= 1;
      if (left < 0) throw dead;
    };
    const power = net({ port: { guard } });
    expect(await refusal(power.request(`http://127.0.0.2:${outerPort}/?to=/x`))).toBe(dead);
  });

  test('says what cannot be reached', async () => {
    const closed = createServer();
    const free = await listening(closed, '127.0.0.2');
    await new Promise((done) => closed.close(done));
    expect(await refusal(net().request(`http://127.0.0.2:${free}/`))).toMatchObject({ code: 'unreachable' });
    const lost = net({
      lookup: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    expect(await refusal(lost.request('http://api.example/'))).toMatchObject({
      code: 'unreachable',
      message: '"api.example" has no address (ENOTFOUND)',
    });
  });
});

const noOpenssl = spawnSync('openssl', ['version']).status !== 0;

describe.skipIf(noOpenssl)('a net power over TLS (needs openssl)', () => {
  let folder = '';
  let secure: ReturnType<typeof createSecureServer>;
  let at = 0;
  const pem = (name: string): string => readFileSync(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pawl-tls-'));
    const made =
      '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=api.example -addext'.split(
        ' ',
      );
    const names = 'subjectAltName=DNS:api.example,IP:127.0.0.2';
    execFileSync('openssl', ['req', ...made, names, '-keyout', 'key.pem', '-out', 'cert.pem'], {
      cwd: folder,
      stdio: 'ignore',
    });
    secure = createSecureServer({ key: pem('key.pem'), cert: pem('cert.pem') }, (_, response) =>
      response.end('secure'),
    );
    at = await listening(secure, '127.0.0.2');
  });
  afterAll(() => {
    secure.close();
    rmSync(folder, { recursive: true });
  });

  const lookup = async (): Promise<readonly string[]> => ['127.0.0.2'];

  test('checks the certificate by the name that is called, or by the address', async () => {
    const power = net({ ca: pem('cert.pem'), lookup });
    for (const host of ['api.example', '127.0.0.2'])
      expect((await power.request(`https://${host}:${at}/`)).text()).toBe('secure');
    expect(await refusal(power.request(`https://other.example:${at}/`))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
    expect(await refusal(net({ lookup }).request(`https://api.example:${at}/`))).toMatchObject({
      code: 'unreachable',
    });
  });

  test('judges addresses as without', async () => {
    const power = net({ ca: pem('cert.pem'), lookup: async () => ['127.0.0.1'] });
    expect(await refusal(power.request(`https://api.example:${innerPort}/`))).toMatchObject(outOfScope);
    expect(await refusal(power.request(`https://127.0.0.1:${innerPort}/`))).toMatchObject(outOfScope);
    expect(connections).toBe(0);
  });
});

async function open(server: Server): Promise<number> {
  return new Promise((done, fail) =>
    server.getConnections((error, count) => (error === null ? done(count) : fail(error))),
  );
}
