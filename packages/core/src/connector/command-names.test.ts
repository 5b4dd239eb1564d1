import { expect, test } from 'vitest';
import { commandNames } from './command-names.js';

const ctx = { root: '/box', case: 'sensitive', platform: 'posix' } as const;

const lines: [string, readonly (string | undefined)[], readonly (string | undefined)[]][] = [
  ['ls /box', [], ['/box']],
  ['ls', [], ['/box']],
  ['ls /etc', [], ['/etc']],
  ["'ls' '/etc'", [], ['/etc']],
  ['cat a/../../etc/passwd', [], ['/etc/passwd']],
  ['cat ~/x', [], [undefined]],
  ['cat a | grep b > /out', [], ['/box/a', '/box/b', '/out']],
  ['sh -c "ls /etc"', [], ['/etc']],
  ['cd /etc && ls', [], ['/etc', '/box']],
  ['tar --file=/etc/x.tar', [], ['/etc/x.tar']],
  ['echo /etc/passwd', [], []],
  ['/usr/bin/ls', ['/usr/bin/ls'], ['/box']],
  ['./run now', ['/box/run'], ['/box/now']],
];
test.each(lines)('%s', (line, programs, paths) => {
  expect(commandNames(line, ctx)).toEqual({ ok: true, programs, paths: expect.arrayContaining([...paths]) });
  const read = commandNames(line, ctx);
  expect(read.ok && read.paths.length).toBe(paths.length);
});

test.each(['ls $(echo /etc)', 'cat $HOME', 'eval ls', 'sleep 1 &', ''])('does not understand %j', (line) => {
  expect(commandNames(line, ctx)).toMatchObject({ ok: false });
});
