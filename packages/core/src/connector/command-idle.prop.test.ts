/** Commands that are said to make no access beside their own make none. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PathContext, member, splitText } from '../authority/index.js';
import { besidesOf } from './command-access.js';
import { idleCommands, idleEitherWay } from './command-idle.js';
import { programs } from './command-program.js';

const ctx: PathContext = { root: '/w', home: '/home/u', case: 'sensitive', platform: 'posix' };
const verbs = ['read', 'write', 'delete'] as const;
const program = fc.constantFrom(
  ...programs.keys(),
  'rm',
  'git',
  "'echo'",
  '/bin/echo',
  'timeout 1 cat',
  'cats',
);
const word = fc.constantFrom(
  'a',
  '/w/b',
  '../c',
  "'d e'",
  '-n',
  '--output=x',
  '-o',
  '-exec',
  'x=/y',
  '~',
  '*.ts',
  '-m',
);
const redirect = fc.constantFrom('< in', '> out', '>> /tmp/x', '2>&1', '< ~/in', '> ~other/x');
const line = fc
  .tuple(program, fc.array(word, { maxLength: 3 }), fc.array(redirect, { maxLength: 2 }))
  .map(([name, words, redirects]) => [name, ...words, ...redirects].join(' '));

test('[P.kind.command] no command makes an access that it is said to leave', () => {
  const seen = { idle: 0, busy: 0 };
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const read = splitText('command', lines.join(' && '), ctx);
      if (!read.ok) return;
      for (const { command, text } of read.parts) {
        if (command === undefined) continue;
        const made = besidesOf(command, ctx);
        if ('why' in made) continue;
        for (const verb of verbs) {
          const ways = made.besides
            .filter((each) => each.verb === verb)
            .map(({ path }) =>
              path === undefined ? 'unknown' : typeof path === 'string' ? 'redirect' : 'word',
            );
          for (const way of ['word', 'redirect'] as const) {
            const idle = member(idleCommands(verb, way), text);
            if (ways.includes(way)) expect([text, verb, way, idle]).toEqual([text, verb, way, false]);
            seen[idle ? 'idle' : 'busy'] += 1;
          }
          if (ways.length > 0) expect(member(idleEitherWay(verb), text)).toBe(false);
        }
      }
    }),
    { numRuns: 1500 },
  );
  expect(Math.min(seen.idle, seen.busy)).toBeGreaterThan(100);
});

test('says of programs whose words are text or are only read what their words leave', () => {
  const text = (command: string): string => {
    const read = splitText('command', command, ctx);
    return read.ok ? (read.parts[0]?.text ?? '') : '';
  };
  const idleVerbs = (command: string): readonly string[] =>
    verbs.filter((verb) => member(idleCommands(verb, 'word'), text(command)));
  expect(idleVerbs('echo /etc')).toEqual(['read', 'write', 'delete']);
  expect(idleVerbs('cat /etc/x')).toEqual(['write', 'delete']);
  expect(idleVerbs('mkdir a')).toEqual(['read', 'delete']);
  expect(idleVerbs('find . -delete')).toEqual([]);
  expect(idleVerbs('/bin/cat x')).toEqual([]);
  const redirected = text('cat a < /w/x');
  expect([
    member(idleCommands('read', 'redirect'), redirected),
    member(idleCommands('write', 'redirect'), redirected),
  ]).toEqual([false, true]);
  expect(member(idleCommands('read', 'redirect'), text('cat a'))).toBe(true);
});
