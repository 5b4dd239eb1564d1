/** kill -9 of the whole gateway with calls in flight: the audit is whole, and nothing of it stays behind. */
import { join } from 'node:path';
import { type JsonObject, own, readEnvelope } from '@pawl/core';
import { describe, expect, test, vi } from 'vitest';
import { type ReadRecord, readRecords, verifyStore } from '../../packages/gateway/src/store/index.js';
import {
  type Gateway,
  type Key,
  recorded,
  recordedCalls,
  serverProgram,
  startGateway,
  temporaryFolder,
} from '../e2e/gateway.js';
import { type Endpoint, call, refusalOf, textOf, toolNames } from '../e2e/post.js';
import { descendantsOf, hasProc, running } from '../e2e/processes.js';

const kills = Number(process.env['PAWL_KILLS'] ?? 5);

function policy(folder: string): object {
  const args = recorded(join(folder, 'every.calls'), serverProgram('everything'));
  return {
    pawl: 1,
    servers: { every: { command: process.execPath, args } },
    agents: {
      worker: {
        allow: [
          { tools: ['every/echo'], where: { 'args.message': { prefix: 'call' } } },
          {
            tools: ['every/trigger-long-running-operation'],
            where: { 'args.duration': { min: 0, max: 60 }, 'args.steps': [1] },
          },
        ],
      },
    },
  };
}

/** Calls as fast as answers come until the gateway is gone; notes every answer. */
async function echoes(to: Endpoint, name: string, answered: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const message = `call ${name} ${count}`;
    const answer = await call(to, 'every__echo', { message });
    if (refusalOf(answer) !== undefined) throw new Error(`refused: ${textOf(answer)}`);
    expect(textOf(answer)).toBe(`Echo: ${message}`);
    answered.push(message);
  }
}

interface Load {
  readonly answered: string[];
  readonly ended: Promise<unknown>;
}

/** Eight callers, and one call that takes longer than the gateway lives. */
function load(to: Endpoint, run: number): Load {
  const answered: string[] = [];
  const callers = Array.from({ length: 8 }, (_, at) => echoes(to, `${run}-${at}`, answered));
  const slow = call(to, 'every__trigger-long-running-operation', { duration: 2 + run / 1000, steps: 1 });
  return { answered, ended: Promise.allSettled([...callers, slow]) };
}

interface Audited {
  readonly messages: ReadonlySet<string>;
  readonly open: readonly string[];
  /** Slow calls that have an intent. */
  readonly slow: readonly string[];
}

function audited(records: readonly ReadRecord[]): Audited {
  const messages = new Set<string>();
  const open = new Set<string>();
  const slow: string[] = [];
  for (const { text, call: id, body } of records) {
    const record = readEnvelope(text)!.record as unknown as JsonObject;
    if (own(record, 'type') === 'settlement') open.delete(id ?? '');
    if (own(record, 'type') !== 'intent') continue;
    open.add(id ?? '');
    const { message } = JSON.parse(body ?? '{}') as { readonly message?: string };
    if (message !== undefined) messages.add(message);
    else slow.push(id ?? '');
  }
  return { messages, open: [...open], slow };
}

async function killOnce(gateway: Gateway, key: Key, run: number): Promise<readonly string[]> {
  const to = { url: gateway.url, authorization: key.authorization };
  const { answered, ended } = load(to, run);
  await vi.waitFor(() => expect(answered.length).toBeGreaterThan(4), { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
  const { child } = gateway.process;
  const started = hasProc ? descendantsOf(child.pid ?? 0) : [];
  expect(await gateway.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  await ended;
  // The server ends at the end of its input, once it is done with the slow call.
  await vi.waitFor(() => expect(running(started)).toEqual([]), { timeout: 20_000 });
  return answered;
}

describe('[P.bad.kill-nine] kill -9 of the gateway under load', () => {
  test(
    `${kills} times: the chain verifies, what was answered has its intent, what is open is listed, and the store runs again`,
    async () => {
      const folder = temporaryFolder();
      const answered: string[] = [];
      let key: Key | undefined;
      for (let run = 0; run < kills; run += 1) {
        const gateway = await startGateway({ folder, policy: policy(folder) });
        key ??= await gateway.issueKey('worker');
        answered.push(...(await killOnce(gateway, key, run)));
        const records = await readRecords(gateway.store, { limit: 10_000_000 });
        const { messages, open, slow } = audited(records);
        const report = await verifyStore(gateway.store);
        expect(report).toEqual({ ok: true, records: records.length, unsettled: open });
        expect(answered.filter((message) => !messages.has(message))).toEqual([]);
        const reached = recordedCalls(join(folder, 'every.calls'));
        const echoed = reached.map(({ arguments: args }) => (args as { message?: string }).message);
        expect(echoed.filter((message) => message !== undefined && !messages.has(message))).toEqual([]);
        expect(slow.length).toBeGreaterThanOrEqual(reached.length - echoed.filter(Boolean).length);
        expect(open.length).toBeGreaterThan(run);
      }
      const last = await startGateway({ folder });
      const to = { url: last.url, authorization: key!.authorization };
      expect(await toolNames(to)).toContain('every__echo');
      expect(textOf(await call(to, 'every__echo', { message: 'call again' }))).toBe('Echo: call again');
      expect(await last.ask('audit', 'verify')).toMatchObject({ code: 0 });
      expect(await last.stop()).toMatchObject({ code: 0 });
      expect(answered.length).toBeGreaterThan(kills * 4);
    },
    60_000 + kills * 20_000,
  );

  test('[P.bad.kill-nine] leaves none of the processes that it had started', async ({ skip }) => {
    if (!hasProc) skip('processes are read from /proc');
    const folder = temporaryFolder();
    const entry = (...args: readonly string[]): object => ({ command: process.execPath, args });
    const gateway = await startGateway({
      folder,
      policy: {
        pawl: 1,
        servers: {
          files: { ...entry(serverProgram('filesystem'), folder), connector: 'filesystem', root: folder },
          memory: {
            ...entry(serverProgram('memory')),
            env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
          },
          every: entry(serverProgram('everything')),
        },
        agents: {
          worker: {
            allow: [
              { tools: ['files/list_allowed_directories'] },
              { tools: ['memory/*'] },
              { tools: ['every/*'] },
            ],
          },
        },
      },
    });
    const { authorization } = await gateway.issueKey('worker');
    const to = { url: gateway.url, authorization };
    await call(to, 'files__list_allowed_directories', {});
    await call(to, 'memory__read_graph', {});
    await call(to, 'every__get-sum', { a: 1, b: 1 });
    const started = descendantsOf(gateway.process.child.pid ?? 0);
    expect(started).toHaveLength(3);
    await gateway.stop('SIGKILL');
    await vi.waitFor(() => expect(running(started)).toEqual([]), { timeout: 20_000 });
  }, 60_000);
});
