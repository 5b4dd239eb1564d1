/** Starts, refusals to start, and ends. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { connectOld } from '../e2e/clients.js';
import {
  type Gateway,
  fakeServer,
  pawl,
  pawlArguments,
  pawlHere,
  startGateway,
  temporaryFolder,
} from '../e2e/gateway.js';
import { call, textOf, toolNames } from '../e2e/post.js';
import { descendantsOf, hasProc, running } from '../e2e/processes.js';

const slowEnough = { timeout: 60_000 };

function fakePolicy(more: object = {}): object {
  return {
    pawl: 1,
    servers: { fake: { command: process.execPath, args: [fakeServer], ...more } },
    agents: { worker: { allow: [{ tools: ['fake/*'] }] }, second: { allow: [{ tools: ['fake/hang'] }] } },
  };
}

function start(folder: string, policy: object = fakePolicy()): Promise<Gateway> {
  return startGateway({ folder, policy });
}

async function toolsOf(gateway: Gateway): Promise<readonly string[]> {
  const { authorization } = await gateway.issueKey('worker');
  return toolNames({ url: gateway.url, authorization });
}

describe('the end', slowEnough, () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '[P.cli.quickstart] %s ends everything that was started, with calls in flight, and exits 0',
    async (signal) => {
      const folder = temporaryFolder();
      const gateway = await start(folder);
      const key = await gateway.issueKey('worker');
      const to = { url: gateway.url, authorization: key.authorization };
      const shim = await connectOld({ program: pawlArguments('connect', '--key', key.path) });
      const second = { ...to, authorization: (await gateway.issueKey('second')).authorization };
      const child = Number(textOf(await call(to, 'fake__child', {})));
      const hanging = Promise.allSettled([
        call(second, 'fake__hang', {}),
        shim.callTool({ name: 'fake__hang', arguments: {} }),
      ]);
      await vi.waitFor(async () =>
        expect(JSON.parse((await gateway.ask('status', '--json')).out)).toMatchObject({ inFlight: 2 }),
      );
      const started = [child, ...(hasProc ? descendantsOf(gateway.process.child.pid ?? 0) : [])];
      const ended = await gateway.stop(signal);
      expect(ended).toMatchObject({ code: 0, signal: null });
      expect(ended.out).toMatch(/pawl stopped\n$/u);
      await hanging;
      await shim.close().catch(() => undefined);
      if (hasProc) expect(running(started)).toEqual([]);
      expect(existsSync(join(gateway.store, 'agents.sock'))).toBe(false);
      expect(existsSync(join(gateway.store, 'control.sock'))).toBe(false);
      const report = await pawlHere('audit', 'verify', '--json', '--store', gateway.store);
      expect(JSON.parse(report.out)).toMatchObject({ ok: true, unsettled: [] });
    },
  );
});

test('[P.cli.quickstart] who reads what is printed may go away', slowEnough, async () => {
  const gateway = await start(temporaryFolder());
  gateway.process.child.stdout?.destroy();
  gateway.process.child.stderr?.destroy();
  const key = await gateway.issueKey('worker');
  expect(await toolNames({ url: gateway.url, authorization: key.authorization })).toContain('fake__hang');
  expect(await gateway.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
});

describe('the start', slowEnough, () => {
  test('[P.run.one-daemon] a second run on a store exits 1 and says so, and the first goes on', async () => {
    const gateway = await start(temporaryFolder());
    const second = await pawl('run', gateway.policy, '--store', gateway.store, '--http', 'off');
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toMatch(/another process holds the store in /u);
    expect(await toolsOf(gateway)).toContain('fake__echo');
    await gateway.stop();
  });

  test('[P.start.unreadable] a policy that cannot be read ends run with exit 3 and a position; --last-good serves the stored one', async () => {
    const folder = temporaryFolder();
    const gateway = await start(folder);
    const key = await gateway.issueKey('worker');
    await gateway.stop();
    const good = readFileSync(gateway.policy, 'utf8');
    writeFileSync(gateway.policy, good.slice(0, -5));
    const options = ['--store', gateway.store, '--http', 'off'];
    const broken = await pawl('run', gateway.policy, ...options);
    expect(broken).toMatchObject({ code: 3, out: '' });
    expect(broken.err).toMatch(/pawl\.json:[0-9]+:[0-9]+: /u);
    const absent = await pawl('run', join(folder, 'absent.yaml'), ...options);
    expect(absent).toMatchObject({ code: 3, out: '' });
    const last = await startGateway({ folder, args: ['--last-good'] });
    expect(last.process.err).toContain('serving generation 1');
    const to = { url: last.url, authorization: key.authorization };
    expect(textOf(await call(to, 'fake__echo', {}))).toBe('{}');
    await last.stop();
  });

  test('[P.start.unreadable] --last-good serves the stored policy in place of one that widens, and says so loudly', async () => {
    const folder = temporaryFolder();
    const gateway = await start(folder);
    const key = await gateway.issueKey('worker');
    await gateway.stop();
    const wide = JSON.stringify(fakePolicy({ env: { NEW: '1' } }));
    writeFileSync(gateway.policy, wide);
    const last = await startGateway({ folder, args: ['--last-good'] });
    expect(last.process.err).toContain('ways on:');
    expect(last.process.err).toMatch(/pawl: NOT IN FORCE: \S+pawl\.json; serving generation 1 as stored/u);
    expect(last.process.out).toContain('pawl runs generation 1');
    const to = { url: last.url, authorization: key.authorization };
    expect(textOf(await call(to, 'fake__echo', {}))).toBe('{}');
    expect(await last.ask('reload')).toMatchObject({ code: 1 });
    await last.stop();
  });

  test('[P.start.same-generation] a changed policy exits 1 and leaves the stored one in force, unless the operator bumps the epoch', async () => {
    const folder = temporaryFolder();
    const gateway = await start(folder);
    await gateway.stop();
    writeFileSync(gateway.policy, JSON.stringify(fakePolicy({ env: { NEW: '1' } })));
    const refused = await pawl('run', gateway.policy, '--store', gateway.store, '--http', 'off');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('--bump-epoch');
    const bumped = await startGateway({ folder, args: ['--bump-epoch'] });
    expect(bumped.process.out).toContain('generation 2');
    expect(bumped.process.err).toContain(
      'the policy changed; generation 2 is in force; capabilities of worker, second have ended',
    );
    const status = await bumped.ask('status', '--json');
    expect(JSON.parse(status.out)).toHaveProperty('executors.0', { executor: 'worker', epoch: 1 });
    await bumped.stop();
    const again = await startGateway({ folder });
    expect(again.process.out).toContain('generation 2');
    await again.stop();
  });

  test('[P.start.same-generation] the tools of a start that was refused were not seen: the mended policy starts with its own', async () => {
    const folder = temporaryFolder();
    const policy = (mode: string, rule: object): object => ({
      pawl: 1,
      servers: { fake: { command: process.execPath, args: [fakeServer, mode] } },
      agents: { worker: { allow: [rule] } },
    });
    const file = join(folder, 'pawl.json');
    writeFileSync(file, JSON.stringify(policy('old', { tools: ['fake/echo'], verbs: ['delete'] })));
    const first = await pawl('run', file, '--store', join(folder, 'store'), '--http', 'off');
    expect(first).toMatchObject({ code: 3, out: '' });
    const gateway = await start(folder, policy('other-tools', { tools: ['fake/echo'] }));
    expect(await toolsOf(gateway)).toEqual(['fake__echo']);
    await gateway.stop();
  });

  test('a store that cannot be kept exits 1 and says why', async () => {
    const folder = temporaryFolder();
    const policy = join(folder, 'pawl.json');
    writeFileSync(policy, JSON.stringify(fakePolicy()));
    writeFileSync(join(folder, 'file'), '');
    const inFile = await pawl('run', policy, '--store', join(folder, 'file/store'), '--http', 'off');
    expect(inFile).toMatchObject({ code: 1, out: '' });
    expect(inFile.err).toMatch(/cannot keep a store in .*file\/store/u);
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'notes.txt'), 'mine');
    chmodSync(foreign, 0o755);
    const inForeign = await pawl('run', policy, '--store', foreign, '--http', 'off');
    expect(inForeign).toMatchObject({ code: 1, out: '' });
    expect(inForeign.err).toContain('other files');
    const database = join(folder, 'damaged/pawl.db');
    mkdirSync(dirname(database), { mode: 0o700 });
    writeFileSync(database, 'no database');
    const damaged = await pawl('run', policy, '--store', dirname(database), '--http', 'off');
    expect(damaged).toMatchObject({ code: 1, out: '' });
    expect(damaged.err).not.toContain('internal error');
  });

  test('an address that is taken exits 1, leaves no server behind and lets the store go', async () => {
    const gateway = await start(temporaryFolder());
    const other = temporaryFolder();
    writeFileSync(join(other, 'pawl.json'), JSON.stringify(fakePolicy()));
    const second = await pawl('run', join(other, 'pawl.json'), '--http', new URL(gateway.url).host);
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toContain('--http');
    await gateway.stop();
    const free = await startGateway({ folder: other, store: join(other, '.pawl') });
    await free.stop();
  });
});
