import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isShown } from './bwrap.js';
import { egressFolder } from './egress-folder.js';
import { type Plan, type Profile, planOf } from './plan.js';

let base = '';
let data = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-plan-')));
  data = join(base, 'data');
  mkdirSync(join(data, 'a/store'), { recursive: true });
  mkdirSync(join(data, 'out'));
  writeFileSync(join(data, 'policy.yaml'), 'pawl: 1');
});
afterEach(() => rmSync(base, { recursive: true }));

function plan(profile: Partial<Profile>): ReturnType<typeof planOf> {
  return planOf({ read: [], write: [], hide: [], cwd: '/', ...profile });
}

function planned(profile: Partial<Profile>): Plan {
  const made = plan(profile);
  if ('why' in made) throw new Error(made.why);
  return made;
}

describe('a plan', () => {
  test('mounts outer folders before inner ones, each as it was granted', () => {
    const { mounts } = planned({ read: [join(data, 'a'), data], write: [join(data, 'out')] });
    expect(mounts).toEqual([
      { path: data, how: 'read' },
      { path: join(data, 'a'), how: 'read' },
      { path: join(data, 'out'), how: 'write' },
    ]);
  });

  test('covers a hidden folder, and holds fast what lies between where that may be changed', () => {
    const hide = [join(data, 'a/store')];
    expect(planned({ read: [data], hide }).mounts).toEqual([
      { path: data, how: 'read' },
      { path: join(data, 'a/store'), how: 'empty' },
    ]);
    expect(planned({ write: [data], hide }).mounts).toEqual([
      { path: data, how: 'write' },
      { path: join(data, 'a'), how: 'write' },
      { path: join(data, 'a/store'), how: 'empty' },
    ]);
    const inner = planned({ read: [join(data, 'a')], write: [data], hide }).mounts;
    expect(inner).toContainEqual({ path: join(data, 'a'), how: 'read' });
  });

  test('covers the sockets of egress proxies wherever they lie', () => {
    expect(planned({ read: [tmpdir()] }).mounts).toContainEqual({
      path: realpathSync(egressFolder()),
      how: 'empty',
    });
  });

  test('shows links as links to what they lead to', () => {
    symlinkSync(data, join(base, 'link'));
    expect(planned({ read: [join(base, 'link')] })).toMatchObject({
      mounts: [{ path: data, how: 'read' }],
      links: [{ from: join(base, 'link'), to: data }],
    });
  });

  test.each([
    ['what is not there', () => ({ read: ['/pawl-none'] }), /is not there/u],
    ['the whole file system', () => ({ read: ['/'] }), /no confinement/u],
    ['processes', () => ({ read: ['/proc/self'] }), /not shown/u],
    ['devices, to write', () => ({ write: ['/dev'] }), /not shown/u],
    ['a hidden folder', () => ({ read: [join(data, 'a')], hide: [join(data, 'a')] }), /Pawl's own/u],
    ['what is inside one', () => ({ read: [join(data, 'a/store')], hide: [join(data, 'a')] }), /Pawl's own/u],
    [
      'a folder around a hidden file',
      () => ({ read: [data], hide: [join(data, 'policy.yaml')] }),
      /no sandbox may show/u,
    ],
    [
      'a folder in which a hidden one could be made',
      () => ({ write: [data], hide: [join(data, 'keys')] }),
      /no sandbox may show/u,
    ],
  ])('is not made for %s', (_, profile, why) => {
    expect(plan(profile())).toEqual({ why: expect.stringMatching(why) });
  });

  test('is not made around a link to a hidden folder that could be made another', () => {
    symlinkSync(join(base, 'elsewhere'), join(data, 'out/store'));
    expect(plan({ write: [data], hide: [join(data, 'out/store')] })).toHaveProperty('why');
    expect(planned({ read: [data], hide: [join(data, 'out/store')] }).mounts).toHaveLength(1);
  });

  test('tells what it shows: granted folders but for hidden ones, and programs', () => {
    const made = planned({ read: [data], hide: [join(data, 'a/store')] });
    const seen = [
      data,
      join(data, 'x'),
      join(data, 'a/store/key'),
      `${data}-other`,
      '/usr/bin/env',
      process.execPath,
      '/etc',
    ];
    expect(seen.map((path) => isShown(made, path))).toEqual([true, true, false, false, true, true, false]);
  });
});
