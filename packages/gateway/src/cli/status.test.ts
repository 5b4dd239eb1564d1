import { parseServerName } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { jsonLines, pawl } from '../../../../test/command-line.js';
import { controlDaemon, liveExample, newFolder } from '../../../../test/control-daemon.js';

describe('status', () => {
  test('[P.cli.status] shows a small system on one screen', async () => {
    const { folder, store } = await controlDaemon(newFolder());
    const { exit, out, err } = await pawl('status', '--store', folder);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    const head = store.head();
    expect(lines).toEqual([
      `store       ${store.id} in ${folder}`,
      expect.stringMatching(/^daemon {6}pid \d+, up 1 h 2 min, \d+ MiB$/u),
      'generation  7 7902699be42c, 1 call pinned, 2 KiB, posture recheck',
      'older       6 e7f6c011776e  2 calls pinned  1000 B  replaced 1 min 1 s ago',
      'executors   reporter        epoch 0',
      '            reporter/alice  epoch 12',
      'servers     files   up    14 tools  0 restarts  confined by object',
      '            memory  down  0 tools   1 restart   confined by name    the process ended with code 1',
      'sessions    2 open, 3 calls in flight',
      `audit       head ${head.seq} ${head.hash.slice(0, 12)}, healthy`,
      'http        http://127.0.0.1:7295/mcp',
    ]);
  });

  test('[P.cli.status] exits 1 without a daemon and says how to start one', async () => {
    const folder = newFolder();
    const named = await pawl('status', '--store', folder, '--policy', 'my.yaml');
    expect(named).toEqual({
      exit: 1,
      out: '',
      err: `pawl status: no daemon runs on the store in ${folder}; start one with: pawl run my.yaml\n`,
    });
    const json = await pawl('status', '--store', folder, '--json');
    expect({ exit: json.exit, out: json.out }).toEqual({ exit: 1, out: '' });
    expect(jsonLines(json.err)).toMatchObject([{ error: { code: 'refused' } }]);
  });

  test('[P.cli.json] prints everything as one object', async () => {
    const { folder, store } = await controlDaemon(newFolder());
    const { out } = await pawl('status', '--store', folder, '--json');
    expect(jsonLines(out)).toEqual([
      {
        ...liveExample,
        store: { id: store.id, folder },
        audit: { ...store.head(), healthy: true },
        process: { pid: process.pid, memory: expect.any(Number) },
      },
    ]);
  });

  test('stays on one screen with many executors, servers and generations, and counts the rest', async () => {
    const many = Array.from({ length: 50 }, (_, at) => at);
    const [generation, executor, server] = [
      liveExample.generations[0]!,
      liveExample.executors[0]!,
      liveExample.servers[0]!,
    ];
    const { folder } = await controlDaemon(newFolder(), {
      generations: many.map((at) => ({ ...generation, number: 100 - at })),
      executors: many.map(() => executor),
      servers: many.map((at) => ({ ...server, server: parseServerName(`s${at}`)! })),
    });
    const { out } = await pawl('status', '--store', folder);
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    expect(out).toContain('and 44 more');
    expect(out).toContain('and 45 more');
  });

  test('[P.cli.status] says what is frozen, and loudly that the last reload did not go through', async () => {
    const refusedReload = { at: 0, trigger: 'watch', kind: 'refused' } as const;
    const { folder } = await controlDaemon(newFolder(), { frozen: ['*', 'reporter'], refusedReload });
    const { out } = await pawl('status', '--store', folder);
    expect(out).toContain('frozen      everything, reporter\n');
    expect(out).toContain(
      'reload      REFUSED at 1970-01-01T00:00:00.000Z by watch; pawl reload shows why\n',
    );
  });

  test('[P.ask.status] says how many calls wait for an approval, and for how long the oldest has', async () => {
    const { folder } = await controlDaemon(newFolder(), { asks: { waiting: 2, oldest: 61_000 } });
    const { out } = await pawl('status', '--store', folder);
    expect(out).toContain(
      'asks        2 calls wait for approval, the oldest for 1 min 1 s; pawl approve shows them\n',
    );
    const { out: json } = await pawl('status', '--store', folder, '--json');
    expect(jsonLines(json)).toMatchObject([{ asks: { waiting: 2, oldest: 61_000 } }]);
  });

  test('says loudly that nothing is admitted and that records cannot be written', async () => {
    const sick = { healthy: (): boolean => false };
    const live = { generations: [], executors: [], servers: [] };
    const { folder } = await controlDaemon(newFolder(), live, (store) => ({
      ...store,
      audit: { ...store.audit, ...sick },
    }));
    const { out } = await pawl('status', '--store', folder);
    expect(out).toContain('none: nothing is admitted');
    expect(out).toContain('NOT WRITABLE: calls are refused');
    expect(out).toContain('executors   none\nservers     none\n');
  });

  test('[P.cli.exit-codes] exits 2 for a word that it does not take', async () => {
    expect((await pawl('status', 'now')).exit).toBe(2);
  });
});
