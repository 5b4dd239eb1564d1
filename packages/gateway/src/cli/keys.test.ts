import { existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@pawl/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Ended, jsonLines, pawl } from '../../../../test/command-line.js';
import { fakeSource } from '../../../../test/fake-reload.js';
import { controlDaemon, newFolder } from '../../../../test/control-daemon.js';
import { authenticate, readKeyFile } from '../identity/index.js';
import { type Store, StoreError, openStore } from '../store/index.js';

const policyText = `
pawl: 1
servers: { files: { command: x } }
agents:
  reader: { allow: [{ tools: [files/read] }] }
  reporter: { allow: [{ tools: [files/read] }] }
instances:
  reporter/alice: {}
`;

interface Desk {
  readonly store: string;
  readonly out: string;
  readonly policy: string;
}

/** A folder with a policy, a place for a key file, and none yet for a store. */
function desk(text: string = policyText): Desk {
  const folder = newFolder();
  const policy = join(folder, 'pawl.yaml');
  writeFileSync(policy, text);
  return { store: join(folder, '.pawl'), out: join(folder, 'a.key'), policy };
}

function issue({ store, out }: Pick<Desk, 'store' | 'out'>, ...more: readonly string[]): Promise<Ended> {
  return pawl('keys', 'issue', '--store', store, '--out', out, ...more);
}

async function opened(folder: string): Promise<Store> {
  const store = await openStore(folder);
  onTestFinished(() => store.close());
  return store;
}

function keyIn(path: string): { readonly key: string; readonly agents: string; readonly url?: string } {
  const read = readKeyFile(path);
  if (!read.ok) throw new Error(read.why);
  return read.file;
}

async function keysListed(store: string): Promise<readonly unknown[]> {
  const { exit, out } = await pawl('keys', 'list', '--store', store, '--json');
  expect(exit).toBe(0);
  return jsonLines(out);
}

describe('keys of a revoked executor', () => {
  test('[P.session.revoked-executor] are shown as dead, and no further one is issued; others are as they were', async () => {
    const place = desk();
    for (const [agent, name] of [
      ['reader', 'one'],
      ['reporter', 'two'],
    ] as const) {
      const instance = agent === 'reporter' ? ['--instance', 'alice'] : [];
      const out = join(place.store, '..', `${name}.key`);
      const { exit } = await issue({ store: place.store, out }, '--agent', agent, ...instance);
      expect(exit).toBe(0);
    }
    expect((await pawl('revoke', 'executor', 'reader', '--store', place.store)).exit).toBe(0);
    const { out } = await pawl('keys', 'list', '--store', place.store);
    expect(out).toMatch(/ reader {2,}\S+ {2}dead: its executor was revoked \d{4}-/u);
    expect(out).toMatch(/ reporter\/alice {2,}\S+ {2}valid\n/u);
    expect(await keysListed(place.store)).toMatchObject([
      { agent: 'reader', executorRevokedAt: expect.any(Number) as number },
      { agent: 'reporter' },
    ]);
    const refused = await issue(place, '--agent', 'reader');
    expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(refused.err).toContain('reader was revoked at ');
    expect(refused.err).toContain('give it another name in the policy');
    expect(existsSync(place.out)).toBe(false);
    expect((await issue(place, '--agent', 'reporter', '--instance', 'alice')).exit).toBe(0);
  });
});

