import { join } from 'node:path';
import { type AuditRecord, executorId, mintId, parseAgentName, parseToolName } from '@pawl/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jsonLines, pawl } from '../../../../test/command-line.js';
import { controlDaemon, newFolder } from '../../../../test/control-daemon.js';
// The store's own connection, to change what it holds behind its back.
import { Database } from '../store/database.js';
import { type Store, openStore, storePaths } from '../store/index.js';

const reporter = parseAgentName('reporter')!;
const tool = parseToolName('files/read_file')!;
const alice = executorId(reporter, 'alice');
const facts = { executor: alice, tool };
const read = (path: string): AuditRecord => ({
  type: 'intent',
  verdict: 'permit',
  level: 'permit',
  rules: ['agents.reporter.allow[0]'],
  call: mintId.call(`c_${path.slice(1)}`),
  ...facts,
  target: [{ tool, verb: 'read', path }],
});

const settled: AuditRecord = { type: 'settlement', call: mintId.call('c_a'), outcome: 'ok', milliseconds: 3 };

const refusal: AuditRecord = {
  type: 'refusal',
  verdict: 'deny',
  code: 'not_permitted',
  layer: 'policy',
  message: 'no',
  call: mintId.call('c_r'),
  executor: executorId(reporter),
  tool: parseToolName('files/write_file')!,
  target: [{ tool: 'files/write_file', verb: 'write', path: '/b' }],
};

/** Two permitted calls, one of them without an end, and a refused one; records 1 to 4. */
async function fill(store: Store): Promise<void> {
  await store.audit.append(read('/a')).durable;
  store.audit.note(settled);
  await store.audit.append(read('/b'), { path: '/b' }).durable;
  store.audit.note(refusal);
}

async function filledFolder(): Promise<string> {
  const folder = newFolder();
  const store = await openStore(folder);
  await fill(store);
  await store.close();
  return folder;
}

/** Changes one character of the text of a record, behind the store's back. */
function tamper(folder: string, seq: number): void {
  const database = new Database(storePaths(folder).database);
  try {
    database.run(`UPDATE records SET text = replace(text, '"level":"p', '"level":"P') WHERE seq = ?`, seq);
  } finally {
    database.close();
  }
}

describe('audit verify', () => {
  test('counts what is whole and lists calls without an end', async () => {
    const folder = await filledFolder();
    expect(await pawl('audit', 'verify', '--store', folder)).toEqual({
      exit: 0,
      out: 'whole: 5 records verified\n1 unsettled call: an intent without an end (in flight, or cut off)\n  c_b\n',
      err: '',
    });
  });

  test('[P.cli.json] prints the report as one object', async () => {
    const folder = await filledFolder();
    const { out } = await pawl('audit', 'verify', '--store', folder, '--json');
    expect(jsonLines(out)).toEqual([{ ok: true, records: 5, unsettled: ['c_b'] }]);
  });

  test('[P.audit.tamper-evident] exits 1 and says where and why when one character was changed', async () => {
    const folder = await filledFolder();
    tamper(folder, 3);
    const { exit, out } = await pawl('audit', 'verify', '--store', folder);
    expect(exit).toBe(1);
    expect(out).toContain(
      'BROKEN at record 3: the record is not the one that was chained; 3 records before it verified',
    );
    const json = await pawl('audit', 'verify', '--store', folder, '--json');
    expect(json.exit).toBe(1);
    expect(jsonLines(json.out)).toMatchObject([{ ok: false, brokenAt: 3 }]);
  });

  test('[P.audit.tamper-evident] works while a daemon runs, which writes first what it had only noted', async () => {
    const { folder, store } = await controlDaemon(newFolder());
    await fill(store);
    const whole = await pawl('audit', 'verify', '--store', folder, '--json');
    expect(jsonLines(whole.out)).toEqual([{ ok: true, records: 5, unsettled: ['c_b'] }]);
    tamper(folder, 1);
    expect((await pawl('audit', 'verify', '--store', folder)).exit).toBe(1);
  });

  test('works while somebody holds the store without a socket', async () => {
    const folder = newFolder();
    const store = await openStore(folder);
    onTestFinished(() => store.close());
    expect((await pawl('audit', 'verify', '--store', folder)).exit).toBe(0);
  });

  test('[P.cli.exit-codes] exits 1 where there is no store, and makes none', async () => {
    const folder = join(newFolder(), 'none');
    const { exit, err } = await pawl('audit', 'verify', '--store', folder);
    expect(exit).toBe(1);
    expect(err).toContain(`there is no store in ${folder}; name it with --store`);
  });
});

