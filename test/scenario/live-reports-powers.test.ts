/** Failure reports about links and redirects, told with the powers of Pawl's own tools: names are judged by the policy, what is opened by these. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type NetOptions,
  type NetPower,
  type WritableFs,
  grantFs,
  grantNet,
} from '../../packages/gateway/src/power/index.js';

const port = { guard: (): void => {} };
const outOfScope = { kind: 'denial', code: 'out_of_scope', layer: 'power' };

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'was allowed',
    (why: unknown) => why,
  );
}

interface Disk {
  readonly base: string;
  readonly root: string;
  readonly power: WritableFs;
}

/** A granted folder beside one that is not; `rooted` is the spelling of the root that is configured. */
async function disk(rooted = 'inside'): Promise<Disk> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-links-')));
  const root = join(base, 'inside');
  mkdirSync(join(root, 'a'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside/passwd'), 'secret');
  symlinkSync('inside', join(base, 'alias'));
  const grant = await grantFs({ root: join(base, rooted), port });
  onTestFinished(async () => {
    await grant.revoke();
    rmSync(base, { recursive: true });
  });
  return { base, root, power: grant.power };
}

describe.skipIf(process.platform !== 'linux')('[P.reports.live] links', () => {
  test('R010: a link in the folder that leads outside is not followed', async () => {
    const { base, root, power } = await disk();
    symlinkSync(join(base, 'outside/passwd'), join(root, 'tempfile'));
    expect(await refusal(power.read('tempfile'))).toMatchObject(outOfScope);
  });

  test('R011: nor is one that is a folder on the way', async () => {
    const { root, power } = await disk();
    symlinkSync('/', join(root, 'link'));
    expect(await refusal(power.list('link/etc'))).toMatchObject(outOfScope);
  });

  test('R012: a link whose target is missing is a link: nothing is made where it leads', async () => {
    const { base, root, power } = await disk();
    symlinkSync(join(base, 'outside/new'), join(root, 'report.txt'));
    expect(await refusal(power.write('report.txt', 'x'))).toMatchObject(outOfScope);
    expect(readdirSync(join(base, 'outside'))).toEqual(['passwd']);
  });

  test('R013: writing looks at links as reading does', async () => {
    const { base, root, power } = await disk();
    symlinkSync(join(base, 'outside'), join(root, 'portal'));
    expect(await refusal(power.write('portal/pwned.txt', 'x'))).toMatchObject(outOfScope);
    expect(readdirSync(join(base, 'outside'))).toEqual(['passwd']);
  });

  test('R014: a root that is itself a link is opened under the spelling that was configured', async () => {
    const { base, power } = await disk('alias');
    await power.write('plan.txt', 'a plan');
    expect(await power.readText(join(base, 'alias/plan.txt'))).toBe('a plan');
  });

  test('R015: making and moving a folder look at every component as writing does', async () => {
    const { base, root, power } = await disk();
    writeFileSync(join(root, 'f'), 'x');
    await power.mkdir('a/b');
    rmSync(join(root, 'a'), { recursive: true });
    symlinkSync(join(base, 'outside'), join(root, 'a'));
    expect(await refusal(power.mkdir('a/b'))).toMatchObject(outOfScope);
    expect(await refusal(power.move('f', 'a/f'))).toMatchObject(outOfScope);
    expect(readdirSync(join(base, 'outside'))).toEqual(['passwd']);
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('x');
  });
});

describe('[P.reports.live] redirects', () => {
  const [outer, inner] = [createServer(forward), createServer((_, response) => response.end('inner'))];
  let connections = 0;
  const at = (server: Server): number => (server.address() as AddressInfo).port;
  const listening = (server: Server, host: string): Promise<void> =>
    new Promise((done, fail) => server.once('error', fail).listen(0, host, done));

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const location = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '/';
    response.writeHead(302, { location }).end();
  }

  beforeAll(async () => {
    inner.on('connection', () => (connections += 1));
    await listening(inner, '127.0.0.1');
    await listening(outer, '127.0.0.2');
  });
  afterAll(() => {
    outer.close();
    inner.close();
  });

  function net(more: Partial<NetOptions>): NetPower {
    const grant = grantNet({ hosts: ['127.0.0.2', 'public'], port, ...more });
    onTestFinished(() => grant.revoke());
    return grant.power;
  }

  test('R091: the target of a redirect is judged like a first address', async () => {
    const to = encodeURIComponent('http://blocked.example/');
    const power = net({ lookup: async () => ['127.0.0.2'] });
    expect(await refusal(power.request(`http://127.0.0.2:${at(outer)}/?to=${to}`))).toMatchObject(outOfScope);
  });

  test('R092: the address that was judged is the one that is dialled', async () => {
    const addresses = ['127.0.0.2', '127.0.0.1'];
    const power = net({
      hosts: ['**', '127.0.0.2', 'public'],
      lookup: async () => [addresses.shift() ?? '127.0.0.1'],
    });
    expect(await refusal(power.request(`http://rebind.example.net:${at(inner)}/`))).not.toBe('was allowed');
    expect(connections).toBe(0);
  });

  test('R093: every hop is judged, and one to an inner network is not made', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${at(inner)}/`);
    const power = net({});
    const refused = await refusal(power.request(`http://127.0.0.2:${at(outer)}/?to=${to}`));
    expect(refused).toMatchObject({ ...outOfScope, constraint: 'net.hosts' });
    expect(connections).toBe(0);
  });
});
