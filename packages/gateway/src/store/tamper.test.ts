/** One byte of anything that is stored, changed behind the store's back, turns verification red. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntentRecord, mintId, parseAgentName, parseServerName, sha256 } from '@pawl/core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakeSource } from '../../../../test/fake-reload.js';
import { Database } from './database.js';
import { checkStore } from './evidence.js';
import { openStore, storePaths } from './index.js';

const epochs = (reporter: number): Record<string, number> => ({ reporter });
const agent = parseAgentName('reporter')!;
const server = parseServerName('files')!;
const folder = mkdtempSync(join(tmpdir(), 'pawl-tamper-'));
const paths = storePaths(folder);
const kept = join(folder, 'kept.db');

function intent(call: string): IntentRecord {
  return { type: 'intent', verdict: 'permit', level: 'permit', rules: [], call: mintId.call(call) };
}

/** A closed store that holds at least one row of every kind. */
async function fill(): Promise<void> {
  const store = await openStore(folder);
  await store.audit.append(intent('alpha'), { path: '/body/kept' }).durable;
  await store.audit.append(intent('beta'), { path: '/body/erased' }).durable;
  await store.eraseBody(2);
  store.audit.note({ type: 'settlement', call: mintId.call('alpha'), outcome: 'ok', milliseconds: 1 });
  await store.generations.put({
    number: 1,
    hash: sha256('1'),
    source: fakeSource('first'),
    epochs: epochs(1),
  });
  await store.generations.put({
    number: 2,
    hash: sha256('2'),
    source: fakeSource('second'),
    epochs: epochs(2),
  });
  const key = { salt: '00', hash: 'feedface', agent, issuedAt: 1 };
  await store.keys.issue({ ...key, id: mintId.key('living') });
  await store.keys.issue({ ...key, id: mintId.key('revoked') });
  await store.keys.revoke(mintId.key('revoked'), 2);
  const pin = { server, digest: sha256('d'), definition: { name: 'read' }, firstUse: true, at: 1 };
  await store.pins.put([
    { ...pin, tool: 'read', state: 'accepted' },
    { ...pin, tool: 'write', state: 'waiting' },
  ]);
  await store.revocations.add({ subject: 'capability', id: 'c', at: 1 });
  await store.close();
}

type Value = string | number | null;

interface Place {
  readonly table: string;
  readonly column: string;
  readonly row: string;
  readonly value: Value;
}

const tables = ['records', 'bodies', 'head', 'signed_heads', 'rows'];

function database<T>(work: (open: Database) => T): T {
  const open = new Database(paths.database);
  try {
    return work(open);
  } finally {
    open.close();
  }
}