describe('keys issue', () => {
  test('[P.session.key-file-mode] writes a key that opens sessions, readable by its owner only, and shows no secret', async () => {
    const place = desk();
    const { exit, out, err } = await issue(place, '--agent', 'reporter', '--instance', 'alice');
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(statSync(place.out).mode & 0o777).toBe(0o600);
    const { key, agents } = keyIn(place.out);
    expect(agents).toBe(join(place.store, 'agents.sock'));
    expect(out).toMatch(/^key [a-z2-7]{16} of reporter\/alice is in \/.*a\.key\n$/u);
    expect(out).not.toContain(key.split('_').slice(2).join('_'));
    const store = await opened(place.store);
    const credential = authenticate((id) => store.keys.find(id), key);
    expect(credential).toMatchObject({ agent: 'reporter', instance: 'alice' });
  });

  test('[P.cli.json] prints one object that names the key and the file, and no secret', async () => {
    const place = desk();
    const { out } = await issue(place, '--agent', 'reader', '--json');
    const { key } = keyIn(place.out);
    expect(jsonLines(out)).toEqual([{ id: key.split('_')[1], agent: 'reader', file: place.out }]);
  });

  test.each(['a file', 'a link to nowhere', 'a folder'])('never touches %s that is there', async (kind) => {
    const place = desk();
    if (kind === 'a file') writeFileSync(place.out, 'mine');
    if (kind === 'a link to nowhere') symlinkSync(join(place.store, 'target'), place.out);
    if (kind === 'a folder') mkdirSync(place.out);
    const before = lstatSync(place.out);
    const { exit, err } = await issue(place, '--agent', 'reader');
    expect(exit).toBe(1);
    expect(err).toContain('exists; name a new file');
    expect(lstatSync(place.out)).toEqual(before);
    expect(existsSync(place.store)).toBe(false);
  });

  test('stores no key whose file cannot be made', async () => {
    const place = { ...desk(), out: '/nowhere/a.key' };
    const { exit, err } = await issue(place, '--agent', 'reader');
    expect(exit).toBe(1);
    expect(err).toContain('/nowhere/a.key cannot be made: there is no such folder');
    expect(existsSync(place.store)).toBe(false);
  });

  test.each([
    [['--agent', 'writer'], 'there is no agent writer; the policy has reader, reporter'],
    [['--agent', 'reporter'], 'agent reporter acts only through an instance; it has alice'],
    [['--agent', 'reporter', '--instance', 'bob'], 'agent reporter has no instance bob; it has alice'],
    [['--agent', 'reader', '--instance', 'alice'], 'agent reader has no instance alice'],
  ])('[P.cli.exit-codes] exits 1 for %j and leaves no file', async (holder, why) => {
    const place = desk();
    const { exit, out, err } = await issue(place, '--policy', place.policy, ...holder);
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toContain(why);
    expect(existsSync(place.out)).toBe(false);
    expect(await keysListed(place.store)).toEqual([]);
  });

  test('asks the generation of the store before the document beside it', async () => {
    const place = desk();
    const store = await openStore(place.store);
    const document = policyText.replaceAll('reader', 'auditor');
    await store.generations.put({
      number: 1,
      hash: sha256(document),
      source: fakeSource(document),
      epochs: {},
    });
    await store.close();
    const refused = await issue(place, '--policy', place.policy, '--agent', 'reader');
    expect(refused.exit).toBe(1);
    expect(refused.err).toContain('there is no agent reader; the policy has auditor, reporter');
    expect((await issue(place, '--agent', 'auditor')).exit).toBe(0);
  });

  test('[P.cli.exit-codes] exits 3 for a policy that cannot be read', async () => {
    const place = desk('pawl: 1\nagents: [\n');
    const { exit, out, err } = await issue(place, '--policy', place.policy, '--agent', 'reader', '--json');
    expect({ exit, out }).toEqual({ exit: 3, out: '' });
    expect(jsonLines(err)).toMatchObject([{ error: { file: place.policy } }]);
    expect(existsSync(place.out)).toBe(false);
  });

  test('makes a store beside the policy that was named', async () => {
    const place = desk();
    const { exit } = await pawl(
      'keys',
      'issue',
      '--policy',
      place.policy,
      '--agent',
      'reader',
      '--out',
      place.out,
    );
    expect(exit).toBe(0);
    expect(keyIn(place.out).agents).toBe(join(place.store, 'agents.sock'));
  });
});

