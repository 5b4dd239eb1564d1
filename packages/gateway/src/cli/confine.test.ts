import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWithSandbox } from '../../../../test/bubblewrap.js';
import { type Confined, confineServer } from './confine.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-confine-')));
  for (const name of ['store', 'data', 'policy']) mkdirSync(join(base, name));
  writeFileSync(join(base, 'policy/pawl.yaml'), 'pawl: 1');
});
afterEach(() => rmSync(base, { recursive: true }));

function confine(find?: () => string | undefined): Promise<Confined | string> {
  const place = {
    folder: join(base, 'policy'),
    canaryFolder: join(base, 'store'),
    hide: [join(base, 'policy/pawl.yaml')],
    cwd: join(base, 'data'),
  };
  return confineServer(
    { read: ['../data'], write: [], network: 'none' },
    find === undefined ? place : { ...place, find },
  );
}

/** Stands where bubblewrap should and runs `line` with the probe's arguments. */
function pretender(line: string): () => string {
  const path = join(base, 'bwrap');
  writeFileSync(path, `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift 2\n${line}\n`);
  chmodSync(path, 0o755);
  return () => path;
}

test('is not to be had without bubblewrap', async () => {
  expect(await confine(() => undefined)).toMatch(/not installed/u);
});

test('does not count where what should refuse does not [P.powers.sandbox-proof]', async () => {
  const why = await confine(pretender(`exec ${process.execPath} "$@"`));
  expect(why).toMatch(/the probe could/u);
  expect(await confine(pretender('exit 0'))).toMatch(/does not work here/u);
  expect(await confine(pretender('echo "{}"'))).toMatch(/does not work here/u);
  expect(await confine(() => join(base, 'none'))).toMatch(/ENOENT|failed/u);
});

describeWithSandbox('where bubblewrap works', () => {
  test('is had, for programs that it shows', async () => {
    const confined = await confine();
    if (typeof confined === 'string') throw new Error(confined);
    expect(confined.confine({ program: '/usr/bin/env', args: ['a'] })).toMatchObject({
      args: expect.arrayContaining(['--unshare-all', '/usr/bin/env', 'a']),
    });
    expect(confined.confine({ program: '/opt/none/server', args: [] })).toMatch(/does not show/u);
    renameSync(join(base, 'data'), join(base, 'aside'));
    symlinkSync('/etc', join(base, 'data'));
    expect(confined.confine({ program: '/usr/bin/env', args: [] })).toMatch(/is a link by now/u);
    await confined.close();
  });
});
