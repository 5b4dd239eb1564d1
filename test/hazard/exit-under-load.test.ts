/** A process that ends itself while its store writes ends as it said, and the store is whole. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyStore } from '../../packages/gateway/src/store/index.js';
import { sourceArguments, sourceFile } from '../source/arguments.js';

const child = sourceFile('./store-under-load.ts', import.meta.url);

test('a process that exits in the middle of its writes ends with its own code, and the chain verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-exit-'));
  for (let turn = 0; turn < 5; turn += 1) {
    const process = spawn(globalThis.process.execPath, [...sourceArguments, child, folder, '20000'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(process, 'close');
    let said = '';
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > 40 + turn) process.stdin.end();
    });
    expect(await ended).toEqual([7, null]);
    expect(await verifyStore(folder)).toMatchObject({ ok: true });
  }
}, 60_000);