describe('keys list and revoke', () => {
  test('[P.cli.json] show keys without salt and hash', async () => {
    const place = desk();
    await issue(place, '--agent', 'reader');
    const id = keyIn(place.out).key.split('_')[1];
    expect(await keysListed(place.store)).toEqual([{ id, agent: 'reader', issuedAt: expect.any(Number) }]);
    const { out } = await pawl('keys', 'list', '--store', place.store);
    expect(out).toMatch(/^ID {16}EXECUTOR {2}ISSUED {20}STATE\n[a-z2-7]{16} {2}reader {4}\S+Z {2}valid\n$/u);
  });

  test('say that there are no keys, and in JSON nothing', async () => {
    const { store } = desk();
    await (await openStore(store)).close();
    expect(await pawl('keys', 'list', '--store', store)).toEqual({ exit: 0, out: 'no keys\n', err: '' });
    expect(await pawl('keys', 'list', '--store', store, '--json')).toEqual({ exit: 0, out: '', err: '' });
  });

  test('[P.session.unknown-key] revoke a key once; it opens no session afterwards', async () => {
    const place = desk();
    await issue(place, '--agent', 'reader');
    const { key } = keyIn(place.out);
    const id = key.split('_')[1]!;
    expect(await pawl('keys', 'revoke', id, '--store', place.store)).toMatchObject({ exit: 0, err: '' });
    const again = await pawl('keys', 'revoke', id, '--store', place.store, '--json');
    expect({ exit: again.exit, lines: jsonLines(again.out) }).toEqual({
      exit: 0,
      lines: [{ id, changed: false }],
    });
    expect((await pawl('keys', 'list', '--store', place.store)).out).toContain('revoked 2');
    const store = await opened(place.store);
    expect(authenticate((known) => store.keys.find(known), key)).toBeUndefined();
  });

  test('take a whole key that was pasted for its id, and never repeat it', async () => {
    const place = desk();
    await issue(place, '--agent', 'reader');
    const { key } = keyIn(place.out);
    const { exit, out } = await pawl('keys', 'revoke', key, '--store', place.store);
    expect(exit).toBe(0);
    expect(out).not.toContain(key.split('_').slice(2).join('_'));
    const wrong = await pawl('keys', 'revoke', `${key}x`, '--store', place.store);
    expect(wrong.exit).toBe(2);
    expect(wrong.err).not.toContain(key.split('_').slice(2).join('_'));
  });

  test('[P.cli.exit-codes] exit 1 for a key that does not exist and for a store that does not', async () => {
    const place = desk();
    const revoke = ['keys', 'revoke', 'aaaaaaaaaaaaaaaa', '--store', place.store];
    expect((await pawl(...revoke)).err).toContain(
      `there is no store in ${place.store}; name it with --store`,
    );
    await (await openStore(place.store)).close();
    expect(await pawl(...revoke)).toEqual({
      exit: 1,
      out: '',
      err: 'pawl keys revoke: there is no key aaaaaaaaaaaaaaaa\n',
    });
  });
});

