import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@pawl/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWithSandbox } from '../../../../test/bubblewrap.js';
import {
  DenialError,
  type ExecOptions,
  type ExecPower,
  type Grant,
  grantExec,
  grantFs,
  grantNet,
  grantReadFs,
} from './index.js';

const port = { guard: (): void => {} };
const outOfScope = { kind: 'denial', code: 'out_of_scope', layer: 'power', constraint: 'fs.root' };
const grants: Grant<unknown>[] = [];
const servers: Server[] = [];
let base = '';
let box = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-exec-')));
  box = join(base, 'box');
  mkdirSync(join(box, 'sub'), { recursive: true });
  mkdirSync(join(base, 'canary'));
  writeFileSync(join(base, 'secret.txt'), 'secret');
  writeFileSync(join(box, 'one.txt'), 'one\n');
});
afterEach(async () => {
  await Promise.all(grants.splice(0).map((grant) => grant.revoke()));
  for (const server of servers.splice(0)) server.close();
  rmSync(base, { recursive: true });
});

function kept<Power>(grant: Grant<Power>): Power {
  grants.push(grant);
  return grant.power;
}

async function exec(more: Partial<ExecOptions> = {}): Promise<ExecPower> {
  const fs = more.fs ?? kept(await grantFs({ root: box, port }));
  return kept(await grantExec({ port, canaryFolder: join(base, 'canary'), ...more, fs }));
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    (value) => new Error(`was allowed: ${JSON.stringify(value)}`),
    (why: unknown) => why,
  );
  expect(String(error)).not.toContain(base);
  return error;
}

