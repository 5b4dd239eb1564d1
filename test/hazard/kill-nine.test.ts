/** kill -9 at any moment: nothing acknowledged is lost, the chain verifies, and open ends are listed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvelope } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import {
  type ReadRecord,
  openStore,
  readRecords,
  verifyStore,
} from '../../packages/gateway/src/store/index.js';
import { sourceArguments, sourceFile } from '../source/arguments.js';

const kills = Number(process.env['PAWL_KILLS'] ?? 20);
const child = sourceFile('./store-under-load.ts', import.meta.url);

/** What a child said until it was killed. */
interface Said {
  readonly records: string[];
  readonly keys: string[];
  generation: number;
}

function listen(process: ChildProcess, said: Said): { readonly opened: Promise<void> } {
  let opened = (): void => undefined;
  let rest = '';
  process.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [word, value = ''] = line.split(' ');
      if (word === 'open') opened();
      if (word === 'record') said.records.push(value);
      if (word === 'key') said.keys.push(value);
      if (word === 'generation') said.generation = Number(value);
    }
  });
  return { opened: new Promise((resolve) => (opened = resolve)) };
}

/** Runs a child and kills it: every fifth time while it starts or opens, else at a random moment under load. */
async function killOnce(folder: string, said: Said, turn: number): Promise<void> {
  const process = spawn(globalThis.process.execPath, [...sourceArguments, child, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(process, 'close');
  const { opened } = listen(process, said);
  const early = turn % 5 === 4;
  const moment = Math.random() * (early ? 400 : 150);
  if (!early) await opened;
  await new Promise((resolve) => setTimeout(resolve, moment));
  process.kill('SIGKILL');
  const [code, signal] = (await ended) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
}

async function allRecords(folder: string): Promise<readonly ReadRecord[]> {
  return readRecords(folder, { limit: 10_000_000 });
}

/** Calls with an intent and no settlement, worked out again. */
function openEnds(records: readonly ReadRecord[]): readonly string[] {
  const open = new Set<string>();
  for (const { text, call } of records) {
    const type = readEnvelope(text)?.record.type;
    if (type === 'intent') open.add(call ?? '');
    if (type === 'settlement') open.delete(call ?? '');
  }
  return [...open];
}

describe('[P.bad.kill-nine] kill -9 under load', () => {
  test(
    `${kills} times: verifies each time, keeps what was acknowledged, lists what is unsettled`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pawl-kill-'));
      const said: Said = { records: [], keys: [], generation: 0 };
      for (let turn = 0; turn < kills; turn += 1) {
        await killOnce(folder, said, turn);
        if (turn === 4 && said.records.length === 0) throw new Error('the child writes nothing');
        const report = await verifyStore(folder);
        const records = await allRecords(folder);
        const written = new Set(records.map(({ call }) => call));
        expect(report).toEqual({ ok: true, records: records.length, unsettled: openEnds(records) });
        expect(said.records.filter((call) => !written.has(call))).toEqual([]);
      }
      const store = await openStore(folder);
      const current = await store.generations.current();
      expect(current?.number).toBeGreaterThanOrEqual(said.generation);
      expect(current?.epochs).toEqual({ reporter: current?.number });
      const keys = new Set((await store.keys.list()).map(({ id }) => String(id)));
      expect(said.keys.filter((id) => !keys.has(id))).toEqual([]);
      await store.close();
      expect(said.records.length).toBeGreaterThan(kills);
    },
    60_000 + kills * 15_000,
  );

  test('a store that a killed process held is free at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-kill-'));
    const process = spawn(globalThis.process.execPath, [...sourceArguments, child, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(process, 'close');
    await listen(process, { records: [], keys: [], generation: 0 }).opened;
    await expect(openStore(folder)).rejects.toMatchObject({ code: 'held' });
    process.kill('SIGKILL');
    await ended;
    await (await openStore(folder)).close();
  });
});
