/** What holds of a store on disk only: folder, lock, keys, heads, and trouble with the file. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type IntentRecord,
  type SignedHead,
  mintId,
  sha256,
  systemClock,
  systemEntropy,
  verify,
} from '@pawl/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Database } from './database.js';
import { fakeSource } from '../../../../test/fake-reload.js';
import { type Store, openStore, readAuthority, readRecords, storePaths, verifyStore } from './index.js';
import { openWriter } from './open-writer.js';
import { headVerifier } from './seal.js';

const opened: Store[] = [];

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pawl-store-'));
}

async function open(folder: string): Promise<Store> {
  const store = await openStore(folder);
  opened.push(store);
  return store;
}

function intent(call: string): IntentRecord {
  return { type: 'intent', verdict: 'permit', level: 'permit', rules: [], call: mintId.call(call) };
}

function edit(folder: string, sql: string): void {
  const database = new Database(storePaths(folder).database);
  database.script(sql);
  database.close();
}

/** A store with records and keys that nobody holds. */
async function closedStore(): Promise<string> {
  const folder = newFolder();
  const store = await openStore(folder);
  for (const call of ['a', 'b', 'c']) await store.audit.append(intent(call)).durable;
  await store.close();
  return folder;
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close().catch(() => undefined);
});

describe('[S002.unreadable-refuses] a stored ceiling whose row was changed by other hands', () => {
  const declared = ['terminal', 'files'].map((on) => ({
    of: mintId.executor('a'),
    on,
    fields: { backends: ['tmux'] },
  }));

  async function changedBy(sql: string): Promise<string> {
    const folder = newFolder();
    const store = await openStore(folder);
    const source = fakeSource('x', { declared });
    await store.generations.put({ number: 1, hash: sha256('1'), epochs: {}, source });
    await store.close();
    edit(folder, sql);
    return folder;
  }

  test.each([
    ['no JSON', 'garbage'],
    ['cut short', '{"of":"a","on":"terminal","fields":{"backends":["tm'],
    ['no object', '[]'],
    ['another type', '{"of":"a","on":"terminal","fields":["tmux"]}'],
    ['of somebody else', '{"of":"b","on":"terminal","fields":{"backends":["tmux"]}}'],
    ['for something else', '{"of":"a","on":"browser","fields":{"backends":["tmux"]}}'],
    ['empty', ''],
  ])(
    '%s: it is there without its fields, beside those that can be read, and verification tells',
    async (_what, text) => {
      const folder = await changedBy(`UPDATE rows SET text = '${text}' WHERE id = 'a terminal'`);
      const store = await open(folder);
      expect(await store.declarations.list()).toEqual([declared[1], { of: 'a', on: 'terminal' }]);
      expect(await verifyStore(folder)).toMatchObject({ ok: false });
      const next = { number: 2, hash: sha256('2'), epochs: {} };
      const unread = [declared[1]!, { of: mintId.executor('a'), on: 'terminal' }];
      await store.generations.put({ ...next, source: fakeSource('x', { declared: unread }) });
      expect(await verifyStore(folder), 'nothing heals it unseen').toMatchObject({ ok: false });
      await store.generations.put({ ...next, number: 3, source: fakeSource('x', { declared }) });
      expect(await store.declarations.list()).toEqual([declared[1], declared[0]]);
    },
  );

  test('one that does not say whose it is closes the whole list', async () => {
    const store = await open(await changedBy(`UPDATE rows SET id = 'a' WHERE id = 'a terminal'`));
    await expect(store.declarations.list()).rejects.toMatchObject({ code: 'damaged' });
  });

  test('is read beside whoever holds the store, with the executors that it knows', async () => {
    const folder = await changedBy(`UPDATE rows SET text = 'x' WHERE id = 'a files'`);
    await open(folder);
    expect(await readAuthority(folder)).toEqual({
      executors: [],
      declared: [{ of: 'a', on: 'files' }, declared[0]],
    });
    await expect(readAuthority(newFolder())).rejects.toMatchObject({ code: 'absent' });
  });
});

describe('the folder', () => {
  test('is made closed to everybody else, as are the keys', async () => {
    const folder = join(newFolder(), 'deep', 'store');
    await open(folder);
    const paths = storePaths(folder);
    const modes = [folder, paths.keys, paths.signingKey, paths.digestKey, paths.head];
    expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '700',
      '700',
      '600',
      '600',
      '600',
    ]);
  });

  test('is closed when it was empty and open to others', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    await open(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('is refused, and not touched, when it holds other files and is open to others', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'other'), '');
    chmodSync(folder, 0o755);
    await expect(open(folder)).rejects.toMatchObject({ code: 'unwritable' });
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  test('is refused where nothing can be made', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(open(join(file, 'store'))).rejects.toMatchObject({ code: 'unwritable' });
  });

  test('is refused when it cannot be written', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root writes everywhere');
    const folder = newFolder();
    chmodSync(folder, 0o500);
    await expect(open(folder)).rejects.toMatchObject({ code: 'unwritable' });
  });
});

