import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type Server, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintId, parseAgentName } from '@pawl/core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type ControlOptions,
  type ControlSocket,
  type KeyView,
  type Operations,
  callControl,
  listenControl,
  no,
  yes,
} from './index.js';

const open: ControlSocket[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const socket of open.splice(0)) await socket.close();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

const shown: KeyView = {
  id: mintId.key('abcdefghijklmnop'),
  agent: parseAgentName('reporter')!,
  issuedAt: 1,
};

const operations: Operations = {
  status: async () => no('refused', 'not here'),
  keysIssue: async () => yes({ agents: '/agents.sock' }),
  keysList: async () => yes([shown]),
  keysRevoke: async ({ id }) => yes({ id, changed: true }),
  reload: async () => no('refused', 'not here'),
  propose: async () => no('refused', 'not here'),
  declare: async () => no('refused', 'not here'),
  declared: async () => yes([]),
  skillLoad: async () => no('refused', 'not here'),
  skillList: async () => no('refused', 'not here'),
  skillUnload: async () => no('refused', 'not here'),
  revoke: async ({ kind, id }) => yes({ subject: kind, id, changed: true, known: true }),
  freeze: async ({ name }) => yes({ name, changed: true }),
  thaw: async ({ name }) => yes({ name, moved: [], reissued: 0, emptied: 0, frozen: [] }),
  pins: async () => yes([]),
  pinsAccept: async () => no('refused', 'not here'),
  pinsReject: async () => no('refused', 'not here'),
  approvals: async () => yes([]),
  approve: async ({ id }, role) => no('refused', `${id} ${role}`),
  auditVerify: async () => yes({ ok: true, records: 3, unsettled: [] }),
  auditShow: async ({ limit }) => yes([String(limit)]),
  evidence: async ({ limit }) => yes([{ text: String(limit) }]),
  generation: async () => no('refused', 'not here'),
};

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'pawl-ctl-')), 'control.sock');
}

async function listen(path: string, more: Partial<ControlOptions> = {}): Promise<string> {
  open.push(await listenControl({ path, operations, ...more }));
  return path;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request as given, with whatever headers. */
function raw(
  path: string,
  options: {
    method?: string;
    url?: string;
    headers?: Record<string, string | string[]>;
    body?: string | Uint8Array;
  },
): Promise<Reply> {
  const { method = 'POST', url = '/v1/keysList', headers = {}, body = '{}' } = options;
  const all = { host: 'pawl', 'content-type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath: path, method, path: url, headers: all, setHost: false, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('the control socket', () => {
  test('is open to its owner only', async () => {
    const path = await listen(newPath());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  test('is not made through a link, and says so', async () => {
    const path = newPath();
    const link = `${join(path, '..')}-link`;
    symlinkSync(join(path, '..'), link);
    const made = listenControl({ path: join(link, 'control.sock'), operations });
    await expect(made).rejects.toThrow('is a link');
    rmSync(link);
  });

  test('is not made in a folder that others can enter', async () => {
    const path = newPath();
    chmodSync(join(path, '..'), 0o750);
    await expect(listenControl({ path, operations })).rejects.toThrow('chmod 700');
    expect(existsSync(path)).toBe(false);
  });

  test('is not made under a path that the system would cut', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'p'.repeat(100)));
    await expect(listenControl({ path: join(folder, 'control.sock'), operations })).rejects.toThrow(
      'shorter',
    );
    expect(await callControl(join(folder, 'control.sock'), 'keysList', {})).toEqual({ kind: 'absent' });
  });

  test('replaces the socket that a dead daemon left', async () => {
    const path = newPath();
    await abandonedSocket(path);
    expect(await callControl(path, 'keysList', {})).toEqual({ kind: 'absent' });
    await listen(path);
    expect(await callControl(path, 'keysList', {})).toEqual({ kind: 'answered', answer: yes([shown]) });
  });

  test('[P.run.one-daemon] is refused to a second daemon, and the first goes on', async () => {
    const path = await listen(newPath());
    await expect(listenControl({ path, operations })).rejects.toThrow('another daemon listens');
    expect(await callControl(path, 'keysList', {})).toMatchObject({ kind: 'answered' });
  });

  test('never replaces what is no socket', async () => {
    const path = newPath();
    writeFileSync(path, 'precious');
    await expect(listenControl({ path, operations })).rejects.toThrow('is no socket');
    expect(existsSync(path)).toBe(true);
  });

  test('is gone after closing, and closing twice is closing', async () => {
    const path = newPath();
    const socket = await listenControl({ path, operations });
    await Promise.all([socket.close(), socket.close()]);
    expect(existsSync(path)).toBe(false);
    expect(await callControl(path, 'keysList', {})).toEqual({ kind: 'absent' });
  });
});

