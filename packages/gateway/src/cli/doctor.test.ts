import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { whyNoSandbox } from '../../../../test/bubblewrap.js';
import { pawl } from '../../../../test/command-line.js';
import { newFolder } from '../../../../test/control-daemon.js';
import { nodeCheck } from './doctor-checks.js';

interface Seen {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly state: string; readonly text: string }[];
}

async function doctor(...args: readonly string[]): Promise<Seen & { readonly exit: number }> {
  const { exit, out } = await pawl('doctor', '--json', ...args);
  return { ...(JSON.parse(out) as Seen), exit };
}

function policyIn(folder: string, server: string): string {
  const file = join(folder, 'pawl.yaml');
  writeFileSync(
    file,
    `pawl: 1\nservers: { files: { command: x, ${server} } }\nagents: { a: { allow: [] } }\n`,
  );
  return file;
}

function stateOf({ checks }: Seen, name: string): string | undefined {
  return checks.find((check) => check.name === name)?.state;
}

afterEach(() => void vi.unstubAllEnvs());

describe('doctor [P.cli.doctor]', () => {
  test('finds what Pawl needs in one line each, and exits 0', async () => {
    const { exit, out } = await pawl('doctor', '--store', newFolder());
    expect(exit).toBe(0);
    const names = [
      'node',
      'database',
      'sockets',
      'store',
      'descriptor walk',
      'sandbox',
      'prlimit',
      'compartments',
    ];
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => names.find((name) => line.includes(` ${name} `))),
    ).toEqual(names);
  });

  test('says what to do where no temporary folder can be made, and looks at everything else', async () => {
    const folder = newFolder();
    vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
    const seen = await doctor('--store', folder, '--policy', policyIn(folder, 'sandbox: { read: [.] }'));
    expect(seen.exit).toBe(1);
    const bad = seen.checks.filter(({ state }) => state === 'bad');
    expect(bad.map(({ name }) => name)).toEqual(expect.arrayContaining(['database', 'sockets']));
    expect(bad[0]?.text).toContain('TMPDIR');
    expect(stateOf(seen, 'node')).toBe('ok');
    expect(stateOf(seen, 'store')).toBe('ok');
  });

  test('exits 1 for a store that is open to others, and says what to do', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    const seen = await doctor('--store', folder);
    expect([seen.exit, seen.ok, stateOf(seen, 'store')]).toEqual([1, false, 'bad']);
    expect(seen.checks.find(({ name }) => name === 'store')?.text).toContain('chmod 700');
  });

  test('exits 1 for a store whose sockets would have too long a path', async () => {
    const seen = await doctor('--store', join(newFolder(), 'x'.repeat(120)));
    expect([seen.exit, seen.ok]).toEqual([1, false]);
  });

  test('a sandbox that nobody demands is no fault', async () => {
    const seen = await doctor('--policy', policyIn(newFolder(), 'args: []'));
    expect([seen.exit, stateOf(seen, 'server files')]).toEqual([0, 'ok']);
    expect(stateOf(seen, 'sandbox')).toBe(whyNoSandbox() === undefined ? 'ok' : 'absent');
  });

  test('a sandbox that a policy demands is proved, and its absence exits 1', async () => {
    const folder = newFolder();
    const [data, policy] = ['data', 'policy'].map((name) => join(folder, name)) as [string, string];
    for (const each of [data, policy]) mkdirSync(each);
    const had = await doctor('--policy', policyIn(policy, 'sandbox: { read: [../data] }'));
    expect([had.ok, stateOf(had, 'server files')]).toEqual(
      whyNoSandbox() === undefined ? [true, 'ok'] : [false, 'bad'],
    );
    const own = await doctor('--policy', policyIn(policy, 'sandbox: { read: [.] }'));
    expect([own.exit, stateOf(own, 'server files')]).toEqual([1, 'bad']);
  });

  test('exits 3 for a policy that cannot be read, and 2 for a word', async () => {
    const folder = newFolder();
    expect((await pawl('doctor', '--policy', policyIn(folder, 'sandbox: all'))).exit).toBe(3);
    expect((await pawl('doctor', 'now')).exit).toBe(2);
  });

  test('knows which versions of Node are too old', () => {
    expect([nodeCheck('18.20.1').state, nodeCheck('20.0.0').state, nodeCheck('24.1.0').state]).toEqual([
      'bad',
      'ok',
      'ok',
    ]);
  });
});