describe('keys beside a daemon', () => {
  test('are issued through its socket; the file names its HTTP endpoint', async () => {
    const daemon = await controlDaemon(newFolder());
    const out = join(daemon.folder, 'a.key');
    expect((await issue({ store: daemon.folder, out }, '--agent', 'reader')).exit).toBe(0);
    const { key, url } = keyIn(out);
    expect(url).toBe('http://127.0.0.1:7295/mcp');
    expect(authenticate((id) => daemon.store.keys.find(id), key)).toMatchObject({ agent: 'reader' });
  });

  test('are refused with the names of the generation in force', async () => {
    const daemon = await controlDaemon(newFolder());
    await daemon.store.generations.put({
      number: 1,
      hash: sha256('1'),
      source: fakeSource(policyText),
      epochs: {},
    });
    const out = join(daemon.folder, 'a.key');
    const { exit, err } = await issue({ store: daemon.folder, out }, '--agent', 'writer');
    expect({ exit, err }).toEqual({
      exit: 1,
      err: 'pawl keys issue: there is no agent writer; the policy has reader, reporter\n',
    });
    expect(existsSync(out)).toBe(false);
  });

  test('are issued to two callers at once, each its own', async () => {
    const daemon = await controlDaemon(newFolder());
    const outs = ['a', 'b'].map((name) => join(daemon.folder, `${name}.key`));
    const ends = await Promise.all(
      outs.map((out) => issue({ store: daemon.folder, out }, '--agent', 'reader')),
    );
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0]);
    const ids = outs.map((out) => keyIn(out).key.split('_')[1]);
    expect(new Set((await daemon.store.keys.list()).map(({ id }) => id))).toEqual(new Set(ids));
  });

  test('one file goes to exactly one of two callers at once', async () => {
    const daemon = await controlDaemon(newFolder());
    const out = join(daemon.folder, 'a.key');
    const ends = await Promise.all(
      [0, 1].map(() => issue({ store: daemon.folder, out }, '--agent', 'reader')),
    );
    expect(ends.map(({ exit }) => exit).sort((a, b) => a - b)).toEqual([0, 1]);
    expect(await daemon.store.keys.list()).toHaveLength(1);
    expect(keyIn(out).key).toContain((await daemon.store.keys.list())[0]?.id);
  });

  test('are revoked in the daemon at once and in the store', async () => {
    const daemon = await controlDaemon(newFolder());
    const out = join(daemon.folder, 'a.key');
    await issue({ store: daemon.folder, out }, '--agent', 'reader');
    const id = keyIn(out).key.split('_')[1]!;
    expect((await pawl('keys', 'revoke', id, '--store', daemon.folder)).exit).toBe(0);
    expect(daemon.revoked).toEqual([{ kind: 'key', id }]);
    expect(await daemon.store.keys.list()).toMatchObject([{ id, revokedAt: expect.any(Number) }]);
    expect((await pawl('keys', 'revoke', 'aaaaaaaaaaaaaaaa', '--store', daemon.folder)).exit).toBe(1);
    expect(daemon.revoked).toEqual([{ kind: 'key', id }]);
  });

  test('are revoked in the daemon also when its store takes no writes, and the answer says so', async () => {
    const full = (): Promise<never> => Promise.reject(new StoreError('refused', 'the disk is full'));
    const daemon = await controlDaemon(newFolder(), {}, (store) => ({
      ...store,
      keys: { ...store.keys, revoke: full },
    }));
    const out = join(daemon.folder, 'a.key');
    await issue({ store: daemon.folder, out }, '--agent', 'reader');
    const id = keyIn(out).key.split('_')[1]!;
    const { exit, err } = await pawl('keys', 'revoke', id, '--store', daemon.folder);
    expect(exit).toBe(1);
    expect(err).toContain('could not be stored');
    expect(err).toContain('the disk is full');
    expect(daemon.revoked).toEqual([{ kind: 'key', id }]);
  });

  test('leave no file when the store does not take them', async () => {
    const full = (): Promise<never> => Promise.reject(new StoreError('refused', 'the disk is full'));
    const daemon = await controlDaemon(newFolder(), {}, (store) => ({
      ...store,
      keys: { ...store.keys, issue: full },
    }));
    const out = join(daemon.folder, 'a.key');
    const { exit, err } = await issue({ store: daemon.folder, out }, '--agent', 'reader', '--json');
    expect(exit).toBe(1);
    expect(jsonLines(err)).toEqual([{ error: { code: 'unavailable', message: 'the disk is full' } }]);
    expect(existsSync(out)).toBe(false);
  });

  test('[P.run.one-daemon] say so when somebody holds the store without a socket', async () => {
    const folder = newFolder();
    await opened(folder);
    const { exit, err } = await pawl('keys', 'list', '--store', folder);
    expect(exit).toBe(1);
    expect(err).toContain(`another process holds the store in ${folder}`);
  });

  test('[P.cli.exit-codes] exit 4 when something broke inside, without a word of what', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('stack'));
    const daemon = await controlDaemon(newFolder(), {}, (store) => ({
      ...store,
      keys: { ...store.keys, list: broken },
    }));
    const { exit, err } = await pawl('keys', 'list', '--store', daemon.folder);
    expect({ exit, told: err.includes('stack') }).toEqual({ exit: 4, told: false });
    expect(daemon.failures).toHaveLength(1);
  });
});

describe('keys on the command line', () => {
  test.each([
    ['keys'],
    ['keys', 'forge'],
    ['keys', 'list', 'all'],
    ['keys', 'list', '--out', 'x'],
    ['keys', 'revoke'],
    ['keys', 'revoke', 'aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'],
    ['keys', 'revoke', 'short'],
    ['keys', 'issue', '--out', 'x'],
    ['keys', 'issue', '--agent', 'a'],
    ['keys', 'issue', '--agent', 'a b', '--out', 'x'],
    ['keys', 'issue', '--agent', 'a', '--instance', 'a/b', '--out', 'x'],
    ['keys', 'issue', '--agent', 'a', '--out', 'x', '--secret', 'y'],
  ])('[P.cli.exit-codes] exits 2 for: %s %s %s %s %s', async (...argv) => {
    const { exit, out, err } = await pawl(...argv.filter((word) => word !== undefined));
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain('usage:   pawl keys issue --agent A');
  });

  test('[P.cli.help] has help with an example', async () => {
    const { exit, out } = await pawl('keys', '--help');
    expect(exit).toBe(0);
    expect(out).toContain(
      'example: pawl keys issue --policy examples/quickstart/pawl.yaml --agent reporter --out new.key.json\n',
    );
  });
});
