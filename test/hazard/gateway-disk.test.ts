/** The disk of the store fills up while the gateway runs: calls are refused before the server, and it heals. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { callControl } from '../../packages/gateway/src/control/index.js';
import { recorded, recordedCalls, serverProgram, startGateway, temporaryFolder } from '../e2e/gateway.js';
import { call, refusalOf, textOf } from '../e2e/post.js';

const mounted: string[] = [];
afterEach(() => {
  for (const path of mounted.splice(0)) execFileSync('umount', ['-l', path]);
});

/** Makes a file system of 4 MiB there; false where only root could. */
function isSmallDisk(path: string): boolean {
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'pipe' });
  } catch {
    return false;
  }
  mounted.push(path);
  return true;
}

async function isHealthy(socket: string): Promise<boolean | undefined> {
  const result = await callControl(socket, 'status', {});
  return result.kind === 'answered' && result.answer.ok ? result.answer.value.audit.healthy : undefined;
}

test('[P.audit.unwritable] a full disk refuses audit_unavailable before the hand-over, status says so, and calls resume', async ({
  skip,
}) => {
  const folder = temporaryFolder();
  const disk = join(folder, 'disk');
  if (!isSmallDisk(disk)) skip('a small file system can only be mounted by root');
  const log = join(folder, 'calls');
  const gateway = await startGateway({
    folder,
    store: join(disk, 'store'),
    policy: {
      pawl: 1,
      servers: { every: { command: process.execPath, args: recorded(log, serverProgram('everything')) } },
      agents: { worker: { allow: [{ tools: ['every/echo'] }] } },
    },
  });
  const to = { url: gateway.url, authorization: (await gateway.issueKey('worker')).authorization };
  const answered: string[] = [];
  const echo = async (message: string): Promise<string | undefined> => {
    const answer = await call(to, 'every__echo', { message });
    if (refusalOf(answer) === undefined) answered.push(message);
    return refusalOf(answer);
  };
  expect(await echo('before')).toBeUndefined();
  const filler = join(disk, 'filler');
  expect(() => writeFileSync(filler, new Uint8Array(8 * 1024 * 1024))).toThrow('ENOSPC');
  const refused: string[] = [];
  // Asked at once after each refusal: a small write may fit again soon, and then the store rightly says that it is well.
  const healthy: (boolean | undefined)[] = [];
  for (let count = 0; refused.length < 3; count += 1) {
    const message = `full ${count} ${'x'.repeat(4096)}`;
    const code = await echo(message);
    if (code === undefined) continue;
    expect(code).toBe('audit_unavailable');
    refused.push(message);
    healthy.push(await isHealthy(join(disk, 'store', 'control.sock')));
  }
  expect(healthy).toContain(false);
  rmSync(filler);
  await vi.waitFor(async () => expect(await echo('healed')).toBeUndefined(), { timeout: 20_000 });
  expect(textOf(await call(to, 'every__echo', { message: 'after' }))).toBe('Echo: after');
  const reached = recordedCalls(log).map(({ arguments: args }) => (args as { message: string }).message);
  expect(reached).toEqual([...answered, 'after']);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
  const { code, out } = await gateway.ask('audit', 'verify', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ ok: true, unsettled: [] });
  const shown = await gateway.ask('audit', 'show', '--limit', '1000', '--json');
  expect(shown.out.match(/"type":"intent"/gu)).toHaveLength(reached.length);
}, 60_000);