function literal(value: Value): string {
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** Every stored value. `head.one` can only be 1. */
function places(): readonly Place[] {
  return database((open) =>
    tables.flatMap((table) =>
      open.all(`SELECT * FROM ${table}`).flatMap((row) => {
        const cells = (Object.entries(row) as [string, Value][]).filter(([column]) => column !== 'one');
        const where = cells
          .map(([column, value]) => (value === null ? `${column} IS NULL` : `${column} = ${literal(value)}`))
          .join(' AND ');
        return cells.map(([column, value]) => ({ table, column, row: where, value }));
      }),
    ),
  );
}

/** The value with one byte, or one, changed. */
function changed(value: Value, at: number): string {
  if (value === null) return `'x'`;
  if (typeof value === 'number') return String(value + Math.round(1000 ** (at + 1)));
  const bytes = Buffer.from(value);
  const index = Math.min(bytes.length - 1, Math.floor(bytes.length * at));
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return `CAST(x'${bytes.toString('hex')}' AS TEXT)`;
}

/** Puts the untouched database back, as a new file without a log of what was done to another. */
function restore(bytes: Uint8Array = readFileSync(kept)): void {
  for (const end of ['', '-wal', '-shm']) rmSync(paths.database + end, { force: true });
  writeFileSync(paths.database, bytes);
}

beforeAll(async () => {
  await fill();
  copyFileSync(paths.database, kept);
});
beforeEach(() => restore());

describe('[P.audit.tamper-evident] verification', () => {
  test('is green for the untouched store, with an erased body, and lists what is unsettled', () => {
    expect(checkStore(folder)).toMatchObject({ ok: true, unsettled: ['beta'] });
  });

  test('sees one changed byte in every column of every row of every table', () => {
    const all = places();
    const kinds = new Set(all.map(({ table }) => table));
    expect([...kinds]).toEqual(tables);
    expect(all.length).toBeGreaterThan(80);
    const unseen: unknown[] = [];
    for (const { table, column, row, value } of all) {
      for (const at of [0, 0.5, 1]) {
        restore();
        database((open) => open.script(`UPDATE ${table} SET ${column} = ${changed(value, at)} WHERE ${row}`));
        const report = checkStore(folder);
        if (report.ok) unseen.push({ table, column, row, at });
      }
    }
    expect(unseen).toEqual([]);
  }, 120_000);

  test('sees every row that is taken out, but for heads that later heads stand for', () => {
    const unseen: string[] = [];
    const rows = new Set(places().map(({ table, row }) => `${table} WHERE ${row}`));
    for (const row of rows) {
      restore();
      database((open) => open.script(`DELETE FROM ${row}`));
      if (checkStore(folder).ok) unseen.push(row);
    }
    expect(unseen.filter((row) => !row.startsWith('signed_heads'))).toEqual([]);
  }, 60_000);

  test.each([
    [
      'a record',
      `INSERT INTO records SELECT seq + 1, text, hash, call FROM records ORDER BY seq DESC LIMIT 1`,
    ],
    ['a body', `INSERT INTO bodies VALUES (3, '{}')`],
    ['an erased body', `INSERT INTO bodies VALUES (2, '{"path":"/other"}')`],
    ['a body behind the last record', `INSERT INTO bodies VALUES (999, '{}')`],
    [
      'a signed head',
      `INSERT INTO signed_heads SELECT seq + 1, hash, at, signature FROM signed_heads LIMIT 1`,
    ],
    ['a row', `INSERT INTO rows VALUES ('key', 'forged', '{}')`],
    ['an index entry', `UPDATE records SET call = 'alpha' WHERE seq = 2`],
  ])('sees %s that was put in', (_, sql) => {
    database((open) => open.script(sql));
    expect(checkStore(folder)).toMatchObject({ ok: false });
  });

  test('sees a table that was dropped', () => {
    database((open) => open.script('DROP TABLE bodies'));
    expect(checkStore(folder)).toMatchObject({ ok: false });
  });

  const needles = [
    '/body/kept',
    'alpha',
    'store_created',
    'first',
    'feedface',
    'capability',
    'epochs',
    'waiting',
  ];

  test.each(needles)(
    'sees a bit that was flipped in the file itself, everywhere where %s lies',
    async (needle) => {
      const whole = readFileSync(kept);
      let found = 0;
      for (let at = whole.indexOf(needle); at >= 0; at = whole.indexOf(needle, at + 1)) {
        for (const bit of [0x01, 0x80]) {
          const bytes = Buffer.from(whole);
          bytes[at + 2] = (bytes[at + 2] ?? 0) ^ bit;
          writeFileSync(paths.database, bytes);
          const report = checkStore(folder);
          expect({ at, bit, ok: report.ok }).toEqual({ at, bit, ok: false });
        }
        found += 1;
      }
      expect(found).toBeGreaterThan(0);
    },
  );

  test('answers, whatever byte of the file is another', () => {
    const whole = readFileSync(kept);
    for (let at = 0; at < whole.length; at += 211) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      restore(bytes);
      expect(typeof checkStore(folder).ok).toBe('boolean');
    }
  }, 60_000);

  test.each([
    [
      'changed',
      (): void => writeFileSync(paths.head, readFileSync(paths.head, 'utf8').replace('"at":', '"at":1')),
    ],
    ['cut', (): void => writeFileSync(paths.head, '')],
  ])('sees a signed head beside the database that was %s', (_, damage) => {
    const head = readFileSync(paths.head);
    damage();
    const report = checkStore(folder);
    writeFileSync(paths.head, head);
    expect(report).toMatchObject({ ok: false });
  });
});