describe('the lock', () => {
  test('refuses a second writer with a message that says why, and lets it in after the first', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await expect(open(folder)).rejects.toMatchObject({
      code: 'held',
      message: 'another process holds this store',
    });
    await first.close();
    expect((await open(folder)).id).toBe(first.id);
  });

  test('holds nobody off who only reads', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.audit.append(intent('a')).durable;
    expect(await verifyStore(folder)).toEqual({ ok: true, records: 2, unsettled: ['a'] });
    expect((await readRecords(folder, { call: 'a' })).map(({ seq }) => seq)).toEqual([1]);
    await store.audit.append(intent('b')).durable;
    expect(await verifyStore(folder)).toMatchObject({ ok: true, records: 3 });
  });

  test('is not in the way of a second store', async () => {
    const [one, other] = await Promise.all([open(newFolder()), open(newFolder())]);
    expect(one.id).not.toBe(other.id);
  });
});

describe('opening', () => {
  test.each([
    [
      'no database',
      (folder: string): void => writeFileSync(storePaths(folder).database, 'no database '.repeat(999)),
    ],
    ['a database of something else', (folder: string): void => edit(folder, 'PRAGMA application_id = 1')],
    ['a store of another layout', (folder: string): void => edit(folder, 'PRAGMA user_version = 2')],
    ['a lost key', (folder: string): void => rmSync(storePaths(folder).signingKey)],
    ['a broken key', (folder: string): void => writeFileSync(storePaths(folder).signingKey, 'x')],
    ['another digest key', (folder: string): void => writeFileSync(storePaths(folder).digestKey, 'x')],
    ['a cut tail', (folder: string): void => edit(folder, 'DELETE FROM records WHERE seq = 3')],
    [
      'a changed last record',
      (folder: string): void =>
        edit(folder, `UPDATE records SET text = replace(text, 'c', 'd') WHERE seq = 3`),
    ],
    ['a lost head', (folder: string): void => rmSync(storePaths(folder).head)],
    [
      'a row that cannot be read',
      (folder: string): void =>
        edit(
          folder,
          `INSERT INTO rows VALUES ('store2', 'x', 'y'); UPDATE rows SET text = '{}' WHERE kind = 'store'`,
        ),
    ],
  ])('is refused as damaged for %s, and the lock is free again', async (_, damage) => {
    const folder = await closedStore();
    damage(folder);
    const opening = (): unknown => openWriter(folder, { clock: systemClock, entropy: systemEntropy });
    expect(opening).toThrow(expect.objectContaining({ code: 'damaged' }));
    expect(opening).toThrow(expect.objectContaining({ code: 'damaged' }));
  });

  test('notices that everything behind an older record was cut and made to look whole', async () => {
    const folder = await closedStore();
    const cut = `DELETE FROM records WHERE seq > 1; DELETE FROM signed_heads WHERE seq > 1;
      UPDATE head SET (seq, hash) = (SELECT seq, hash FROM records WHERE seq = 1)`;
    edit(folder, cut);
    expect(await verifyStore(folder)).toMatchObject({
      ok: false,
      why: 'records up to the signed head at 3 are missing',
    });
    await expect(open(folder)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('finishes a store whose making was broken off', async () => {
    const folder = await closedStore();
    const paths = storePaths(folder);
    for (const path of [paths.head, paths.database, paths.signingKey]) rmSync(path);
    const store = await open(folder);
    expect(store.head().seq).toBe(0);
    expect(await verifyStore(folder)).toMatchObject({ ok: true, records: 1 });
  });

  test('[P.audit.tamper-evident] says that there is no store where there is none', async () => {
    await expect(verifyStore(newFolder())).rejects.toMatchObject({ code: 'absent' });
    await expect(readRecords(newFolder())).rejects.toMatchObject({ code: 'absent' });
  });
});

function signedHeads(folder: string): readonly SignedHead[] {
  const database = new Database(storePaths(folder).database, { readOnly: true });
  try {
    return database.all('SELECT * FROM signed_heads ORDER BY seq') as unknown as SignedHead[];
  } finally {
    database.close();
  }
}

describe('[P.audit.signed-head] heads', () => {
  test('are signed by the key whose public half the store gives, also beside the database', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.audit.append(intent('a')).durable;
    await store.close();
    const heads = signedHeads(folder);
    const isSigned = headVerifier(store.id, store.publicKey);
    expect(heads.map(isSigned)).toEqual(heads.map(() => true));
    expect(heads.at(-1)).toMatchObject(store.head());
    expect(JSON.parse(readFileSync(storePaths(folder).head, 'utf8'))).toEqual({ ...heads.at(-1) });
    const other = await open(newFolder());
    expect(heads.some(headVerifier(store.id, other.publicKey))).toBe(false);
  });

  test('let records verify that travel without the store, with the public half alone', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.audit.append(intent('a'), { path: '/x' }).durable;
    await store.close();
    const records = await readRecords(folder);
    const isSigned = headVerifier(store.id, store.publicKey);
    const evidence = { store: store.id, records, signedHeads: signedHeads(folder), isSigned };
    expect(verify(evidence)).toEqual({ ok: true, records: 2, unsettled: ['a'] });
    expect(verify({ ...evidence, records: records.slice(0, 1) }).ok).toBe(false);
  });

  test('are at most 256 records and, while records come, one second apart', () => {
    let now = 0;
    const clock = { monotonic: (): number => now, wall: (): number => now };
    const folder = newFolder();
    const { writer, lock } = openWriter(folder, { clock, entropy: systemEntropy });
    const entry = { at: 1, record: '{"type":"event"}' };
    for (let count = 0; count < 300; count += 1) writer.commit([entry]);
    now = 999;
    writer.commit([entry]);
    now = 1000;
    writer.commit([entry]);
    writer.close();
    lock.release();
    expect(signedHeads(folder).map(({ seq }) => seq)).toEqual([0, 256, 302]);
  });

  test('are signed within about a second of the last record, without another one', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.audit.append(intent('a')).durable;
    await vi.waitFor(() => expect(signedHeads(folder).at(-1)?.seq).toBe(1), { timeout: 5000 });
  });
});

