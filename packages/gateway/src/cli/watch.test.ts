import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchFiles } from './watch.js';

interface Watched {
  readonly folder: string;
  readonly file: string;
  /** What the file held at each call. */
  readonly seen: string[];
}

function watched(
  setUp: (folder: string) => string = plain,
  files: (folder: string) => string[] = () => [],
): Watched {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-watch-'));
  const file = setUp(folder);
  const seen: string[] = [];
  const watch = watchFiles({
    files: () => [file, ...files(folder)],
    changed: () => Promise.resolve(void seen.push('changed')),
    log: (line) => void seen.push(line),
    quietMs: 120,
    pollMs: 200,
  });
  onTestFinished(() => {
    watch.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, file, seen };
}

function plain(folder: string): string {
  const file = join(folder, 'pawl.yaml');
  writeFileSync(file, 'one');
  return file;
}

const changes = (it: Watched, count: number): Promise<void> =>
  vi.waitFor(() => expect(it.seen).toHaveLength(count), { timeout: 10_000, interval: 10 });

/** Longer than a change needs to be told of. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));

describe('[P.reload.triggers] a watch', () => {
  test('tells of a file that is written in place, replaced by another, removed and made again', async () => {
    const it = watched();
    writeFileSync(it.file, 'two');
    await changes(it, 1);
    writeFileSync(`${it.file}.new`, 'three');
    renameSync(`${it.file}.new`, it.file);
    await changes(it, 2);
    rmSync(it.file);
    await changes(it, 3);
    writeFileSync(it.file, 'four');
    await changes(it, 4);
  });

  test('tells of a link that is swapped as Kubernetes swaps its volumes', async () => {
    const it = watched((folder) => {
      for (const [version, text] of [
        ['v1', 'one'],
        ['v2', 'two'],
      ] as const) {
        mkdirSync(join(folder, version));
        writeFileSync(join(folder, version, 'pawl.yaml'), text);
      }
      symlinkSync('v1', join(folder, '..data'));
      symlinkSync(join('..data', 'pawl.yaml'), join(folder, 'pawl.yaml'));
      return join(folder, 'pawl.yaml');
    });
    symlinkSync('v2', join(it.folder, '..data_tmp'));
    renameSync(join(it.folder, '..data_tmp'), join(it.folder, '..data'));
    await changes(it, 1);
  });

  test('waits for a file that is being written, and tells once', async () => {
    const it = watched();
    for (let part = 0; part < 12; part += 1) {
      writeFileSync(it.file, 'x'.repeat(part + 10));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(it.seen).toEqual([]);
    await changes(it, 1);
    await rest();
    expect(it.seen).toHaveLength(1);
  });

  test('goes by content: what is touched, or put back before it came to rest, is no change', async () => {
    const it = watched();
    writeFileSync(it.file, 'one');
    writeFileSync(join(it.folder, 'beside'), 'x');
    writeFileSync(it.file, 'two');
    writeFileSync(it.file, 'one');
    await rest();
    expect(it.seen).toEqual([]);
  });

  test('tells of facts as well, in whatever folder', async () => {
    const it = watched(plain, (folder) => [join(folder, 'facts', 'oncall.json')]);
    mkdirSync(join(it.folder, 'facts'));
    writeFileSync(join(it.folder, 'facts', 'oncall.json'), '{}');
    await changes(it, 1);
    writeFileSync(join(it.folder, 'facts', 'oncall.json'), '{"a":1}');
    await changes(it, 2);
  });
});
