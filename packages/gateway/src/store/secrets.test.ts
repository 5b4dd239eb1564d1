import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from './store.js';
import { SecretFolder, secretFault } from './secrets.js';

let store = '';
let folder = '';
let secrets: SecretFolder;
beforeEach(() => {
  store = join(realpathSync(mkdtempSync(join(tmpdir(), 'pawl-secrets-'))), 'store');
  folder = join(store, 'secrets');
  secrets = new SecretFolder(folder);
});
afterEach(() => rmSync(join(store, '..'), { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const whyNot = (name: string): string => {
  const read = secrets.read(name);
  return read.ok ? 'it is there' : read.why;
};

describe('[P.secrets.stored] stored secrets', () => {
  test('are files of their owner alone, in a folder of its own', () => {
    expect(secrets.set('token', 'first-value')).toBe(false);
    expect([store, folder, join(folder, 'token')].map(modeOf)).toEqual(['700', '700', '600']);
    expect(readFileSync(join(folder, 'token'), 'utf8')).toBe('first-value');
    expect(secrets.read('token')).toEqual({ ok: true, value: 'first-value' });
    expect(readdirSync(folder)).toEqual(['token']);
  });

  test('can be there before the store is', async () => {
    secrets.set('token', 'first-value');
    const opened = await openStore(store);
    await opened.close();
    expect(secrets.read('token').ok).toBe(true);
  });

  test('are read anew when they change, and are gone when they are removed', () => {
    secrets.set('token', 'first-value');
    secrets.read('token');
    expect(secrets.set('token', 'other-value')).toBe(true);
    expect(secrets.read('token')).toEqual({ ok: true, value: 'other-value' });
    expect(secrets.remove('token')).toBe(true);
    expect(whyNot('token')).toBe('the secret token is not stored; store it with: pawl secrets set token');
    expect(secrets.remove('token')).toBe(false);
  });

  test('are listed by name, what an interrupted replacement left is not, and goes with the secret', () => {
    expect(secrets.list()).toEqual([]);
    secrets.set('b', 'value-of-b');
    secrets.set('a', 'value-of-a');
    writeFileSync(join(folder, 'a.k3j4h5g6'), 'half of a');
    utimesSync(join(folder, 'a'), 1000, 1000);
    expect(secrets.list()).toEqual([
      { name: 'a', at: 1_000_000 },
      { name: 'b', at: expect.any(Number) as number },
    ]);
    secrets.remove('a');
    expect(readdirSync(folder)).toEqual(['b']);
  });

  test('that others could read, links and other things are not used', () => {
    secrets.set('token', 'first-value');
    chmodSync(join(folder, 'token'), 0o640);
    expect(whyNot('token')).toContain('open to others');
    symlinkSync('/etc/hostname', join(folder, 'link'));
    expect(whyNot('link')).toContain('not to be read');
    mkdirSync(join(folder, 'folder'));
    expect(whyNot('folder')).toContain('no file');
    expect(whyNot('../token')).toContain('no name of a secret');
  });

  test('written by hand are judged like those that are set', () => {
    secrets.set('token', 'first-value');
    for (const wrong of ['first-value\n', 'a\r\nX: b', 'short', ' blank-first', 'x'.repeat(20_000)]) {
      writeFileSync(join(folder, 'token'), wrong);
      expect(whyNot('token')).not.toBe('it is there');
      expect(whyNot('token')).not.toContain('first-value');
    }
  });

  test('are not kept where others may enter', () => {
    mkdirSync(store, { mode: 0o755 });
    chmodSync(store, 0o755);
    expect(() => secrets.set('token', 'first-value')).toThrow('open to others');
    expect(readdirSync(store)).toEqual([]);
  });
});

test.each([
  ['abcde', 'shorter'],
  ['x'.repeat(16_385), 'longer'],
  ['a\nb-longer', 'line ends'],
  ['a\rb-longer', 'line ends'],
  ['tab\tinside', 'control'],
  ['zero\0inside', 'control'],
  ['\ud800-lone-one', 'UTF-8'],
  [' leading-one', 'blank'],
])('[P.secrets.stored] %j is no value', (value, why) => expect(secretFault(value)).toContain(why));

test('[P.secrets.stored] anything else is one', () => {
  for (const value of ['abcdef', 'Bearer a b c', 'pässwörd', '🔑🔑🔑'])
    expect(secretFault(value)).toBeUndefined();
});