describeWithSandbox('an exec power', () => {
  test('lists its own folder; a word that leads elsewhere is refused before anything starts [P.powers.exec]', async () => {
    const power = await exec();
    expect(await power.run(['ls', box])).toEqual({
      code: 0,
      stdout: 'one.txt\nsub\n',
      stderr: '',
      truncated: false,
      timedOut: false,
    });
    const outside: [string, ...string[]][] = [
      ['ls', '/etc'],
      ['ls', '/'],
      ['ls', '..'],
      ['ls', `${box}-other`],
      ['cat', 'sub/../../secret.txt'],
      ['cat', '~/.ssh/id'],
      ['tar', '--file=/etc/passwd'],
      ['sh', '-c', 'ls /etc'],
      ['bash', '-c', 'cd / && ls'],
      ['timeout', '5', 'cat', '/etc/passwd'],
      ['/bin/ls', '.'],
      ['../run', '.'],
    ];
    for (const argv of outside)
      expect(await refusal(power.run(argv)), argv.join(' ')).toMatchObject(outOfScope);
    for (const line of ['ls /etc', 'cat one.txt > /tmp/x', 'cat < /etc/passwd', 'ls; ls /etc'])
      expect(await refusal(power.shell(line)), line).toMatchObject(outOfScope);
    expect(await refusal(power.run(['ls'], { cwd: '/etc' }))).toMatchObject(outOfScope);
    expect(await refusal(power.run(['ls'], { cwd: 'sub/..' }))).toMatchObject(outOfScope);
  });

  test('takes words as they are: nothing is expanded, and what no reader understands is refused', async () => {
    const power = await exec();
    expect((await power.run(['echo', '$HOME', '*', ';', "it's"])).stdout).toBe("$HOME * ; it's\n");
    expect(
      (await power.shell('cat one.txt | wc -l && echo $((1))').catch(() => ({ stdout: 'refused' }))).stdout,
    ).toBe('refused');
    expect((await power.shell('cat one.txt | tr o 0 > sub/two.txt; cat sub/two.txt')).stdout).toBe('0ne\n');
    expect(await refusal(power.shell('ls $(echo /etc)'))).toMatchObject({
      code: 'malformed_arguments',
      layer: 'power',
    });
    expect((await power.run(['cat'], { input: 'given', cwd: 'sub' })).stdout).toBe('given');
    expect((await power.run(['pwd'], { cwd: join(box, 'sub') })).stdout).toBe(`${box}/sub\n`);
  });

  test('shows nothing of the machine: files, links out, environment, processes, network, capabilities', async () => {
    symlinkSync(join(base, 'secret.txt'), join(box, 'link'));
    process.env['PAWL_TEST_SECRET'] = 'leak';
    const power = await exec();
    delete process.env['PAWL_TEST_SECRET'];
    const script = `
      for path in ${base}/secret.txt ${box}/link /root /home /etc/passwd /etc/shadow /var/log; do ls -d "$path/." "$path" 2>/dev/null && cat "$path"; done
      env
      ls /proc | grep -c '^[0-9]'
      cat /proc/net/dev | tail -n +3 | cut -d: -f1
      grep CapEff /proc/self/status
      ls -l /proc/self/fd | grep -c /
      touch /usr/x /x ${base}/x 2>/dev/null && echo wrote
      true`;
    writeFileSync(join(box, 'look.sh'), script);
    const { stdout } = await power.run(['sh', './look.sh']);
    expect(stdout).not.toContain('secret');
    expect(stdout).not.toContain('leak');
    expect(stdout).not.toContain('root:');
    expect(stdout).not.toContain('wrote');
    const lines = stdout.split('\n').map((line) => line.trim());
    expect(lines.filter((line) => line.includes('='))).toEqual(
      expect.arrayContaining([
        `PWD=${box}`,
        'HOME=/tmp',
        'PATH=/usr/local/bin:/usr/bin:/bin',
        'LANG=C.UTF-8',
      ]),
    );
    expect(lines).toContain('CapEff:\t0000000000000000');
    expect(lines).toContain('lo');
    expect(lines.some((line) => /^(?:eth|en|wl)/u.test(line))).toBe(false);
  });

  test('changes only folders that were granted for that', async () => {
    const reading = kept(await grantReadFs({ root: box, port }));
    const writing = kept(await grantFs({ root: join(box, 'sub'), port }));
    const power = await exec({ fs: [reading, writing] });
    expect((await power.run(['touch', 'new.txt'])).code).not.toBe(0);
    expect((await power.run(['touch', 'sub/new.txt'])).code).toBe(0);
    expect(readFileSync(join(box, 'sub/new.txt'), 'utf8')).toBe('');
  });

  test('hides what is not to be seen inside its folders, and keeps it from being moved', async () => {
    mkdirSync(join(box, 'sub/deep/store'), { recursive: true });
    writeFileSync(join(box, 'sub/deep/store/key'), 'key');
    const power = await exec({ hide: [join(box, 'sub/deep/store')] });
    expect((await power.run(['ls', '-A', 'sub/deep/store'])).stdout).toBe('');
    for (const argv of [
      ['mv', 'sub', 'other'],
      ['mv', 'sub/deep', 'other'],
      ['mv', 'sub/deep/store', 'other'],
      ['rm', '-rf', 'sub'],
    ] as const)
      expect((await power.run([...argv])).code, argv.join(' ')).not.toBe(0);
    expect(readFileSync(join(box, 'sub/deep/store/key'), 'utf8')).toBe('key');
    await expect(exec({ hide: [join(box, 'one.txt')] })).rejects.toThrow(/which no sandbox may show/u);
  });

  test('ends everything that was started at the deadline, at an abort, and when it is revoked', async () => {
    const power = await exec({ bounds: { deadlineMs: 600 } });
    writeFileSync(
      join(box, 'linger.sh'),
      'setsid sh -c "while true; do sleep 0.1; date > sub/alive; done" & sleep 60',
    );
    expect(await power.run(['sh', './linger.sh'])).toMatchObject({ code: undefined, timedOut: true });
    const before = readFileSync(join(box, 'sub/alive'), 'utf8');
    writeFileSync(join(box, 'sub/alive'), 'dead');
    await new Promise((done) => setTimeout(done, 400));
    expect([readFileSync(join(box, 'sub/alive'), 'utf8'), before === '']).toEqual(['dead', false]);

    const abort = new AbortController();
    const aborted = refusal(power.run(['sleep', '60'], { signal: abort.signal }));
    abort.abort(new Error('not wanted'));
    expect(String(await aborted)).toContain('not wanted');

    const grant = await grantExec({
      fs: kept(await grantFs({ root: box, port })),
      port,
      canaryFolder: join(base, 'canary'),
    });
    const running = refusal(grant.power.run(['sleep', '60']));
    await grant.revoke();
    expect(await running).toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
    expect(await refusal(grant.power.run(['ls']))).toMatchObject({ code: 'no_such_cap' });
  });

  test('bounds output, memory, files and time on the processor', async () => {
    const power = await exec({
      bounds: { outputBytes: 1000, fileBytes: 4096, memoryBytes: 64 * 1024 * 1024, cpuSeconds: 1 },
    });
    const flood = await power.run(['seq', '1000000']);
    expect([flood.stdout.length, flood.truncated, flood.code]).toEqual([1000, true, 0]);
    writeFileSync(join(box, 'big.sh'), 'head -c 100000 /dev/zero > sub/big');
    expect((await power.run(['sh', './big.sh'])).code).not.toBe(0);
    expect(readFileSync(join(box, 'sub/big')).length).toBeLessThanOrEqual(4096);
    writeFileSync(join(box, 'memory.sh'), 'head -c 500000000 /dev/zero | tail');
    expect((await power.run(['sh', './memory.sh'])).stderr).toMatch(/memory|exhausted/u);
    writeFileSync(join(box, 'loop.sh'), 'while :; do :; done');
    const loop = await power.run(['sh', './loop.sh']);
    expect([loop.code === 0, loop.timedOut]).toEqual([false, false]);
  });

  test('starts nothing when the folder is another by now', async () => {
    const power = await exec();
    renameSync(box, join(base, 'aside'));
    symlinkSync('/etc', box);
    expect(await refusal(power.run(['ls']))).toMatchObject(outOfScope);
  });

  test('asks whether it still may, and its folders too', async () => {
    const dead = new DenialError({ code: 'no_such_cap', layer: 'capability', message: 'gone' });
    let alive = true;
    const power = await exec({
      port: {
        guard: () => {
          if (!alive) throw dead;
        },
      },
    });
    alive = false;
    expect(await refusal(power.run(['ls']))).toBe(dead);
    const folder = await grantFs({ root: box, port });
    const other = await exec({ fs: folder.power });
    await folder.revoke();
    expect(await refusal(other.run(['ls']))).toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
  });

  test('takes powers only that were granted here', async () => {
    const fake = { ...kept(await grantFs({ root: box, port })) };
    await expect(exec({ fs: fake })).rejects.toThrow(UsageError);
    await expect(exec({ fs: [] })).rejects.toThrow(UsageError);
    await expect(exec({ net: { request: async () => Promise.reject(new Error('no')) } })).rejects.toThrow(
      UsageError,
    );
  });

  test('reaches the hosts of its net power through the proxy, and nothing else', async () => {
    let inner = 0;
    const outer = createServer((request, response) => response.end(`seen ${request.method} ${request.url}`));
    const closed = createServer((_, response) => response.end('inner'));
    closed.on('connection', () => (inner += 1));
    servers.push(outer, closed);
    const [outerPort, innerPort] = [
      await listening(outer, '127.0.0.2'),
      await listening(closed, '127.0.0.1'),
    ];
    const net = kept(
      grantNet({ hosts: ['api.example', '127.0.0.2'], port, lookup: async () => ['127.0.0.2'] }),
    );
    const power = await exec({ net });
    writeFileSync(join(box, 'ask.cjs'), asking);
    const ask = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await power.run(['node', './ask.cjs', ...args])).stdout);
    expect(await ask('get', `http://api.example:${outerPort}/x`)).toEqual({
      status: 200,
      body: 'seen GET /x',
    });
    expect(await ask('connect', `api.example:${outerPort}`)).toEqual({
      status: 200,
      body: 'seen GET /through',
    });
    expect(await ask('get', `http://127.0.0.1:${innerPort}/`)).toMatchObject({ status: 403 });
    expect(await ask('get', `http://other.example:${outerPort}/`)).toMatchObject({ status: 403 });
    for (const target of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      'other.example',
    ])
      expect(await ask('connect', `${target}:${innerPort}`), target).toMatchObject({ status: 403 });
    expect(await ask('direct', String(outerPort))).toMatchObject({ error: expect.any(String) });
    expect(inner).toBe(0);
  });
});

async function listening(server: Server, host: string): Promise<number> {
  await new Promise<void>((done) => server.listen(0, host, done));
  return (server.address() as AddressInfo).port;
}

/** Run in the sandbox: asks the proxy of the environment, or goes around it. */
const asking = `
const http = require('node:http');
const net = require('node:net');
const [how, target] = process.argv.slice(2);
const proxy = new URL(process.env.HTTP_PROXY);
const tell = (answer) => { console.log(JSON.stringify(answer)); process.exit(0); };
const read = (answer) => {
  let body = '';
  answer.on('data', (chunk) => (body += chunk)).on('end', () => tell({ status: answer.statusCode, body }));
};
if (how === 'get') http.get({ host: proxy.hostname, port: proxy.port, path: target }, read);
if (how === 'connect') {
  const request = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: target });
  request.on('connect', (answer, socket) => {
    if (answer.statusCode !== 200) return tell({ status: answer.statusCode });
    http.get({ createConnection: () => socket, path: '/through' }, read);
  });
  request.end();
}
if (how === 'direct') net.connect(Number(target), '127.0.0.2', () => tell({ status: 200 })).on('error', (error) => tell({ error: error.code }));
`;