test('[P.audit.erasable] an erased body is nowhere in the folder any more', async () => {
  const folder = newFolder();
  const store = await open(folder);
  await store.audit.append(intent('a'), { secret: 'tulip-4711' }).durable;
  const holds = (): readonly string[] =>
    readdirSync(folder).filter((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() && readFileSync(path).includes('tulip-4711');
    });
  expect(holds()).not.toEqual([]);
  await store.eraseBody(1);
  expect(holds()).toEqual([]);
  expect(await verifyStore(folder)).toMatchObject({ ok: true });
});

describe('trouble with the file', () => {
  test('[P.audit.unwritable] a write lock that another program holds refuses, and all heals when it goes', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.audit.append(intent('a')).durable;
    const other = new Database(storePaths(folder).database);
    other.script('BEGIN IMMEDIATE');
    await expect(store.audit.append(intent('b')).durable).rejects.toMatchObject({ code: 'refused' });
    expect(store.audit.healthy()).toBe(false);
    other.close();
    await vi.waitFor(() => expect(store.audit.healthy()).toBe(true), { timeout: 5000 });
    await store.audit.append(intent('c')).durable;
    expect((await store.records({ from: 1 })).map(({ call }) => call)).toEqual(['a', 'c']);
    expect(await verifyStore(folder)).toMatchObject({ ok: true, unsettled: ['a', 'c'] });
  });

  test('a refused change of a table changes nothing', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const other = new Database(storePaths(folder).database);
    other.script('BEGIN IMMEDIATE');
    const revoked = store.revocations.add({ subject: 'session', id: 's', at: 1 });
    await expect(revoked).rejects.toMatchObject({ code: 'refused' });
    expect(await store.revocations.list()).toEqual([]);
    other.close();
    await vi.waitFor(() => expect(store.audit.healthy()).toBe(true), { timeout: 5000 });
    await store.revocations.add({ subject: 'session', id: 's', at: 1 });
    expect(await store.revocations.list()).toHaveLength(1);
  });

  test('a database that was moved away takes nothing, and takes again when it is back', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const { database } = storePaths(folder);
    renameSync(database, `${database}.away`);
    await expect(store.audit.append(intent('a')).durable).rejects.toMatchObject({ code: 'refused' });
    expect(existsSync(database)).toBe(false);
    renameSync(`${database}.away`, database);
    await vi.waitFor(() => expect(store.audit.healthy()).toBe(true), { timeout: 5000 });
    await store.audit.append(intent('b')).durable;
    expect(await verifyStore(folder)).toMatchObject({ ok: true, unsettled: ['b'] });
  });

  test('another database in the place of the one that was opened takes nothing', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const { database } = storePaths(folder);
    mkdirSync(`${folder}/copy`);
    cpSync(database, `${folder}/copy/pawl.db`);
    renameSync(`${folder}/copy/pawl.db`, database);
    await expect(store.audit.append(intent('a')).durable).rejects.toMatchObject({ code: 'refused' });
    expect(store.audit.healthy()).toBe(false);
  });
});