describe('control over HTTP', () => {
  test('answers with JSON that nobody may keep, and ends the connection', async () => {
    const { status, headers, body } = await raw(await listen(newPath()), {});
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 200, body: { ok: true, value: [shown] } });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      connection: 'close',
      'content-type': 'application/json',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each([
    ['[P.http.host-origin] an Origin', { headers: { origin: 'http://pawl' } }, 403, 'forbidden'],
    ['[P.http.host-origin] a foreign Host', { headers: { host: 'evil.example' } }, 403, 'forbidden'],
    ['a preflight', { method: 'OPTIONS', body: '' }, 405, 'wrong_method'],
    ['GET', { method: 'GET', body: '' }, 405, 'wrong_method'],
    ['an unknown operation', { url: '/v1/exec' }, 404, 'unknown_operation'],
    ['wrong parameters', { body: '{"x":1}' }, 422, 'invalid_parameters'],
    ['a body that is no JSON', { body: '{' }, 400, 'malformed'],
    ['a form', { headers: { 'content-type': 'text/plain' } }, 400, 'malformed'],
    ['a body over 1 MiB', { body: new Uint8Array(1_048_577).fill(32) }, 413, 'too_large'],
  ])('refuses %s', async (_, options, status, code) => {
    const reply = await raw(await listen(newPath()), options);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ ok: false, error: { code } });
  });

  test('takes a body of exactly 1 MiB', async () => {
    const reply = await raw(await listen(newPath()), { body: `{}${' '.repeat(1_048_574)}` });
    expect(reply.status).toBe(200);
  });

  test('says that an operation failed, tells the daemon why, and tells the caller nothing of it', async () => {
    const told: unknown[] = [];
    const broken = new Error('secret detail');
    const failing = { ...operations, keysList: () => Promise.reject(broken) };
    const path = await listen(newPath(), { operations: failing, failed: (error) => told.push(error) });
    const { status, body } = await raw(path, {});
    expect(status).toBe(500);
    expect(body).not.toContain('secret detail');
    expect(told).toEqual([broken]);
  });

  test('answers an operation that takes too long with a timeout', async () => {
    const endless = { ...operations, keysList: () => new Promise<never>(() => undefined) };
    const path = await listen(newPath(), {
      operations: endless,
      patience: { requestMs: 10_000, operationMs: 20 },
    });
    const result = await callControl(path, 'keysList', {});
    expect(result).toMatchObject({ kind: 'answered', answer: { ok: false, error: { code: 'timeout' } } });
  });

  test('cuts a caller that never ends its request', async () => {
    const path = await listen(newPath(), { patience: { requestMs: 100, operationMs: 1000 } });
    const socket = connect(path);
    socket.write(
      'POST /v1/keysList HTTP/1.1\r\nhost: pawl\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
    );
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await callControl(path, 'keysList', {})).toMatchObject({ kind: 'answered' });
  });

  test('serves a second caller while the first still waits', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let entered: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const slow: Operations = {
      ...operations,
      auditVerify: async () => {
        entered();
        await gate;
        return yes({ ok: true, records: 9, unsettled: [] });
      },
    };
    const path = await listen(newPath(), { operations: slow });
    const first = callControl(path, 'auditVerify', {});
    await inside;
    expect(await callControl(path, 'keysList', {})).toMatchObject({ kind: 'answered', answer: { ok: true } });
    release();
    expect(await first).toMatchObject({ kind: 'answered', answer: { ok: true, value: { records: 9 } } });
  });

  test('keeps many callers apart', async () => {
    const path = await listen(newPath());
    const limits = Array.from({ length: 40 }, (_, at) => at + 1);
    const results = await Promise.all(limits.map((limit) => callControl(path, 'auditShow', { limit })));
    expect(results).toEqual(limits.map((limit) => ({ kind: 'answered', answer: yes([String(limit)]) })));
  });

  test('goes on after a caller that hangs up in the middle', async () => {
    const path = await listen(newPath());
    const socket = connect(path);
    socket.write('POST /v1/keysList HTTP/1.1\r\nhost: pawl\r\ncontent-length: 100\r\n\r\n{');
    await new Promise<void>((resolve) => void socket.end(resolve));
    socket.destroy();
    expect(await callControl(path, 'keysList', {})).toMatchObject({ kind: 'answered' });
  });
});

describe('asking control', () => {
  test('finds nobody where there is no socket and no folder', async () => {
    expect(await callControl(newPath(), 'status', {})).toEqual({ kind: 'absent' });
    expect(await callControl('/nowhere/at/all/control.sock', 'status', {})).toEqual({ kind: 'absent' });
  });

  test('hands on a refusal with its code', async () => {
    const path = await listen(newPath());
    expect(await callControl(path, 'status', {})).toEqual({
      kind: 'answered',
      answer: no('refused', 'not here'),
    });
  });

  test.each([
    ['speaks no HTTP', 'hello\n'],
    ['answers no JSON', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'],
    ['answers another JSON', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
    ['hangs up', ''],
  ])('tells no daemon from one that %s', async (_, answer) => {
    const path = newPath();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(await callControl(path, 'status', {})).toMatchObject({ kind: 'failed' });
  });
});

/** A socket file that nobody listens on: what a killed process leaves. */
async function abandonedSocket(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  const child = spawn(process.execPath, ['-e', script], { env: {} });
  await new Promise((resolve) => child.once('exit', resolve));
  expect(existsSync(path)).toBe(true);
}
