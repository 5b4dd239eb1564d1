/** A server that dies, floods, prints garbage or hangs, behind the running gateway and beside one that does not. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Gateway,
  fakeServer,
  recorded,
  recordedCalls,
  startGateway,
  temporaryFolder,
} from '../e2e/gateway.js';
import { type Endpoint, call, refusalOf, textOf, toolNames } from '../e2e/post.js';

let folder = '';
let gateway: Gateway;
let worker: Endpoint;
let other: Endpoint;
/** While this file is there, the server `mortal` does not start. */
let barrier = '';

/** A server that starts only where the barrier is not; otherwise the fake one. */
const mortal = (file: string): object => {
  const program = `if (require('fs').existsSync(${JSON.stringify(file)})) process.exit(3); import(${JSON.stringify(fakeServer)})`;
  return { command: process.execPath, args: ['-e', program] };
};

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  barrier = join(folder, 'barrier');
  const server = (...args: readonly string[]): object => ({ command: process.execPath, args });
  const tools = ['bad/*', 'good/*', 'mortal/*', 'absent/*'];
  gateway = await startGateway({
    folder,
    policy: {
      pawl: 1,
      servers: {
        bad: server(...recorded(join(folder, 'bad.calls'), fakeServer)),
        good: server(fakeServer),
        mortal: mortal(barrier),
        absent: server(fakeServer, 'dies-at-start'),
      },
      agents: { worker: { allow: [{ tools }] }, other: { allow: [{ tools }] } },
      results: { maxBytes: 4096 },
    },
  });
  worker = { url: gateway.url, authorization: (await gateway.issueKey('worker')).authorization };
  other = { url: gateway.url, authorization: (await gateway.issueKey('other')).authorization };
  for (const to of [worker, other])
    for (const name of ['bad__echo', 'good__echo', 'mortal__echo'])
      expect(textOf(await call(to, name, {}))).toBe('{}');
}, 60_000);
afterAll(async () => {
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});

/** Waits for the restart of a server: its echo answers again. */
async function back(to: Endpoint, server: string): Promise<void> {
  const answers = async (): Promise<void> =>
    expect(textOf(await call(to, `${server}__echo`, {})), gateway.process.err).toBe('{}');
  await vi.waitFor(answers, { timeout: 30_000, interval: 100 });
}

async function restarts(server: string): Promise<number> {
  const { out } = await gateway.ask('status', '--json');
  const { servers } = JSON.parse(out) as { servers: { server: string; restarts: number }[] };
  return servers.find((each) => each.server === server)?.restarts ?? 0;
}

describe('[P.bad.upstream-dies] one server of several', { timeout: 60_000 }, () => {
  test('that does not start has no tools, and the gateway runs', async () => {
    const names = await toolNames(worker);
    expect(names).toContain('good__echo');
    expect(names.filter((name) => name.startsWith('absent'))).toEqual([]);
    expect(gateway.process.err).toContain('cannot start');
    expect(gateway.process.err).not.toContain('\u001b');
  });

  test('[P.dispatch.never-resent] [P.dispatch.lost-answer] that dies faults its calls in flight and no others, and is started again without them', async () => {
    const before = await restarts('bad');
    const [hanging, dying] = [call(worker, 'bad__hang', {}), call(worker, 'bad__die', {})];
    const [here, there] = [call(worker, 'good__echo', {}), call(other, 'bad__echo', {})];
    expect(refusalOf(await hanging)).toBe('outcome_unknown');
    expect(refusalOf(await dying)).toBe('outcome_unknown');
    expect(textOf(await here)).toBe('{}');
    expect(textOf(await there)).toBe('{}');
    await back(worker, 'bad');
    expect(await restarts('bad')).toBe(before + 1);
    const reached = recordedCalls(join(folder, 'bad.calls')).map(({ name }) => name);
    expect(reached.filter((name) => name !== 'echo').sort()).toEqual(['die', 'hang']);
  });

  test('that floods its output is ended, and only there', async () => {
    const flooding = call(worker, 'bad__flood', {});
    expect(textOf(await call(other, 'good__echo', {}))).toBe('{}');
    expect(refusalOf(await flooding)).toBe('outcome_unknown');
    expect(textOf(await call(other, 'bad__echo', {}))).toBe('{}');
    expect(gateway.process.err).toContain('floods');
    await back(worker, 'bad');
  });

  test('that prints garbage, answers twice, in the name of others or past the limit hurts nobody', async () => {
    expect(textOf(await call(worker, 'bad__garbage', {}))).toBe('after garbage');
    expect(textOf(await call(worker, 'bad__twice', {}))).toBe('first');
    expect(textOf(await call(worker, 'bad__foreign', {}))).toBe('yours');
    expect(refusalOf(await call(worker, 'bad__unreadable', {}))).toBe('outcome_unknown');
    expect(refusalOf(await call(worker, 'bad__input', {}))).toBe('outcome_unknown');
    expect(textOf(await call(worker, 'bad__echo', {}))).toBe('{}');
    expect(textOf(await call(other, 'bad__echo', {}))).toBe('{}');
  });

  test('that hangs holds up nobody else; a caller that goes away gives its call up', async () => {
    const leaving = new AbortController();
    const hanging = call({ ...worker, signal: leaving.signal }, 'bad__hang', {}).catch(() => 'gone');
    const inFlight = async (count: number): Promise<void> => {
      const { out } = await gateway.ask('status', '--json');
      expect(JSON.parse(out)).toMatchObject({ inFlight: count });
    };
    await vi.waitFor(() => inFlight(1), { timeout: 20_000 });
    expect(textOf(await call(worker, 'bad__echo', {}))).toBe('{}');
    leaving.abort();
    expect(await hanging).toBe('gone');
    await vi.waitFor(() => inFlight(0), { timeout: 20_000 });
    const seen = JSON.parse(textOf(await call(worker, 'bad__seen', {}))) as { method: string }[];
    expect(seen.map(({ method }) => method)).toContain('notifications/cancelled');
  });

  test('that cannot be started again loses its tools, faults its calls, and comes back when it can', async () => {
    writeFileSync(barrier, '');
    expect(refusalOf(await call(worker, 'mortal__die', {}))).toBe('outcome_unknown');
    expect((await toolNames(worker)).filter((name) => name.startsWith('mortal'))).toEqual([]);
    expect(refusalOf(await call(worker, 'mortal__echo', {}))).toBe('upstream_gone');
    expect(await toolNames(worker)).toContain('good__echo');
    expect(await toolNames(other)).toContain('mortal__echo');
    rmSync(barrier);
    await back(worker, 'mortal');
    expect(await toolNames(worker)).toContain('mortal__echo');
    expect(existsSync(barrier)).toBe(false);
  });

  test('leaves an audit that verifies, with no call open', async () => {
    const { code, out } = await gateway.ask('audit', 'verify', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, unsettled: [] });
  });
});
