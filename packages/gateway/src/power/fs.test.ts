import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DenialError,
  type FsOptions,
  type Grant,
  NoConfinement,
  type WritableFs,
  grantFs,
  grantReadFs,
} from './index.js';

let base = '';
let root = '';
const grants: Grant<unknown>[] = [];
const port = { guard: (): void => {} };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-fs-')));
  root = join(base, 'inside');
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside/secret.txt'), 'secret');
  writeFileSync(join(root, 'a/one.txt'), 'one');
});
afterEach(async () => {
  await Promise.all(grants.splice(0).map((grant) => grant.revoke()));
  rmSync(base, { recursive: true });
});

async function fs(more: Partial<FsOptions> = {}): Promise<WritableFs> {
  const grant = await grantFs({ root, port, ...more });
  grants.push(grant);
  return grant.power;
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    (value) => new Error(`was allowed: ${JSON.stringify(value)}`),
    (why: unknown) => why,
  );
  expect(String(error)).not.toContain(base);
  return error;
}

const outOfScope = {
  kind: 'denial',
  code: 'out_of_scope',
  layer: 'power',
  constraint: 'fs.root',
  retryable: false,
};

describe.skipIf(process.platform !== 'linux')('an fs power [P.powers.real]', () => {
  test('reads, lists, searches and tells facts of what is inside', async () => {
    const power = await fs();
    expect(await power.readText('a/one.txt')).toBe('one');
    expect(await power.readText(join(root, 'a/one.txt'))).toBe('one');
    expect(await power.readText('./a//one.txt')).toBe('one');
    expect(await power.list('a')).toEqual([
      { name: 'b', kind: 'folder' },
      { name: 'one.txt', kind: 'file' },
    ]);
    expect(await power.list('')).toEqual([{ name: 'a', kind: 'folder' }]);
    expect(await power.list(root)).toEqual([{ name: 'a', kind: 'folder' }]);
    expect(await power.stat('a/one.txt')).toMatchObject({ kind: 'file', size: 3 });
    expect(await power.stat('.')).toMatchObject({ kind: 'folder' });
    expect(await power.search('.', { name: '*.t?t' })).toEqual(['a/one.txt']);
    expect(await power.search('a', { name: '*', most: 1 })).toEqual(['b']);
    for (const [name, found] of [
      ['o*e*', 1],
      ['*.*', 1],
      ['*n*?t', 1],
      ['?ne.txt', 1],
      ['one', 0],
      ['*a*', 0],
      ['', 0],
      ['o.*', 0],
    ] as const)
      expect(await power.search('a', { name }), name).toHaveLength(found);
  });

  test('writes in one step, keeps the mode of what it replaces, and leaves no drafts', async () => {
    const power = await fs();
    chmodSync(join(root, 'a/one.txt'), 0o640);
    await power.write('a/one.txt', 'other');
    await power.write('a/b/two.bin', new Uint8Array([1, 2]), { mode: 'create' });
    expect(readFileSync(join(root, 'a/one.txt'), 'utf8')).toBe('other');
    expect(statSync(join(root, 'a/one.txt')).mode & 0o777).toBe(0o640);
    expect([...(await power.read('a/b/two.bin'))]).toEqual([1, 2]);
    await expect(power.write('a/one.txt', '', { mode: 'create' })).rejects.toMatchObject({ code: 'exists' });
    await expect(power.write('a/no.txt', '', { mode: 'replace' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(power.write('a/b', '')).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(power.write('a/none/x', '')).rejects.toMatchObject({ code: 'not_found' });
    expect(namesIn(root)).toEqual(['a', 'a/b', 'a/b/two.bin', 'a/one.txt']);
  });

  test('makes, moves and removes inside', async () => {
    const power = await fs();
    await power.mkdir('c');
    await power.mkdir('c/d/e', { parents: true });
    await power.mkdir('c/d/e', { parents: true });
    await expect(power.mkdir('c')).rejects.toMatchObject({ code: 'exists' });
    await power.move('a/one.txt', 'c/two.txt');
    await power.write('c/three.txt', 'three');
    await expect(power.move('c/two.txt', 'c/three.txt')).rejects.toMatchObject({ code: 'exists' });
    await power.move('c/two.txt', 'c/three.txt', { replace: true });
    await power.move('c/d', 'a/d');
    expect(await power.readText('c/three.txt')).toBe('one');
    expect(namesIn(root)).toEqual(['a', 'a/b', 'a/d', 'a/d/e', 'c', 'c/three.txt'].sort());
    await expect(power.remove('a')).rejects.toMatchObject({ code: 'not_empty' });
    await power.remove('a', { below: true });
    await power.remove('c/three.txt');
    await power.remove('c');
    expect(readdirSync(root)).toEqual([]);
    await expect(power.remove('c')).rejects.toMatchObject({ code: 'not_found' });
    await expect(power.move('c', 'd')).rejects.toMatchObject({ code: 'not_found' });
  });

  const outside = [
    '..',
    '../outside/secret.txt',
    'a/../one.txt',
    'a/b/../../../outside/secret.txt',
    '/etc/passwd',
    '/',
    'a\0b',
    'a/\ud800',
  ];
  test.each(outside)('refuses the path %j in every verb', async (path) => {
    const power = await fs();
    for (const work of every(power, path)) expect(await refusal(work())).toMatchObject(outOfScope);
  });

  test('refuses a sibling whose name begins with that of the root', async () => {
    mkdirSync(`${root}-other`);
    writeFileSync(`${root}-other/x`, 'x');
    expect(await refusal((await fs()).read(`${root}-other/x`))).toMatchObject(outOfScope);
  });

  test('follows no link in any verb, as the last name or before it, to the outside or the inside', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'out'));
    symlinkSync('a', join(root, 'in'));
    symlinkSync('../inside/a/one.txt', join(root, 'file'));
    symlinkSync('/nowhere', join(root, 'broken'));
    const power = await fs();
    for (const path of ['out/secret.txt', 'in/one.txt', 'in/b', 'out/new/er'])
      for (const work of every(power, path)) expect(await refusal(work()), path).toMatchObject(outOfScope);
    for (const path of ['out', 'in', 'file', 'broken'])
      for (const work of every(power, path).filter(({ name }) => !['remove', 'mkdir'].includes(name)))
        expect(await refusal(work()), `${path} ${work.name}`).toMatchObject(outOfScope);
    expect(await power.list('.')).toContainEqual({ name: 'out', kind: 'link' });
    expect(await power.search('.', { name: 'secret*' })).toEqual([]);
    expect(readdirSync(join(base, 'outside'))).toEqual(['secret.txt']);
  });

  test('removes a link as a name and leaves alone where it leads', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'a/out'));
    const power = await fs();
    await power.remove('a', { below: true });
    expect(readFileSync(join(base, 'outside/secret.txt'), 'utf8')).toBe('secret');
    symlinkSync(join(base, 'outside'), join(root, 'out'));
    await power.remove('out', { below: true });
    expect(readdirSync(root)).toEqual([]);
    expect(readFileSync(join(base, 'outside/secret.txt'), 'utf8')).toBe('secret');
  });

  test('refuses hard links unless told to take them', async () => {
    linkSync(join(base, 'outside/secret.txt'), join(root, 'hard'));
    const power = await fs();
    for (const work of [() => power.read('hard'), () => power.stat('hard'), () => power.write('hard', 'x')])
      expect(await refusal(work())).toMatchObject(outOfScope);
    expect(await refusal(power.move('hard', 'soft'))).toMatchObject(outOfScope);
    const lax = await fs({ hardLinks: 'allow' });
    expect(await lax.readText('hard')).toBe('secret');
    await lax.write('hard', 'other');
    expect(readFileSync(join(base, 'outside/secret.txt'), 'utf8')).toBe('secret');
  });

  test('refuses pipes and devices without opening them', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const power = await fs();
    for (const verb of ['read', 'stat'] as const)
      expect(await refusal(power[verb]('pipe'))).toMatchObject(outOfScope);
    expect(await refusal(power.write('pipe', 'x'))).toMatchObject(outOfScope);
    expect(await power.list('.')).toContainEqual({ name: 'pipe', kind: 'other' });
    const devices = await grantReadFs({ root: '/dev', port });
    grants.push(devices);
    for (const name of ['null', 'zero'])
      expect(await refusal(devices.power.read(name))).toMatchObject(outOfScope);
  });

  test('refuses what is mounted inside its folder', async () => {
    const power = await grantReadFs({ root: '/', port });
    grants.push(power);
    for (const path of ['proc/self/environ', '/proc', 'proc', 'sys/kernel'])
      expect(await refusal(power.power.stat(path)), path).toMatchObject(outOfScope);
    expect(await refusal(power.power.list('/proc'))).toMatchObject(outOfScope);
  });

  test('says what did not work without naming a folder of the host', async () => {
    const power = await fs({ bounds: { fileBytes: 4, entries: 2 } });
    writeFileSync(join(root, 'big'), '12345');
    writeFileSync(join(root, 'binary'), new Uint8Array([0xff]));
    const cases: [string, () => Promise<unknown>][] = [
      ['not_found', () => power.read('none')],
      ['not_a_folder', () => power.read('a/one.txt/x')],
      ['not_a_folder', () => power.list('a/one.txt')],
      ['not_a_file', () => power.read('a')],
      ['not_a_file', () => power.read('.')],
      ['too_large', () => power.read('big')],
      ['too_large', () => power.write('a/one.txt', '12345')],
      ['too_large', () => power.list('.')],
      ['not_text', () => power.readText('binary')],
      ['bad_name', () => power.stat('x'.repeat(300))],
      ['failed', () => power.move('a', 'a/b/c')],
    ];
    for (const [code, work] of cases)
      expect(await refusal(work()), code).toMatchObject({ code, name: 'PowerFailure' });
    for (const work of [() => power.remove(''), () => power.mkdir('.'), () => power.move('.', 'x')])
      expect(await refusal(work())).toMatchObject(outOfScope);
  });

  test('without write has no changing verb at all, and shows nothing of itself', async () => {
    const grant = await grantReadFs({ root, port });
    grants.push(grant);
    expect(Object.keys(grant.power).sort()).toEqual(['list', 'read', 'readText', 'search', 'stat']);
    expect(Object.isFrozen(grant.power)).toBe(true);
    expect(Object.keys(grant).sort()).toEqual(['power', 'revoke']);
  });

  test('asks whether it still may before each use and before each change', async () => {
    let alive = true;
    const dead = new DenialError({
      code: 'no_such_cap',
      layer: 'capability',
      message: 'gone',
      reason: 'revoked',
    });
    const guarded = await fs({
      port: {
        guard: () => {
          if (!alive) throw dead;
        },
      },
    });
    const writing = guarded.write('late.txt', 'x');
    alive = false;
    expect(await refusal(writing)).toBe(dead);
    for (const work of every(guarded, 'a/one.txt')) expect(await refusal(work())).toBe(dead);
    expect(readdirSync(root)).toEqual(['a']);
  });

  test('does nothing after it was revoked, whatever was under way', async () => {
    const grant = await grantFs({ root, port });
    const under = Array.from({ length: 20 }, (_, at) =>
      grant.power.write(`${at}.txt`, 'x').catch(() => undefined),
    );
    const revoking = grant.revoke();
    const names = readdirSync(root);
    for (const work of every(grant.power, 'a/one.txt'))
      expect(await refusal(work())).toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
    await Promise.all([...under, revoking]);
    expect(readdirSync(root)).toEqual(names);
    await grant.revoke();
  });

  test('is not to be had for what is no folder', async () => {
    for (const wrong of [join(base, 'none'), join(root, 'a/one.txt')])
      await expect(grantFs({ root: wrong, port })).rejects.toThrow(NoConfinement);
  });
});

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

function every(power: WritableFs, path: string): (() => Promise<unknown>)[] {
  const works = {
    read: () => power.read(path),
    readText: () => power.readText(path),
    list: () => power.list(path),
    stat: () => power.stat(path),
    search: () => power.search(path, { name: '*' }),
    write: () => power.write(path, 'x'),
    mkdir: () => power.mkdir(path),
    remove: () => power.remove(path, { below: true }),
    moveFrom: () => power.move(path, 'new-name'),
    moveTo: () => power.move('a/one.txt', path),
  };
  return Object.values(works);
}
