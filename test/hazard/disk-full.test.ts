/** A disk that is full, or a file that may not grow: calls are refused, nothing acknowledged is lost, and it heals. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntentRecord, mintId } from '@pawl/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Store, openStore, readRecords, verifyStore } from '../../packages/gateway/src/store/index.js';
import { sourceArguments, sourceFile } from '../source/arguments.js';

const mounted: string[] = [];

/** A file system of 4 MiB, or why there is none. */
function smallDisk(): { readonly path: string } | { readonly why: string } {
  const path = mkdtempSync(join(tmpdir(), 'pawl-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'pipe' });
    mounted.push(path);
    return { path };
  } catch {
    return { why: 'a small file system can only be mounted by root' };
  }
}

function intent(call: string): IntentRecord {
  return { type: 'intent', verdict: 'permit', level: 'permit', rules: [], call: mintId.call(call) };
}

/** Appends calls with bodies of 8 KiB until one is refused; gives those that were acknowledged. */
async function fillUp(store: Store): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let count = 0; count < 2000; count += 1) {
    try {
      await store.audit.append(intent(`c${count}`), { content: 'x'.repeat(8192) }).durable;
    } catch {
      return acknowledged;
    }
    acknowledged.push(`c${count}`);
  }
  throw new Error('the disk never was full');
}

afterEach(() => {
  for (const path of mounted.splice(0)) execFileSync('umount', ['-l', path]);
});

describe('[P.audit.unwritable] a full disk', () => {
  test('refuses what needs a record, keeps what it acknowledged, and heals when there is room', async ({
    skip,
  }) => {
    const disk = smallDisk();
    if ('why' in disk) {
      skip(disk.why);
      return;
    }
    const folder = join(disk.path, 'store');
    mkdirSync(folder, { mode: 0o700 });
    const store = await openStore(folder);
    const filler = join(disk.path, 'filler');
    writeFileSync(filler, new Uint8Array(2 * 1024 * 1024));
    const acknowledged = await fillUp(store);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(store.audit.healthy()).toBe(false);
    store.audit.note({ type: 'settlement', call: mintId.call('c0'), outcome: 'ok', milliseconds: 1 });
    await expect(store.audit.append(intent('late')).durable).rejects.toMatchObject({ code: 'refused' });
    expect(statfsSync(disk.path).bavail).toBeLessThan(64);
    rmSync(filler);
    await vi.waitFor(() => expect(store.audit.healthy()).toBe(true), { timeout: 10_000 });
    await store.audit.append(intent('after')).durable;
    const calls = (await store.records({ from: 1, limit: 10_000 })).map(({ call }) => call);
    expect(calls).toEqual([...acknowledged, 'c0', 'after']);
    await store.close();
    const unsettled = [...acknowledged.slice(1), 'after'];
    expect(await verifyStore(folder)).toEqual({ ok: true, records: calls.length + 1, unsettled });
  });

  test('opens no store where there is no room for one', async ({ skip }) => {
    const disk = smallDisk();
    if ('why' in disk) {
      skip(disk.why);
      return;
    }
    expect(() => writeFileSync(join(disk.path, 'filler'), new Uint8Array(8 * 1024 * 1024))).toThrow('ENOSPC');
    await expect(openStore(join(disk.path, 'store'))).rejects.toMatchObject({ name: 'StoreError' });
    rmSync(join(disk.path, 'filler'));
    const store = await openStore(join(disk.path, 'store'));
    expect(store.audit.healthy()).toBe(true);
    await store.close();
  });
});

function limitFiles(pid: number, soft: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`], { stdio: 'pipe' });
}

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Lines of a process, and a way to wait for one. */
function linesOf(stream: NodeJS.ReadableStream): {
  readonly all: string[];
  until(start: string): Promise<void>;
} {
  const all: string[] = [];
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    all.push(...lines);
  });
  const until = (start: string): Promise<void> =>
    vi.waitFor(() => expect(all.some((line) => line.startsWith(start))).toBe(true), { timeout: 15_000 });
  return { all, until };
}

describe('[P.audit.unwritable] a file that may not grow', () => {
  test('refuses while the limit holds and heals when it is lifted, in a process under load', async ({
    skip,
  }) => {
    if (!hasPrlimit()) skip('there is no prlimit here');
    const folder = mkdtempSync(join(tmpdir(), 'pawl-limit-'));
    const child = sourceFile('./store-under-load.ts', import.meta.url);
    const process = spawn(globalThis.process.execPath, [...sourceArguments, child, folder, '4000'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(process, 'close');
    const said = linesOf(process.stdout);
    try {
      await said.until('record');
      limitFiles(process.pid ?? 0, '65536');
      await said.until('refused');
      limitFiles(process.pid ?? 0, 'unlimited');
      await said.until('healed');
      const before = said.all.filter((line) => line.startsWith('record')).length;
      await vi.waitFor(
        () => expect(said.all.filter((line) => line.startsWith('record')).length).toBeGreaterThan(before + 5),
        { timeout: 15_000 },
      );
    } finally {
      process.kill('SIGKILL');
      await ended;
    }
    expect(await verifyStore(folder)).toMatchObject({ ok: true });
    const written = new Set((await readRecords(folder, { limit: 1_000_000 })).map(({ call }) => call));
    const acknowledged = said.all.filter((line) => line.startsWith('record ')).map((line) => line.slice(7));
    const refused = said.all.filter((line) => line.startsWith('refused ')).map((line) => line.slice(8));
    expect(acknowledged.filter((call) => !written.has(call))).toEqual([]);
    expect(refused.filter((call) => written.has(call))).toEqual([]);
  }, 60_000);
});