describe('audit show', () => {
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

  test('prints a line a record: time, call, executor, tool, verdict, outcome, target', async () => {
    const folder = await filledFolder();
    const { exit, out } = await pawl('audit', 'show', '--store', folder, '--limit', '4');
    expect(exit).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(new RegExp(`^${time}  `, 'u'), ''))).toEqual([
      'c_a  reporter/alice  files/read_file   permit   -              read path="/a"',
      'c_a  reporter/alice  files/read_file   settled  ok',
      'c_b  reporter/alice  files/read_file   permit   -              read path="/b"',
      'c_r  reporter        files/write_file  deny     not_permitted  write path="/b"',
    ]);
    expect(lines.every((line) => new RegExp(`^${time}  `, 'u').test(line))).toBe(true);
  });

  test('shows events with their data', async () => {
    const folder = await filledFolder();
    const { out } = await pawl('audit', 'show', '--store', folder);
    expect(out.split('\n')[0]).toMatch(/ {2}event +store_created +\{"id":"[a-z2-7]{26}",/u);
  });

  test('[P.cli.json] prints the stored texts, byte for byte, offline and through a daemon', async () => {
    const folder = await filledFolder();
    const offline = await pawl('audit', 'show', '--store', folder, '--json');
    const { store } = await controlDaemon(folder);
    const texts = (await store.records()).map(({ text }) => `${text}\n`).join('');
    expect(offline.out).toBe(texts);
    expect((await pawl('audit', 'show', '--store', folder, '--json')).out).toBe(texts);
  });

  test('shows the newest, of one call, of one executor', async () => {
    const folder = await filledFolder();
    const seqs = async (...argv: readonly string[]): Promise<readonly unknown[]> => {
      const { out } = await pawl('audit', 'show', '--store', folder, '--json', ...argv);
      return jsonLines(out).map((line) => (line as { seq: number }).seq);
    };
    expect(await seqs('--limit', '2')).toEqual([3, 4]);
    expect(await seqs('--call', 'c_a')).toEqual([1, 2]);
    expect(await seqs('--executor', 'reporter')).toEqual([4]);
    expect(await seqs('--executor', 'reporter/alice', '--limit', '2')).toEqual([2, 3]);
    expect(await seqs('--call', 'c_none')).toEqual([]);
  });

  test('never hands a terminal what a model wrote as a command', async () => {
    const { folder, store } = await controlDaemon(newFolder());
    await store.audit.append(read('/\u001b]0;owned\u0007\u009b2J\u202e\ninjected')).durable;
    const { out } = await pawl('audit', 'show', '--store', folder, '--limit', '1');
    expect(out.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(out).toContain('owned');
  });

  test.each([
    ['audit'],
    ['audit', 'erase'],
    ['audit', 'show', 'all'],
    ['audit', 'show', '--limit', '0'],
    ['audit', 'show', '--limit', 'ten'],
    ['audit', 'show', '--limit', '10001'],
    ['audit', 'show', '--call', ''],
    ['audit', 'verify', '--limit', '3'],
    ['audit', 'verify', '--since', 'monday'],
  ])('[P.cli.exit-codes] exits 2 for: %s %s %s %s', async (...argv) => {
    const { exit, out, err } = await pawl(...argv.filter((word) => word !== undefined));
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain('usage:   pawl audit verify [--json]');
  });

  test('[P.cli.help] has help with an example', async () => {
    expect((await pawl('audit', '--help')).out).toContain('example: pawl audit verify --policy ');
    expect((await pawl('status', '--help')).out).toContain('example: pawl status --policy ');
  });
});
